// Adds up the tests of the Jest results that it is given, prints them as one line, and fails unless all of them passed.
const { existsSync, readFileSync } = require('node:fs');

let passed = 0;
let failed = 0;
let skipped = 0;
for (const file of process.argv.slice(2)) {
  if (!existsSync(file)) {
    // Jest did not get as far as writing it.
    failed += 1;
    continue;
  }
  const result = JSON.parse(readFileSync(file, 'utf8'));
  passed += result.numPassedTests;
  // A file that does not load has no tests to count.
  failed += result.numFailedTests + result.numRuntimeErrorTestSuites;
  skipped += result.numPendingTests + result.numTodoTests;
}
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
// A test that is skipped has shown nothing.
process.exitCode = failed + skipped === 0 && passed > 0 ? 0 : 1;
