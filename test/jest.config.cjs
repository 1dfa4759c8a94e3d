// Jest's projects, one for each folder of tests.
const { join } = require('node:path');
const swcOptions = require('./support/swc-options.cjs');

const rootDir = join(__dirname, '..');

const COMPILED = { '^.+\\.ts$': ['@swc/jest', swcOptions] };

const withApp = {
  testEnvironment: '<rootDir>/test/support/environment.cjs',
  // What the app and its tests must share: the modules of src, but for those of clients and pages; graphql, which
  // wants to be there once; pg, whose statements are counted; and what takes long to load.
  transform: {
    '/src/(?!client/|web/|generated/operations).+\\.ts$|/node_modules/(graphql|pg|playwright-core|axe-core)/.+\\.js$':
      '<rootDir>/test/support/shared-modules.cjs',
    ...COMPILED,
  },
  transformIgnorePatterns: ['/node_modules/(?!(graphql|pg|playwright-core|axe-core)/)'],
};
const withDatabases = (setUp, globals = {}) => ({
  ...withApp,
  globals,
  globalSetup: `<rootDir>/test/support/${setUp}.ts`,
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
});
/** On the databases of TEST_DATABASES. */
const chosen = withDatabases('global-setup');
/** On both, whatever is chosen; or on the one that a test names. */
const both = withDatabases('set-up-both', { needsServer: true });
/** Their tests are skipped where the program is missing. */
const withProgram = (program) => ({
  ...withDatabases('set-up-both', { needsServer: true, program }),
  setupFilesAfterEnv: ['<rootDir>/test/support/skip-without-program.ts'],
});

const projects = {
  unit: withApp,
  contract: chosen,
  integration: chosen,
  smoke: chosen,
  database: both,
  server: both,
  e2e: both,
  pooler: withProgram('pgbouncer'),
  proxy: withProgram('nginx'),
  mosquitto: withProgram('mosquitto'),
  browser: {
    ...withProgram('chromium'),
    globalSetup: '<rootDir>/test/support/set-up-browser.ts',
  },
  chance: withDatabases('set-up-chance', { needsServer: true }),
};

// The script `jest` tells V8 to compile WebAssembly, which PostgreSQL is here, without optimizing it: tests of the built-in database
// take 39 s of CPU time instead of 52.
module.exports = {
  rootDir,
  testTimeout: 120_000,
  // One more than the two cores that CI has: what waits for a database or a process leaves its core to another one. npm test took
  // 122 s with three, and 142 with two.
  maxWorkers: 3,
  testSequencer: '<rootDir>/test/support/sequence.cjs',
  // Jest keeps memory of each file: a worker that has grown so much is replaced. With half of it contract and integration take
  // 149 s of CPU time instead of 136.
  workerIdleMemoryLimit: '1GB',
  reporters: ['default', 'summary', '<rootDir>/test/support/skipped-tests-reporter.cjs'],
  projects: Object.entries(projects).map(([name, setUp]) => ({
    displayName: name,
    rootDir,
    roots: ['<rootDir>/test', '<rootDir>/src'],
    testMatch: [`<rootDir>/test/${name}/**/*.test.ts`],
    testEnvironment: 'node',
    transform: COMPILED,
    moduleNameMapper: {
      '^jose$': '<rootDir>/test/support/jose.cjs',
      // The modules of src/client name each other as browsers need it.
      '^(\\./|\\.\\./generated/)(client|event-stream|operations|request-error|watch)\\.js$': '$1$2',
    },
    setupFiles: ['reflect-metadata'],
    ...setUp,
  })),
};
