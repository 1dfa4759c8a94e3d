// Replaces a module of src for Jest by the one that the worker has loaded outside; see environment.cjs.
const { transformSync } = require('@swc/core');
const swcOptions = require('./swc-options.cjs');

module.exports = {
  process: (source, filename) => {
    const { code } = transformSync(source, { filename, ...swcOptions });
    // Jest's global set-up runs outside any environment.
    return {
      code: `if (globalThis.requireOutside) module.exports = requireOutside(${JSON.stringify(filename)});\nelse {\n${code}\n}`,
    };
  },
};
