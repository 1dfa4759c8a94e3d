// How the form that divides a job computes: the parts add up to the job, to the digit.
import { calculateRemainder, convertAmounts, fillLastAmount, toPartInputs } from '../../src/web/jobs/divide-amounts';

const PLA = { filamentDiameterMm: '1.75', material: { densityGPerCm3: '1.24' } };
const TPU = { filamentDiameterMm: '1.75', material: { densityGPerCm3: '0.62' } };
const TOTALS = { mmExtruded: '1000.001', gramsDerived: '3.05' };

const createParts = (...amounts: string[]) =>
  amounts.map((amount, key) => ({ key, spoolId: `${key}`, slot: '', amount }));

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

test('the last part gets the remainder, whatever was entered for it', () =>
  expect(fillLastAmount(createParts('1', '1', '9'), '3.05')).toEqual(['1', '1', '1.05']));

test('grams are divided as entered, and their millimetres add up to those of the job', () =>
  expect(toPartInputs('grams', createParts('1', '1', ''), [PLA, PLA, PLA], TOTALS)).toEqual([
    { spoolId: '0', slot: null, mmExtruded: '327.86', gramsDerived: '1' },
    { spoolId: '1', slot: null, mmExtruded: '327.86', gramsDerived: '1' },
    { spoolId: '2', slot: null, mmExtruded: '344.281', gramsDerived: '1.05' },
  ]));

test('a gram of a lighter filament is more millimetres', () =>
  expect(convertAmounts('grams', ['1', '1'], [PLA, TPU], { ...TOTALS, mmExtruded: '300' })).toEqual([
    '100.00',
    '200.00',
  ]));

test('millimetres are sent without grams, which the gateway computes', () =>
  expect(toPartInputs('mm', createParts('400', ''), [PLA, TPU], TOTALS)).toEqual([
    { spoolId: '0', slot: null, mmExtruded: '400' },
    { spoolId: '1', slot: null, mmExtruded: '600.001' },
  ]));

test('a text that is not a number is sent to the gateway, which refuses it', () =>
  expect(toPartInputs('grams', createParts('x', ''), [PLA, PLA], TOTALS)).toMatchObject([
    { mmExtruded: '0.00', gramsDerived: 'x' },
    { mmExtruded: '1000.001', gramsDerived: '' },
  ]));
