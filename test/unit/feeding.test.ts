// The length that each slot of a print fed: differences of one counter, open lengths, and where the plan decides.
import Decimal from 'decimal.js';
import fc from 'fast-check';
import { combineCourses, continueCourse } from '../../src/farm/print-rules/course';
import { divideMeasured } from '../../src/farm/print-rules/measured-amounts';
import { type Course, type Feeding, type FollowedPrint, NO_FIGURES } from '../../src/farm/print-rules/print.model';
import { MAX_SEGMENTS } from '../../src/farm/print-rules/segments';
import { PRINTER_KINDS } from '../../src/kind-facts';
import { createEmptyReading } from '../../src/machines/machine-adapter';
import { moonraker } from '../../src/machines/moonraker/adapter';
import { appendFeeding, startFeeding } from '../../src/machines/moonraker/slots';
import { NO_STATUS, type Status } from '../../src/machines/moonraker/status';
import { MoonrakerMachine } from '../recordings/moonraker/machine';
import { instant } from '../recordings/recording';
import { AdapterRun } from '../support/adapter-run';
import { segment } from '../support/courses';
import { Replay } from '../support/replay';

const createStatus = (tool: number, mm: Decimal, position: Decimal): Status => ({
  ...NO_STATUS,
  slot: `tool:${tool}`,
  mm: mm.toFixed(),
  position: position.toNumber(),
});
const PRINT: FollowedPrint = {
  externalId: null,
  name: 'cube.gcode',
  filePath: null,
  startedAt: instant(0),
  startedAtEstimated: false,
  plan: null,
  paused: false,
  lost: false,
  seenAt: instant(0),
  ...NO_FIGURES,
  measured: [],
  course: null,
  machine: PRINTER_KINDS.MOONRAKER,
  ordinal: 1,
  feeding: null,
  savedAt: instant(0),
};
/** @param last the last reading of this connection */
const finishCourse = (course: Course | null, last: Feeding | null, feeding: Feeding): Course => {
  const before = { ...PRINT, course, feeding: last, ordinal: last === null ? null : 1 };
  return continueCourse(before, PRINT, { ...createEmptyReading(1), feeding }, instant(1)) as Course;
};
const sumBySlot = ({ stretches }: Course) => {
  const by: Record<string, string> = {};
  for (const { slot, mm } of stretches)
    by[slot ?? 'open'] = new Decimal(mm as string).plus(by[slot ?? 'open'] ?? 0).toFixed();
  return by;
};
/** @param open the length that belongs to no known slot */
const createFed = (by: Record<string, string>, open: string): Course => ({
  stretches: [
    ...Object.entries(by).map(([slot, mm]) => segment(slot, [0, 10], [null, null], mm)),
    ...(open === '0' ? [] : [segment(null, [0, 10], [null, null], open)]),
  ],
  measure: { mm: '0', slot: null, mark: null },
});

test('whatever is fed, and whenever the process is killed, all of it has a slot or is open, and no slot has too much', () => {
  const step = fc.record({
    tool: fc.nat(2),
    tenths: fc.integer({ min: 0, max: 100 }),
    isHeard: fc.boolean(),
    isKilled: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 40 }), (steps) => {
      const positions = [new Decimal(0), new Decimal(0), new Decimal(0)];
      let mm = new Decimal(0);
      let row: Course | null = null;
      let heard = startFeeding(createStatus(0, mm, mm));
      row = finishCourse(row, null, heard.feeding);
      let told: typeof heard.feeding | null = heard.feeding;
      for (const { tool, tenths, isHeard, isKilled } of steps) {
        const length = new Decimal(tenths).div(10);
        positions[tool] = length.plus(positions[tool] as Decimal);
        mm = mm.plus(length);
        if (isKilled) told = null;
        if (!isHeard) continue;
        const status = createStatus(tool, mm, positions[tool] as Decimal);
        heard = told === null ? startFeeding(status) : appendFeeding(heard, status);
        row = finishCourse(row, told, heard.feeding);
        told = heard.feeding;
      }
      const by = sumBySlot(row);
      expect(row.stretches.length).toBeLessThanOrEqual(MAX_SEGMENTS);
      expect(Decimal.sum(0, ...Object.values(by)).toFixed()).toBe(row.measure?.mm);
      for (const [tool, position] of positions.entries())
        expect(Number(by[`tool:${tool}`] ?? 0)).toBeLessThanOrEqual(position.toNumber());
    }),
    { seed: 7, numRuns: 500 },
  );
});

test.each([
  ['only this tool fed', 0.9, 72, { 'tool:0': '80' }],
  ['another tool fed 10 mm', 1, 70, { 'tool:0': '70', open: '10' }],
  ['the extruder moved during a pause, and may hide what other tools fed', 1, 85, { 'tool:0': '50', open: '30' }],
])('after a gap of 30 mm the position of the extruder shows that %s', (_, flow, position, expected) => {
  const status = (mm: string, at: number): Status => ({ ...createStatus(0, new Decimal(mm), new Decimal(at)), flow });
  const heard = appendFeeding(startFeeding(status('0', 0)), status('50', 50 * flow));
  const before = finishCourse(null, null, heard.feeding);
  expect(sumBySlot(finishCourse(before, null, startFeeding(status('80', position)).feeding))).toEqual(expected);
});

test('two records of one print together have what each of them received', () => {
  const before = createFed({ 'tool:0': '100' }, '5');
  const now = createFed({ 'tool:0': '10', 'tool:1': '20' }, '0');
  const unheard = segment(null, [0, 10], [null, null], '120');
  const together = combineCourses(
    { course: before, paused: false, seenAt: instant(10) },
    { ...now, stretches: [unheard, ...now.stretches] },
  ) as Course;
  expect(sumBySlot(together)).toEqual({ 'tool:0': '110', 'tool:1': '20', open: '20' });
});

const share = (amounts: Record<string, number>) =>
  Object.entries(amounts).map(([slot, mm]) => ({ slot, share: new Decimal(mm) }));

test.each<[string, Course, string | null, Record<string, number> | null, string[] | null, boolean]>([
  [
    'nothing open',
    createFed({ 'tool:1': '20', 'tool:0': '100' }, '0'),
    '120',
    { 'tool:0': 1, 'tool:1': 1 },
    ['100', '20'],
    true,
  ],
  [
    'by what each slot lacks of its share',
    createFed({ 'tool:0': '60' }, '60'),
    '120',
    { 'tool:0': 3, 'tool:1': 1 },
    ['90', '30'],
    false,
  ],
  [
    'a received length stays',
    createFed({ 'tool:0': '100' }, '20'),
    '120',
    { 'tool:0': 1, 'tool:1': 1 },
    ['100', '20'],
    false,
  ],
  ['nothing was received', createFed({}, '120'), '120', { 'tool:0': 3, 'tool:1': 1 }, ['90', '30'], false],
  [
    'the machine reported more later',
    createFed({ 'tool:0': '90' }, '0'),
    '120',
    { 'tool:0': 3, 'tool:1': 1 },
    ['90', '30'],
    false,
  ],
  [
    'without a plan, by what was received',
    createFed({ 'tool:0': '60', 'tool:1': '20' }, '40'),
    '120',
    null,
    ['90', '30'],
    false,
  ],
  ['without a plan, and nothing was received', createFed({}, '120'), '120', null, null, false],
  [
    'a slot that fed nothing',
    createFed({ 'tool:0': '60' }, '0'),
    '60',
    { 'tool:0': 3, 'tool:1': 1 },
    ['60', '0'],
    true,
  ],
  [
    'a slot that pulled back what it fed during a gap',
    createFed({ 'tool:0': '60', 'tool:1': '-2' }, '22'),
    '80',
    { 'tool:0': 3, 'tool:1': 1 },
    ['60', '20'],
    false,
  ],
  ['a unit that pulled back during a gap', createFed({ 'mmu:0': '60', 'mmu:1': '80' }, '-60'), '80', null, null, false],
])('an open length is divided: %s', (_, fed, total, planned, lengths, isComplete) => {
  const told = divideMeasured(fed, total, planned && share(planned));
  expect(told && { ...told, amounts: told.amounts.map(({ mm }) => mm) }).toEqual(
    lengths && { isComplete, amounts: lengths },
  );
});

test('if a Klipper resets its counter at each change, each tool has what it was seen to feed, as an estimate', async () => {
  const machine = new MoonrakerMachine();
  machine.up();
  machine.stayIdle().addExtruders().startPrint('two.gcode').print(30, 100, 0.3);
  machine.selectTool(1, 0, 0).print(20, 30, 0.4);
  machine.selectTool(0, 0, 100).print(20, 150, 1);
  machine.endPrint('complete', 'completed').stayIdle();
  const replayed = new Replay({ adapter: moonraker });
  for (const step of machine.steps) await replayed.playStep(step);
  expect(replayed.prints()).toMatchObject([{ filament: ['tool:0 150 - ESTIMATED', 'tool:1 30 - ESTIMATED'] }]);
});

test.each([
  [['print_stats', 'toolhead'], []],
  [['print_stats', 'toolhead', 'extruder1'], ['gcode_move']],
  [['print_stats', 'toolhead', 'mmu'], ['mmu']],
  ['no list', []],
])('on a printer with %j, the objects that only some printers have are subscribed to: %j', (objects, further) => {
  const listening = new AdapterRun(moonraker);
  listening.receive(1, { source: 'printer.objects.list', body: { objects } });
  const subscribed = listening.asks.find(({ ask }) => ask.source === 'printer.objects.subscribe');
  const usual = ['print_stats', 'virtual_sdcard', 'display_status', 'webhooks', 'toolhead', 'extruder1'];
  expect(Object.keys(subscribed?.ask.parameters['objects'] as object)).toEqual([...usual, ...further]);
});
