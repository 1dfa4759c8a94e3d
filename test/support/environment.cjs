// The environment of tests that run the app. Jest compiles and loads every module again for each test file: 2.5 s for
// the app and its libraries, and 2 s more for the embedded database. Here a worker loads them once, outside Jest, for all of
// its files. The tests and the app share one clock and one set of timers, so Jest's fake timers control both.
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
