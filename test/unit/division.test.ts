// How the form that divides a job computes: the sums of the job are held to the digit.
import { calculateRemainder, convertAmounts, fillLastAmount, toPartInputs } from '../../src/web/jobs/divide-amounts';

const PLA = { filamentDiameterMm: '1.75', material: { densityGPerCm3: '1.24' } };
const TPU = { filamentDiameterMm: '1.75', material: { densityGPerCm3: '0.62' } };
const TOTALS = { mmExtruded: '1000.001', gramsDerived: '3.05' };

const partsOf = (...amounts: string[]) => amounts.map((amount, key) => ({ key, spoolId: `${key}`, slot: '', amount }));

test.each([
  ['10', ['3', '4'], '3'],
  ['0.3', ['0.1', '0.1'], '0.1'],
  ['1000000000000000.01', ['0.001'], '1000000000000000.009'],
  ['1', ['1.5'], '-0.5'],
  ['1', ['-.5', '+1.'], '0.5'],
  ['1', [''], '1'],
  ['1', ['1e3'], ''],
  ['1', ['one'], ''],
])('of %s, %j leave %s', (total, others, rest) => expect(calculateRemainder(total, others)).toBe(rest));

test('the last part has the rest, whatever was its own', () =>
  expect(fillLastAmount(partsOf('1', '1', '9'), '3.05')).toEqual(['1', '1', '1.05']));

test('grams are divided as they are said, and their millimetres add up to those of the job', () =>
  expect(toPartInputs('grams', partsOf('1', '1', ''), [PLA, PLA, PLA], TOTALS)).toEqual([
    { spoolId: '0', slot: null, mmExtruded: '327.86', gramsDerived: '1' },
    { spoolId: '1', slot: null, mmExtruded: '327.86', gramsDerived: '1' },
    { spoolId: '2', slot: null, mmExtruded: '344.281', gramsDerived: '1.05' },
  ]));

test('a gram of a lighter filament is more millimetres', () =>
  expect(convertAmounts('grams', ['1', '1'], [PLA, TPU], { ...TOTALS, mmExtruded: '300' })).toEqual([
    '100.00',
    '200.00',
  ]));

test('millimetres go without grams, which the gateway computes', () =>
  expect(toPartInputs('mm', partsOf('400', ''), [PLA, TPU], TOTALS)).toEqual([
    { spoolId: '0', slot: null, mmExtruded: '400' },
    { spoolId: '1', slot: null, mmExtruded: '600.001' },
  ]));

test('what is no number goes to the gateway, which says so', () =>
  expect(toPartInputs('grams', partsOf('x', ''), [PLA, PLA], TOTALS)).toMatchObject([
    { mmExtruded: '0.00', gramsDerived: 'x' },
    { mmExtruded: '1000.001', gramsDerived: '' },
  ]));
