// The terms of the dashboard for amounts: the basis of each, and unknown grams.
import { basisName, isWeightUnknown } from '../../src/web/prints/amount-bases';

test.each([
  ['COMPLETED', 'MEASURED', 'measured by the printer'],
  ['RUNNING', 'MEASURED', 'measured so far'],
  ['RUNNING', 'PLANNED', 'planned by the slicer'],
  ['UNRESOLVED', 'ESTIMATED', 'measured until contact was lost'],
  ['UNRESOLVED', 'PLANNED', 'planned by the slicer, if completed'],
  ['UNRESOLVED', 'UNKNOWN', 'unknown'],
  ['FAILED', 'ESTIMATED', 'estimated'],
] as const)('in a print that is %s an amount that is %s is %j', (outcome, basis, words) => {
  expect(basisName(basis, outcome)).toBe(words);
});

test.each([
  ['0', 'UNKNOWN', true],
  ['0.00', 'UNKNOWN', true],
  ['0', 'MEASURED', false],
  ['0', 'MANUAL', false],
  // One slot of two.
  ['5', 'UNKNOWN', false],
] as const)('%s g that are %s: shown as unknown, %j', (gramsDerived, filamentBasis, expected) => {
  expect(isWeightUnknown({ gramsDerived, filamentBasis })).toBe(expected);
});
