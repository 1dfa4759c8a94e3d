// Prints the last lines of a run: which tests it left out, and which command runs them.
const { readdirSync } = require('node:fs');
const { join } = require('node:path');

const TESTS = join(__dirname, '..');
const filesIn = (folder) =>
  readdirSync(join(TESTS, folder), { recursive: true }).filter((path) => path.endsWith('.test.ts')).length;

/** The folders that `npm run test:all` runs. */
const ALL = readdirSync(TESTS, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'chance' && filesIn(entry.name) > 0)
  .map(({ name }) => name);

module.exports = class LeftOut {
  onRunComplete(contexts, { numPendingTests }) {
    const run = new Set([...contexts].map(({ config }) => config.displayName?.name));
    const left = ALL.filter((folder) => !run.has(folder)).map((folder) => `${folder} (${filesIn(folder)} files)`);
    const databases = process.env.TEST_DATABASES || 'server';
    const other = { server: 'the built-in database', embedded: 'a PostgreSQL server' }[databases];
    if (run.has('contract') && other) left.unshift(`what depends on the database, on ${other}`);
    if (run.has('unit') && process.env.EVERY_CUT !== 'true') left.unshift('recordings with every cut');
    if (run.has('contract') && left.length > 0) console.log(`Left to \`npm run test:all\`: ${left.join(', ')}.`);
    if (numPendingTests > 0)
      console.log(`Skipped: ${numPendingTests} tests, which need a program that is missing here.`);
  }
};
