// Exports the GraphQL schema as a text, for programs that generate code, check operations or imitate the gateway.
import { readFileSync } from 'node:fs';

export const schemaText = readFileSync(require.resolve('print-farm-gateway/schema.graphql'), 'utf8');
