// Writes the GraphQL schema to src/generated, for the code generation of clients and for reviews of changes to the API, and the same schema as a subgraph.
import 'reflect-metadata';

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lexicographicSortSchema, printSchema } from 'graphql';
import { createAppSchema, createSubgraph } from '../doors/federation/subgraph';
import { buildGraph } from '../schema';

export function schemaText(): string {
  return `${printSchema(lexicographicSortSchema(createAppSchema(buildGraph())))}\n`;
}

if (require.main === module) {
  writeFileSync(join(process.cwd(), 'src/generated/schema.graphql'), schemaText());
  writeFileSync(join(process.cwd(), 'src/generated/subgraph.graphql'), createSubgraph(buildGraph()));
}
