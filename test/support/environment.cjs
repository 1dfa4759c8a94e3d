// The environment of tests that run the app. Jest compiles and loads every module anew for each file of tests: 2.5 s for
// the app and its libraries, and 2 s more for the embedded database. Here a worker loads them once, outside Jest, for all of
// its files. The clock and the timers of a test are those of the app, so that Jest's fake ones hold both.
require('reflect-metadata');
require('./run-typescript.cjs');
const { TestEnvironment } = require('jest-environment-node');

const CLOCK = ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate', 'clearImmediate'];

module.exports = class extends TestEnvironment {
  constructor(settings, context) {
    super(settings, context);
    this.global.requireOutside = require;
    for (const name of CLOCK) Object.defineProperty(this.global, name, { get: () => globalThis[name] });
    const { constructor: FakeTimers } = this.fakeTimersModern;
    this.fakeTimersModern = new FakeTimers({ config: settings.projectConfig, global: globalThis });
  }
};
