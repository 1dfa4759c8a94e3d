// Writes the manifest of persisted operations to src/generated, in Apollo's format: each document with the hash of its text.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Kind } from 'graphql';
import * as clientDocuments from '../generated/operations';
import * as dashboardDocuments from '../generated/web-operations';
import { sha256 } from '../values/sha256';

export function manifestText(): string {
  const operations = [...Object.values(clientDocuments), ...Object.values(dashboardDocuments)]
    .flatMap(({ definitions: [operation], loc: { source } }) => {
      if (operation?.kind !== Kind.OPERATION_DEFINITION) return [];
      const { body } = source;
      return [{ id: sha256(body), name: operation.name?.value ?? '', type: operation.operation, body }];
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  // An operation may be in both modules.
  const distinct = [...new Map(operations.map((operation) => [operation.id, operation])).values()];
  return `${JSON.stringify({ format: 'apollo-persisted-query-manifest', version: 1, operations: distinct }, null, 2)}\n`;
}

if (require.main === module) {
  writeFileSync(join(process.cwd(), 'src/generated/persisted-operations.json'), manifestText());
}
