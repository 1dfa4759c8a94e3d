// The order in which files of tests begin. Jest's own, without a run before, is by size: the longest ones, which start processes
// and are short to read, would come last, and a worker would end with one of them alone.
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
