// Jest's projects, one for each folder of tests.
const { join } = require('node:path');
const swcOptions = require('./support/swc-options.cjs');

const rootDir = join(__dirname, '..');

const databases = {
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
};

// Unit tests have no database.
const projects = { unit: {}, contract: databases, integration: databases, e2e: databases, browser: databases };

module.exports = {
  rootDir,
  testTimeout: 60_000,
  maxWorkers: 2,
  // Jest keeps 15 to 20 MB of each file: a worker that has grown so much is replaced.
  workerIdleMemoryLimit: '512MB',
  projects: Object.entries(projects).map(([name, setUp]) => ({
    displayName: name,
    rootDir,
    testMatch: [`<rootDir>/test/${name}/**/*.test.ts`],
    testEnvironment: 'node',
    transform: { '^.+\\.ts$': ['@swc/jest', swcOptions] },
    // The modules of src/client name each other as browsers need it.
    moduleNameMapper: { '^(\\./|\\.\\./generated/)(client|event-stream|operations|request-error|watch)\\.js$': '$1$2' },
    setupFiles: ['reflect-metadata'],
    ...setUp,
  })),
};
