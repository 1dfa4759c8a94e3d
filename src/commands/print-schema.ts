// Runs the command `schema`, which shows the generated GraphQL schema of this version. It loads no other part of the gateway.
import { readFileSync } from 'node:fs';

export function printSchema(asSubgraph: boolean): void {
  const name = asSubgraph ? 'subgraph' : 'schema';
  console.log(readFileSync(require.resolve(`print-farm-gateway/${name}.graphql`), 'utf8').trimEnd());
}
