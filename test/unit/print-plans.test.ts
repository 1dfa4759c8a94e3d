// How a print finds the plan of its slicer, and which slots of the printer the slicer's slots map to.
import { DeadlineExceeded } from '../../src/errors';
import { PrintPlanService } from '../../src/farm/print-plans/print-plan.service';
import type { PrintPlanStore } from '../../src/farm/print-plans/print-plan.store';
import { calculateFilament } from '../../src/farm/print-rules/amounts';
import { type FilamentPlan, NO_FIGURES, type RunningPrint } from '../../src/farm/print-rules/print.model';
import {
  completePlan,
  contradicts,
  planKeysOf,
  planName,
  type SlotLayer,
} from '../../src/farm/print-rules/sliced-plan';
import { PRINTER_KINDS } from '../../src/kind-facts';
import { createCourse } from '../support/courses';
import { requestAt } from '../support/request-time';

const { BAMBU, MOONRAKER } = PRINTER_KINDS;

test.each([
  ['part.gcode', 'part'],
  ['part.bgcode', 'part'],
  ['part.gcode.3mf', 'part'],
  ['part', 'part'],
  ['part.v2.gcode', 'part.v2'],
  ['a/b/part.gcode', 'part'],
  ['C:\\prints\\part.gcode', 'part'],
  ['ca\u0308be.gcode', 'c\u00e4be'],
  ['part.stl.gcode', 'part.stl'],
  ['.gcode', '.gcode'],
])('the file %j is called %j', (path, name) => expect(planName(path)).toBe(name));

test.each<[string, string | null, [string, number][]]>([
  ['part.gcode', null, [['part', 1]]],
  ['part.gcode', 'usb/part.gcode', [['part', 1]]],
  [
    'A long name.bgcode',
    '/usb/ALONGN~1.BGC',
    [
      ['A long name', 1],
      ['ALONGN~1.BGC', 1],
    ],
  ],
  ['cube', 'cube/plate_2.gcode', [['cube', 2]]],
  [
    'cube_plate_2',
    'cube_plate_2/plate_2.gcode',
    [
      ['cube_plate_2', 2],
      ['cube_plate_2', 1],
      ['cube', 2],
    ],
  ],
  ['cube_plate_2', 'cube_plate_2/plate_12.gcode', [['cube_plate_2', 12]]],
])('a print %j of %j searches for %j', (name, filePath, keys) => {
  expect(planKeysOf({ name, filePath, machine: BAMBU })).toEqual(keys.map(([one, plate]) => ({ name: one, plate })));
});

test('a machine without plates may have a file with such a name', () => {
  const print = { name: 'cube_plate_2.gcode', filePath: 'usb/plate_2.gcode', machine: MOONRAKER };
  expect(planKeysOf(print)).toEqual([
    { name: 'cube_plate_2', plate: 1 },
    { name: 'plate_2', plate: 1 },
  ]);
});

const createSliced = (...slots: [slot: number, mm: string | null, grams: string | null][]) => ({
  seconds: 60,
  slots: slots.map(([slot, mm, grams]) => ({ slot, mm, grams })),
  layers: null,
});
const createFilamentPlan = (slots: string[], mapping?: (string | null)[]): FilamentPlan => ({
  seconds: null,
  slots: slots.map((slot) => ({ slot, mm: null, grams: null })),
  ...(mapping && { mapping }),
});
const ONE = createSliced([3, '10', '1']);
const TWO = createSliced([1, '10', '1'], [3, '0.1', null]);

test.each<[string, FilamentPlan | null, string[], ReturnType<typeof createSliced>, boolean, string[] | null]>([
  ['tools by their numbers', null, [], TWO, true, ['tool:0 10 1', 'tool:2 0.1 -']],
  ['by the mapping', createFilamentPlan(['a', 'b'], ['b', null, 'a']), [], TWO, false, ['b 10 1', 'a 0.1 -']],
  ['two filaments of one slot', createFilamentPlan(['a', 'b'], ['a', 'b', 'a']), [], TWO, false, ['a 10.1 -']],
  ['a mapping that is too short', createFilamentPlan(['a', 'b'], ['a', 'b']), [], TWO, false, null],
  ['the only slot', createFilamentPlan(['a']), [], TWO, false, ['a 10.1 -']],
  ['slots without a mapping', createFilamentPlan(['a', 'b']), ['a'], ONE, false, null],
  ['the slot that feeds', null, ['a', 'b'], ONE, false, ['a 10 1']],
  ['the slot that feeds, of two filaments', null, ['a'], TWO, false, null],
  ['a plan without slots', null, ['a'], createSliced(), true, null],
])('slots: %s', (_, plan, slots, sliced, toolsAreSlicerSlots, expected) => {
  const machine = { ...MOONRAKER, toolsAreSlicerSlots };
  const completion = completePlan({ plan, course: createCourse(...slots), machine }, sliced);
  const amounts = completion?.plan.slots.map(({ slot, mm, grams }) => `${slot} ${mm ?? '-'} ${grams ?? '-'}`) ?? null;
  expect(amounts).toEqual(expected);
  // The completed plan maps to itself, as after a restart.
  if (completion !== null) {
    expect(completePlan({ plan: completion.plan, course: createCourse(...slots), machine }, sliced)).toEqual(
      completion,
    );
  }
});

test('a table has the slots of the printer', () => {
  const layers = [
    { layer: 1, mm: ['1', '0'] },
    { layer: 7, mm: ['10', '0.1'] },
  ];
  expect(completePlan({ plan: null, course: null, machine: MOONRAKER }, { ...TWO, layers })?.layers).toEqual([
    { layer: 1, mm: { 'tool:0': '1', 'tool:2': '0' } },
    { layer: 7, mm: { 'tool:0': '10', 'tool:2': '0.1' } },
  ]);
  expect(
    completePlan({ plan: createFilamentPlan(['a']), course: null, machine: BAMBU }, { ...TWO, layers })?.layers,
  ).toEqual([
    { layer: 1, mm: { a: '1' } },
    { layer: 7, mm: { a: '10.1' } },
  ]);
});

test('a plan is written without a wait after its request, and a late plan is not written', async () => {
  let written = 0;
  const record = async () => {
    written += 1;
  };
  const service = new PrintPlanService({ record } as unknown as PrintPlanStore, true);
  const input = { fileName: 'part.gcode', plates: [{ plate: 1, seconds: null, slots: [], layers: null }] };
  // The transaction of a key is open meanwhile, so a wait for a turn of the event loop would delay all other requests.
  const turned = new Promise((resolve) => setImmediate(() => resolve(written)));
  await Promise.all(Array.from({ length: 16 }, () => service.record(input, requestAt('2026-11-20T08:30:00.000Z'))));
  expect(await turned).toBe(16);
  const late = { ...requestAt('2026-11-20T08:30:00.000Z'), deadline: -1 };
  await expect(service.record(input, late)).rejects.toThrow(DeadlineExceeded);
  expect(written).toBe(16);
});

const SHOWN = { layers: null, remainingSec: null, progressBasis: 'TIME' as const, counter: null };
const counted = (seconds: number) => ({ counter: { seconds, countsPauses: true } });
test.each<[string, Partial<typeof SHOWN | RunningPrint>, number | null, number | null, boolean]>([
  ['50 layers', { layers: 50 }, 900, null, true],
  ['900 layers', { layers: 900 }, 50, null, true],
  ['60 layers', { layers: 60 }, 50, null, true],
  ['5 layers more', { layers: 25 }, 20, null, false],
  ['a tenth more layers', { layers: 990 }, 900, null, false],
  ['no layers', {}, 900, null, false],
  ['layers, of a plan without', { layers: 50 }, null, null, false],
  ['five hours in all', { remainingSec: 9000, ...counted(9000) }, null, 3600, true],
  ['four hours in all', { remainingSec: 7200, ...counted(7200) }, null, 3600, false],
  ['half an hour in all', { remainingSec: 60, ...counted(1740) }, null, 36_000, true],
  ['half an hour at its end', { remainingSec: 0, ...counted(1800) }, null, 36_000, true],
  ['three hours in all', { remainingSec: 60, ...counted(9000) }, null, 36_000, false],
  ['five hours left, and no counter', { remainingSec: 18_000 }, null, 3600, false],
  [
    'a guess from the share of the file',
    { remainingSec: 99_000, ...counted(1), progressBasis: 'FILE' },
    null,
    3600,
    false,
  ],
  ['a time, of a plan without', { remainingSec: 99_000, ...counted(1) }, null, null, false],
])('a printer that shows %s', (_, shown, layer, seconds, expected) => {
  const layers = layer === null ? null : [{ layer, mm: ['1'] }];
  expect(contradicts({ ...SHOWN, ...shown }, { ...ONE, seconds, layers })).toBe(expected);
});

const TABLE: SlotLayer[] = [
  { layer: 2, mm: { a: '10', b: '0' } },
  { layer: 5, mm: { a: '20.5', b: '0' } },
  { layer: 9, mm: { a: '101', b: '3' } },
];

test.each([
  [1, '5', '0.05', '0'],
  [2, '10', '0.1', '0'],
  [5, '20.5', '0.2', '0'],
  [7, '60.75', '0.61', '1.5'],
  [40, '100', '1', '3'],
])('at layer %i the table gives %s mm and %s g of one slot, and %s mm of another', (layer, mm, grams, other) => {
  const slots = [
    { slot: 'a', mm: '100', grams: '1' },
    { slot: 'b', mm: '3', grams: null },
  ];
  const print = {
    ...NO_FIGURES,
    measured: [],
    course: null,
    plan: { seconds: null, slots },
    layer,
    layers: 40,
  };
  const facts = { ...print, machine: MOONRAKER };
  expect(calculateFilament(facts, 'CANCELLED', TABLE)).toEqual([
    { slot: 'a', mm, grams, basis: 'ESTIMATED' },
    { slot: 'b', mm: other, grams: null, basis: 'ESTIMATED' },
  ]);
  expect(calculateFilament(facts, 'COMPLETED', TABLE)).toMatchObject([{ mm: '100', basis: 'PLANNED' }, { mm: '3' }]);
});
