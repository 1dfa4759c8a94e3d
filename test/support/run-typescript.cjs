// Lets a test start a plain Node process on TypeScript sources: node -r test/support/run-typescript.cjs file.ts
const { readFileSync } = require('node:fs');
const { transformSync } = require('@swc/core');
const swcOptions = require('./swc-options.cjs');

require.extensions['.ts'] = (module, filename) => {
  const { code } = transformSync(readFileSync(filename, 'utf8'), { filename, sourceMaps: 'inline', ...swcOptions });
  module._compile(code, filename);
};
