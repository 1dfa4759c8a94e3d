// The command `schema`: the schema of this version as it was generated. It loads no part of the gateway.
import { readFileSync } from 'node:fs';

export function printSchema(asSubgraph: boolean): void {
  const name = asSubgraph ? 'subgraph' : 'schema';
  console.log(readFileSync(require.resolve(`print-farm-gateway/${name}.graphql`), 'utf8').trimEnd());
}
