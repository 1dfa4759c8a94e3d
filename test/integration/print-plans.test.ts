// Plans that slicers send, through the graph: what is recorded, what is refused and why, and what is forgotten.
import { describeOnDatabases } from '../support/databases';
import { expectCode, expectData, type Parsed, test, useGateway } from '../support/gateway';

const RECORD = 'mutation ($input: RecordPlanInput!) { recordPlan(input: $input) { name plates recordedAt } }';
const SLOT = { slot: 1, mm: '241.030', grams: '0.72' };
const PLATE = { plate: 1, seconds: 865, slots: [SLOT], layers: [{ layer: 1, mm: ['120.5'] }] };

const REFUSED: [what: string, members: Parsed, path: (string | number)[], message: string][] = [
  ['no name', { fileName: '' }, ['fileName'], 'must not be empty'],
  ['a folder', { fileName: 'parts/' }, ['fileName'], 'must end with the name of a file'],
  ['a name of blanks', { fileName: 'parts/  ' }, ['fileName'], 'must end with the name of a file'],
  ['a name of points', { fileName: '..' }, ['fileName'], 'must end with the name of a file'],
  ['a long name', { fileName: 'x'.repeat(501) }, ['fileName'], 'must end with a name of at most 500 characters'],
  ['a long path', { fileName: 'x/'.repeat(501) }, ['fileName'], 'must have at most 1000 characters'],
  ['no plate', { plates: [] }, ['plates'], 'must have 1 to 100 plates'],
  ['plate 0', plate({ plate: 0 }), ['plates', 0, 'plate'], 'must be a whole number from 1 to 999'],
  ['no time', plate({ seconds: 0 }), ['plates', 0, 'seconds'], 'must be a whole number from 1 to 2147483647'],
  ['slot 0', slot({ slot: 0 }), ['plates', 0, 'slots', 0, 'slot'], 'must be a whole number from 1 to 999'],
  ['no length', slot({ mm: 0 }), ['plates', 0, 'slots', 0, 'mm'], 'must be above 0'],
  ['a weight below 0', slot({ grams: '-1' }), ['plates', 0, 'slots', 0, 'grams'], 'must be above 0'],
  ['a long length', slot({ mm: '10000000.1' }), ['plates', 0, 'slots', 0, 'mm'], 'must be at most 10000000'],
  [
    'a slot twice',
    plate({ slots: [SLOT, SLOT], layers: null }),
    ['plates', 0, 'slots', 1, 'slot'],
    'must be another one than 1, which is there already',
  ],
  [
    'a plate twice',
    { plates: [PLATE, PLATE] },
    ['plates', 1, 'plate'],
    'must be another one than 1, which is there already',
  ],
  [
    '65 slots',
    plate({ slots: Array.from({ length: 65 }, (_, at) => ({ slot: at + 1 })) }),
    ['plates', 0, 'slots'],
    'must have at most 64 slots',
  ],
  ['no layers', plate({ layers: [] }), ['plates', 0, 'layers'], 'must be null or have 1 to 500 layers'],
  ['layer 0', layers([0, '1']), ['plates', 0, 'layers', 0, 'layer'], 'must be a whole number from 1 to 100000'],
  [
    'a layer twice',
    layers([2, '1'], [2, '1']),
    ['plates', 0, 'layers', 1, 'layer'],
    'must be above that of the layer before',
  ],
  [
    'a layer without amounts',
    layers([1]),
    ['plates', 0, 'layers', 0, 'mm'],
    'must have an amount for each of slots: 1',
  ],
  ['a negative layer', layers([1, '-1']), ['plates', 0, 'layers', 0, 'mm'], 'must not be negative'],
  [
    'a layer with less than the one before',
    layers([1, '2'], [2, '1.99']),
    ['plates', 0, 'layers', 1, 'mm', 0],
    'must not be below that of the layer before',
  ],
];

describeOnDatabases('plans of slicers', (kind) => {
  const gateway = useGateway(kind);
  beforeEach(() => gateway.sql('delete from print_plans'));
  const record = (fileName: unknown, ...plates: Parsed[]) => gateway.graphql(RECORD, { input: { fileName, plates } });
  const rows = () => gateway.sql('select name, plate, seconds, slots, layers from print_plans order by name, plate');

  test('are recorded by the base name of their file and their plates, digit for digit', async () => {
    const answer = expectData(await record('C:\\parts\\ca\u0308be.gcode.3mf', PLATE, { plate: 3, slots: [] }));
    expect(answer.recordPlan).toEqual({ name: 'cäbe', plates: [1, 3], recordedAt: expect.any(String) });
    expect(await rows()).toEqual([
      { name: 'cäbe', ...PLATE },
      { name: 'cäbe', plate: 3, seconds: null, slots: [], layers: null },
    ]);
  });

  test('are replaced by newer ones of the same name and plate', async () => {
    expectData(await record('a/part.gcode', PLATE, { ...PLATE, plate: 2 }));
    expectData(await record('b/part.bgcode', { plate: 1, slots: [{ slot: 4, grams: 1.5 }] }));
    expect(await rows()).toMatchObject([
      { name: 'part', plate: 1, seconds: null, slots: [{ slot: 4, mm: null, grams: '1.5' }], layers: null },
      { name: 'part', plate: 2, seconds: 865 },
    ]);
  });

  test('of many writers of one file at once are all recorded', async () => {
    const plates = [1, 2, 3].map((plate) => ({ ...PLATE, plate }));
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) => record('part.gcode', ...(at % 2 === 0 ? plates : plates.toReversed()))),
    );
    for (const answer of answers) expectData(answer);
    expect(await rows()).toHaveLength(3);
  });

  for (const [what, members, path, message] of REFUSED) {
    test(`with ${what} are refused, and nothing is recorded`, async () => {
      const answer = await gateway.graphql(RECORD, { input: { fileName: 'part.gcode', plates: [PLATE], ...members } });
      expectCode(answer, 'BAD_USER_INPUT');
      expect(answer.errors.flatMap(({ extensions }) => extensions['issues'])).toEqual([
        { path: ['input', ...path], message },
      ]);
      expect(await rows()).toEqual([]);
    });
  }

  test('name all faults together', async () => {
    const input = {
      fileName: '/',
      plates: [
        { plate: 1, slots: [{ slot: 0, mm: 0 }] },
        { plate: 0, slots: [] },
      ],
    };
    const answer = await gateway.graphql(RECORD, { input });
    const issues = answer.errors.flatMap(({ extensions }) => extensions['issues'] as { path: unknown[] }[]);
    expect(issues.map(({ path }) => path.join('.'))).toEqual([
      'input.fileName',
      'input.plates.0.slots.0.slot',
      'input.plates.0.slots.0.mm',
      'input.plates.1.plate',
    ]);
  });

  test('are forgotten after 30 days', async () => {
    expectData(await record('old.gcode', PLATE));
    expectData(await record('part.gcode', PLATE));
    await gateway.sql("update print_plans set recorded_at = now() - interval '30 days 1 second' where name = 'old'");
    await gateway.restart();
    expect(await gateway.sql('select name from print_plans')).toEqual([{ name: 'part' }]);
  });
});

function plate(members: Parsed): Parsed {
  return { plates: [{ ...PLATE, ...members }] };
}

function slot(members: Parsed): Parsed {
  return plate({ slots: [{ ...SLOT, ...members }] });
}

function layers(...points: [layer: number, ...mm: string[]][]): Parsed {
  return plate({ layers: points.map(([layer, ...mm]) => ({ layer, mm })) });
}
