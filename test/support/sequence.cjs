// Orders the test files. Jest orders by size if it knows no earlier run: the slowest files, which start processes
// and have few lines, would come last, and a worker would end with one of them alone.
const { statSync } = require('node:fs');

const LONGEST_FIRST = ['e2e', 'browser', 'database', 'server', 'unit'];

module.exports = class {
  sort(tests) {
    const rank = ({ context }) =>
      LONGEST_FIRST.indexOf(context.config.displayName.name) + 1 || LONGEST_FIRST.length + 1;
    const size = ({ path }) => statSync(path).size;
    return [...tests].sort((one, other) => rank(one) - rank(other) || size(other) - size(one));
  }

  cacheResults() {}
};
