// The module node:async_hooks of Jest itself, for each file of tests; see moduleNameMapper in test/jest.config.cjs. jest-circus 30.5
// makes an AsyncLocalStorage for each file and leaves it enabled: on Node.js 20 each promise of the worker then has a member
// more for each file that has run. environment.cjs disables it behind its file. The app has Node's own module.
// npm test takes 98 s instead of 124.
// biome-ignore lint/style/useNodejsImportProtocol: with the protocol it is this file
const hooks = require('async_hooks');

module.exports = {
  ...hooks,
  AsyncLocalStorage: class extends hooks.AsyncLocalStorage {
    constructor(...options) {
      super(...options);
      globalThis.storagesOfJest?.add(this);
    }
  },
};
