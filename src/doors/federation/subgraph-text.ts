// The schema of the subgraph as it was generated.
import { readFileSync } from 'node:fs';

export const subgraphText = readFileSync(require.resolve('print-farm-gateway/subgraph.graphql'), 'utf8');
