// How a job is divided: sums to the digit, the spool and part of the job, the order of parts, and what a request for the whole keeps.
import {
  chooseJobSpool,
  type DerivationValues,
  deriveParts,
  keepsParts,
  sortParts,
  subtractAmounts,
  sumAmounts,
} from '../../src/farm/print-jobs/part-amounts';
import type { JobPart } from '../../src/farm/print-jobs/print-job.rows';
import fc from '../support/generated';

const part = (members: Partial<JobPart>): JobPart => ({
  spoolId: 'a',
  slot: null,
  fromLayer: null,
  toLayer: null,
  mmExtruded: '1000',
  gramsDerived: '1',
  cost: '0',
  filamentDiameterAtPrintMm: '1.75',
  materialDensityAtPrint: '1.24',
  filamentBasis: 'MANUAL',
  ...members,
});

test.each([
  [[], '0'],
  [['1.50', '2'], '3.50'],
  [
    ['999999999999999999.9999999999999999999999999999', '0.0000000000000000000000000001'],
    '1000000000000000000.0000000000000000000000000000',
  ],
])('the sum of %j is %s', (amounts, sum) => expect(sumAmounts(amounts)).toBe(sum));

test('the job’s own part and the others add up to the whole, to the digit', () => {
  const amount = fc.tuple(fc.bigInt({ min: 0n, max: 10n ** 18n - 1n }), fc.integer({ min: 0, max: 9999 }));
  fc.assert(
    fc.property(amount, fc.array(amount, { maxLength: 63 }), (own, others) => {
      const text = ([whole, rest]: [bigint, number]) => `${whole}.${String(rest).padStart(4, '0')}`;
      const texts = others.map(text);
      const total = sumAmounts([text(own), ...texts]);
      expect(sumAmounts([subtractAmounts(total, texts), ...texts, '0.0000'])).toBe(total);
    }),
  );
});

test('the job’s own part is 0 if the total was lowered below the other parts', () => {
  expect(subtractAmounts('3', ['2', '1.5'])).toBe('0.0');
});

test('the spool of the job comes first, then slots by number, parts without a slot last, then layers', () => {
  const parts = [
    part({ spoolId: 'b', slot: null }),
    part({ spoolId: 'c', slot: 'ams:0:10' }),
    part({ spoolId: 'd', slot: 'ams:0:2', fromLayer: 90 }),
    part({ spoolId: 'e', slot: 'ams:0:2', fromLayer: 1 }),
    part({ spoolId: 'a', slot: 'tool:1' }),
    part({ spoolId: 'a', slot: 'tool:0' }),
  ];
  const names = sortParts(parts, 'a').map(({ spoolId, slot, fromLayer }) => `${spoolId} ${slot} ${fromLayer}`);
  expect(names).toEqual([
    'a tool:0 null',
    'a tool:1 null',
    'e ams:0:2 1',
    'd ams:0:2 90',
    'c ams:0:10 null',
    'b null null',
  ]);
});

test.each([
  ['a part has it', [part({ spoolId: 'b', gramsDerived: '9' }), part({ spoolId: 'a' })], 'a'],
  [
    'the most grams, as a number',
    [part({ spoolId: 'b', gramsDerived: '9' }), part({ spoolId: 'c', gramsDerived: '10' })],
    'c',
  ],
  [
    'the lowest slot of equal ones',
    [part({ spoolId: 'b', slot: 'ams:0:10' }), part({ spoolId: 'c', slot: 'ams:0:2', gramsDerived: '1.0' })],
    'c',
  ],
])('the spool of a job of spool a: %s', (_why, parts, spool) => expect(chooseJobSpool(parts, 'a')).toBe(spool));

test('a request for the whole job keeps the parts if it repeats spool and amounts; digits may differ', () => {
  const stored = { spoolId: 'a', mmExtruded: '10.50', gramsDerived: '3', costPerPrint: '1' };
  expect(keepsParts(stored, { ...stored, mmExtruded: '10.5' }, false)).toBe(true);
  expect(keepsParts(stored, { ...stored, gramsDerived: '4', costPerPrint: '9' }, true)).toBe(true);
  for (const other of [{ spoolId: 'b' }, { mmExtruded: '10.51' }, { gramsDerived: '3.01' }, { costPerPrint: '2' }])
    expect(keepsParts(stored, { ...stored, ...other }, false)).toBe(false);
  for (const other of [{ spoolId: 'b' }, { mmExtruded: '10.51' }])
    expect(keepsParts(stored, { ...stored, ...other }, true)).toBe(false);
});

describe('amounts by the formulas', () => {
  const spool = {
    filamentDiameterMm: '1.75',
    weightTotalGrams: '1000',
    purchasePrice: '25',
    material: { densityGPerCm3: '1.24' },
  };
  const petg = { ...spool, purchasePrice: null, material: { densityGPerCm3: '1.27' } };

  test('follow the spool of each part; a part without a price costs 0', () => {
    const parts = deriveParts(
      [
        { part: part({}), spool },
        { part: part({}), spool: petg },
      ],
      '7',
    );
    expect(
      parts.map(({ gramsDerived, cost, materialDensityAtPrint }) => [gramsDerived, cost, materialDensityAtPrint]),
    ).toEqual([
      ['2.98', '0.0745', '1.24'],
      ['3.05', '0', '1.27'],
    ]);
  });

  test('a price counts for the job, also if its part used nothing', () => {
    const nothing = { part: part({ mmExtruded: '0' }), spool };
    const costs = (last: { part: JobPart; spool: DerivationValues }) =>
      deriveParts([nothing, last], '7').map(({ cost }) => cost);
    expect(costs({ part: part({}), spool: petg })).toEqual(['0', '0']);
    expect(costs(nothing)).toEqual(['7', '0']);
  });

  test('if no spool has a price, the job’s own part has the cost that was given', () => {
    const parts = deriveParts(
      [
        { part: part({}), spool: petg },
        { part: part({}), spool: null },
      ],
      '7.50',
    );
    expect(parts.map(({ cost }) => cost)).toEqual(['7.50', '0']);
  });
});
