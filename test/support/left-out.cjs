// The last lines of a run: which tests it has left out, and which command runs them.
const { readdirSync } = require('node:fs');
const { join } = require('node:path');

/** Folders that only `npm run test:all` runs. */
const OF_ALL = ['server', 'e2e', 'pooler', 'browser'];

const filesIn = (folder) =>
  readdirSync(join(__dirname, '..', folder), { recursive: true }).filter((path) => path.endsWith('.test.ts')).length;

module.exports = class LeftOut {
  onRunComplete(contexts, { numPendingTests }) {
    const run = new Set([...contexts].map(({ config }) => config.displayName?.name));
    const left = OF_ALL.filter((folder) => !run.has(folder)).map((folder) => `${folder} (${filesIn(folder)} files)`);
    const databases = process.env.TEST_DATABASES || 'embedded';
    if (run.has('contract') && !databases.includes('server')) left.unshift('all of these on a PostgreSQL server');
    if (run.has('contract') && left.length > 0) console.log(`Left to \`npm run test:all\`: ${left.join(', ')}.`);
    if (numPendingTests > 0)
      console.log(`Skipped: ${numPendingTests} tests, which need a program that is missing here.`);
  }
};
