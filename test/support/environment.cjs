// The environment of tests that run the whole app. Jest compiles and loads every module anew for each file of tests: 2.5 s for
// the app and its libraries, and 2 s more for the embedded database. Here a worker loads them once, outside Jest, for all of
// its files. A file whose tests change the clock of the app or replace a module of it names Jest's own environment in its first
// comment.
require('reflect-metadata');
require('./run-typescript.cjs');
const { TestEnvironment } = require('jest-environment-node');

module.exports = class extends TestEnvironment {
  async setup() {
    await super.setup();
    this.global.requireOutside = require;
  }
};
