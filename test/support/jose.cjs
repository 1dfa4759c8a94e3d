// jose for tests. It has ES modules alone, which Jest's own loader cannot require, and Node can.
module.exports = requireOutside('jose');
