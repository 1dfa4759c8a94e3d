// Reads the version of the gateway from its package.
import { readFileSync } from 'node:fs';

export const GATEWAY_VERSION: string = JSON.parse(
  readFileSync(require.resolve('print-farm-gateway/package.json'), 'utf8'),
).version;
