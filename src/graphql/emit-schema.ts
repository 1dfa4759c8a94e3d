// Writes the schema as SDL beside this room's sources: what clients generate from, and what a review of an API change reads.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lexicographicSortSchema, printSchema } from 'graphql';
import { buildGraph } from './schema';

/** The text of schema.graphql. */
export function schemaText(): string {
  return `${printSchema(lexicographicSortSchema(buildGraph()))}\n`;
}

if (require.main === module) {
  writeFileSync(process.argv[2] ?? join(process.cwd(), 'src/graphql/schema.graphql'), schemaText());
}
