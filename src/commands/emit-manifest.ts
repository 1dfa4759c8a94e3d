// Writes the manifest of persisted operations in Apollo's format: each generated document with the hash of its text.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Kind } from 'graphql';
import * as ofClient from '../generated/operations';
import * as ofDashboard from '../generated/web-operations';
import { sha256 } from '../values/sha256';

export function manifestText(): string {
  const operations = [...Object.values(ofClient), ...Object.values(ofDashboard)]
    .flatMap(({ definitions: [operation], loc: { source } }) => {
      if (operation?.kind !== Kind.OPERATION_DEFINITION) return [];
      const { body } = source;
      return [{ id: sha256(body), name: operation.name?.value ?? '', type: operation.operation, body }];
    })
    .sort((one, other) => (one.name < other.name ? -1 : 1));
  // The two modules may have the same operation.
  const distinct = [...new Map(operations.map((operation) => [operation.id, operation])).values()];
  return `${JSON.stringify({ format: 'apollo-persisted-query-manifest', version: 1, operations: distinct }, null, 2)}\n`;
}

if (require.main === module) {
  writeFileSync(join(process.cwd(), 'src/generated/persisted-operations.json'), manifestText());
}
