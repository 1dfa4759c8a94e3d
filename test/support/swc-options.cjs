// How SWC compiles the tests and the sources that they load, in Jest and in processes beside it.
module.exports = {
  jsc: {
    target: 'es2022',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, useDefineForClassFields: false, decoratorMetadata: true },
  },
  module: { type: 'commonjs' },
};
