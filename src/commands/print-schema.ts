// The command `schema`: the schema of this version as it was generated.

import { schemaText } from '../client/schema';
import { subgraphText } from '../doors/federation/subgraph';

export function printSchema(asSubgraph: boolean): void {
  console.log((asSubgraph ? subgraphText() : schemaText).trimEnd());
}
