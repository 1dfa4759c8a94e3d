// The rules of observed prints, for cases that would need a long recording: counters, amounts, jobs, states, and invalid input.
import fc from 'fast-check';
import { calculateFilament, calculateGrams } from '../../src/farm/print-rules/amounts';
import { evaluate, evaluateSilence } from '../../src/farm/print-rules/evaluation';
import { chooseJob, chooseSpoolOfFedSlot, chooseSpoolsOfClaimedJob } from '../../src/farm/print-rules/job-choice';
import {
  type Amount,
  followFromRow,
  type PrintReading,
  type Reading,
  type RunningPrint,
  type StateReading,
} from '../../src/farm/print-rules/print.model';
import { isDue, toOffline, toPrinterState } from '../../src/farm/printer-states/printer-state.status';
import type { JobAmounts } from '../../src/farm/prints/job-amounts.service';
import { chooseNotes } from '../../src/farm/prints/job-notes';
import { PRINTER_KINDS } from '../../src/kind-facts';
import { addToQueue, isFlood } from '../../src/machines/collector/waiting-readings';
import { createEmptyReading } from '../../src/machines/machine-adapter';
import { readGrams as gramsIn, readMillimetres } from '../../src/machines/message-values';
import { moonraker } from '../../src/machines/moonraker/adapter';
import { type Job, readJob, toRecord } from '../../src/machines/moonraker/history';
import { MoonrakerMachine } from '../recordings/moonraker/machine';
import { MOONRAKER } from '../recordings/moonraker/recordings';
import { OCTOPRINT } from '../recordings/octoprint/recordings';
import { PRUSALINK } from '../recordings/prusalink/recordings';
import { instant, type Recording } from '../recordings/recording';
import { createCourse } from '../support/courses';
import { Replay } from '../support/replay';

const machine = PRINTER_KINDS.MOONRAKER;
const row: RunningPrint = {
  externalId: null,
  name: 'cube.gcode',
  filePath: 'cube.gcode',
  startedAt: instant(0),
  startedAtEstimated: false,
  plan: { seconds: 4000, slots: [{ slot: 'tool:0', mm: '1000', grams: '2.98' }] },
  paused: false,
  lost: false,
  seenAt: instant(1000),
  counter: { seconds: 1000, countsPauses: false },
  progress: '0.25',
  progressBasis: 'FILE',
  remainingSec: 3000,
  layer: null,
  layers: null,
  measured: [],
  course: null,
  machine,
};

const state = (at: number, print: Partial<PrintReading>): StateReading => ({
  kind: 'STATE',
  at: instant(at),
  activity: 'PRINTING',
  message: null,
  isPausedByUser: false,
  print: { ...createEmptyReading(1), name: 'cube.gcode', filePath: 'cube.gcode', ...print },
});

/** The decision if a reading is the first of a connection. */
function afterGap(before: Partial<RunningPrint>, reading: StateReading): string[] {
  const known = {
    running: followFromRow({ ...row, ...before }),
    ended: [],
    lastContactAt: instant(1000),
    addedAt: instant(0),
    machine,
  };
  return evaluate(known, reading).decisions.flatMap((decision) => (decision.do === 'SIGHTING' ? [] : [decision.do]));
}

const counter = (seconds: number) => ({ counter: { seconds, countsPauses: false } });

describe('the same print or a new one', () => {
  test.each<[string, Partial<RunningPrint>, StateReading, boolean]>([
    ['the same id, whatever else differs', { externalId: '7' }, state(9000, { externalId: '7', ...counter(5) }), true],
    ['an id beyond 32 bits', { externalId: '4294967299' }, state(1010, { externalId: '3', ...counter(1010) }), false],
    ['a counter that continued', {}, state(1600, counter(1600)), true],
    ['a counter below the checkpoint', {}, state(1600, counter(998)), false],
    ['a counter that stepped back by less than 2 s', {}, state(1040, counter(998.01)), true],
    ['the same step if a print of the gap counts as much', { ...counter(3) }, state(1600, counter(2.98)), false],
    ['a counter that lacks more than 120 s', {}, state(3600, counter(1100)), false],
    ['a counter that lacks the night of a pause', { paused: true }, state(30_000, counter(1100)), true],
    ['a counter longer than the gap', {}, state(3600, counter(2800)), true],
    ['a counter that is ahead of the time that passed', {}, state(1600, counter(9000)), false],
    ['another file', {}, state(1600, { filePath: 'other.gcode', ...counter(1600) }), false],
    ['no counter, a layer below', { counter: null, layer: 20 }, state(1600, { layer: 3 }), false],
    [
      'no counter, a layer below, percent and time left continue',
      { counter: null, layer: 20 },
      state(1600, { layer: 3, progress: '0.4', remainingSec: 2400 }),
      true,
    ],
    [
      'no counter, a layer below, and a new percent',
      { counter: null, layer: 20 },
      state(1600, { layer: 3, progress: '0.1', remainingSec: 2400 }),
      false,
    ],
    ['no counter, a minute more to print', { counter: null }, state(1600, { remainingSec: 3060 }), true],
    ['no counter, progress rounded down', { counter: null }, state(1600, { progress: '0.24' }), true],
    ['no counter, more to print', { counter: null }, state(1600, { remainingSec: 3900 }), false],
    [
      'no counter, more to print immediately',
      { counter: null, layer: 2 },
      state(1060, { layer: 2, remainingSec: 6000 }),
      true,
    ],
    ['no counter, less progress', { counter: null }, state(1600, { progress: '0.03' }), false],
    ['no counter, started after the last contact', { counter: null }, state(1600, { startedAt: instant(1500) }), false],
    ['no counter, no step back', { counter: null, layer: 20 }, state(1600, { layer: 21, remainingSec: 2500 }), true],
  ])('%s', (_, before, reading, isSame) => {
    expect(afterGap(before, reading)).toEqual(isSame ? ['SAVE'] : ['END', 'BEGIN']);
  });

  describe('a machine without ids and counters that starts the file of an UNRESOLVED print', () => {
    const figures = (progress: string | null, remainingSec: number | null) => ({ progress, remainingSec });
    // The print takes two hours, and was switched off half-way, after a pause of eight hours.
    const half = { ...row, externalId: null, startedAt: instant(0), seenAt: instant(32_400), ...figures('0.5', 3600) };
    const ended = [{ ...half, id: 'P1', endedAt: instant(32_400), outcome: 'UNRESOLVED' as const }];
    const BEGUN = 40_000;
    /** The decision about both prints, by `seconds since the start, progress, time left`. */
    const goOn = (...result: [number, string, number][]) => {
      const start = {
        ...row,
        counter: null,
        startedAt: instant(BEGUN),
        seenAt: instant(BEGUN),
        ...figures(null, null),
      };
      let running = followFromRow(start);
      return result.flatMap(([second, progress, remainingSec]) => {
        const known = { running, ended, lastContactAt: instant(BEGUN), addedAt: instant(0), machine };
        const reading = state(BEGUN + second, { progress, remainingSec, startedAt: instant(BEGUN) });
        const evaluated = evaluate(known, reading);
        running = evaluated.running ?? running;
        return evaluated.decisions.filter((one) => one.do === 'MERGE').map(() => second);
      });
    };
    test.each<[string, [number, string, number][], number[]]>([
      [
        'is that print if its first figures are as far',
        [
          [10, '0', 7200],
          [60, '0.5', 3600],
          [90, '0.51', 3500],
        ],
        [60],
      ],
      [
        'is another print if it reaches them in its time',
        [
          [100, '0.01', 7100],
          [1900, '0.5', 3600],
          [3600, '0.5', 3600],
        ],
        [],
      ],
      [
        'is another print if nobody saw how it reached them',
        [
          [10, '0', 7200],
          [3600, '0.5', 3600],
        ],
        [],
      ],
      ['is another print with a first percent below', [[30, '0.03', 3600]], []],
    ])('%s', (_, result, merged) => {
      expect(goOn(...result).slice(0, 1)).toEqual(merged);
    });
  });

  test('an id that is used again is another print, and gets a different id', () => {
    const times = { startedAt: instant(0), seenAt: instant(100), endedAt: instant(100) };
    const ended = { ...row, ...times, id: 'P1', externalId: '5', outcome: 'COMPLETED' as const };
    const known = { running: null, ended: [ended], lastContactAt: instant(100), addedAt: instant(0), machine };
    const again = evaluate(known, state(90_000, { externalId: '5', ...counter(10) }));
    expect(again.running?.externalId).toBe(`5~${instant(90_000)}`);
    expect(evaluate(known, state(101, { externalId: '5', ...counter(100) })).decisions).toEqual([]);
    // A broker that repeats an old message at each connect: the start is not reported.
    expect(evaluate(known, state(90_000, { externalId: '5' })).decisions).toEqual([]);
  });

  test('the first contact records no finished print', () => {
    const print = { ...createEmptyReading(0), externalId: '1', name: 'a', startedAt: instant(5) };
    const end = { outcome: 'COMPLETED' as const, at: instant(9), estimated: false, reason: null };
    const record = { kind: 'RECORD' as const, at: instant(10), print: { ...print, end } };
    const known = { running: null, ended: [], lastContactAt: null, addedAt: instant(0), machine };
    expect(evaluate(known, record).decisions).toEqual([]);
    const later = evaluate({ ...known, lastContactAt: instant(1) }, record);
    expect(later.decisions.map((decision) => decision.do)).toEqual(['RECORD', 'SIGHTING']);
  });
});

test('a row of the history without an end ended after the duration that it reports', () => {
  const start = Date.parse(instant(0)) / 1000;
  const row = { job_id: '1', filename: 'cube.gcode', status: 'completed', start_time: start, filament_used: 5 };
  const decideEnd = (members: object) => {
    const job = readJob({ ...row, ...members }) as Job;
    return toRecord(job, instant(900), null).end;
  };
  expect(decideEnd({ end_time: start + 700, total_duration: 650 })).toMatchObject({
    at: instant(700),
    estimated: false,
  });
  expect(decideEnd({ end_time: null, total_duration: 650.5 })).toMatchObject({ at: instant(650.5), estimated: true });
  expect(decideEnd({ end_time: null, total_duration: 0 })).toMatchObject({ at: null });
});

test('a file that was uploaded again under its name has its new plan', async () => {
  const machine = new MoonrakerMachine();
  machine.up();
  machine.stayIdle();
  for (const filament_total of [1000, 250]) {
    machine.files = { 'cube.gcode': { filament_total } };
    machine.startPrint('cube.gcode').print(30, 200, 0.2).endPrint('cancelled', 'cancelled').stayIdle();
  }
  const replayed = new Replay({ adapter: moonraker });
  for (const step of machine.steps) await replayed.playStep(step);
  expect(replayed.rows.map(({ print }) => print.plan?.slots[0]?.mm)).toEqual(['1000', '250']);
});

test('a running print is written at most every 30 s', () => {
  let known = { running: followFromRow(row), ended: [], lastContactAt: instant(1000), addedAt: instant(0), machine };
  let saves = 0;
  for (let at = 1001; at <= 1300; at += 1) {
    const { running, decisions } = evaluate(known, state(at, counter(at)));
    if (running === null) throw new Error('It runs on');
    known = { ...known, running };
    saves += decisions.length;
  }
  expect(saves).toBe(10);
});

test('LOST and BACK are recorded once each', () => {
  const lost = evaluateSilence(followFromRow(row), instant(1100));
  expect(lost.decisions.map((one) => (one.do === 'SIGHTING' ? one.kind : one.do))).toEqual(['SAVE', 'LOST']);
  if (lost.running === null) throw new Error('It is not over');
  expect(evaluateSilence(lost.running, instant(1130)).decisions).toEqual([]);
  const known = { running: lost.running, ended: [], lastContactAt: instant(1000), addedAt: instant(0), machine };
  const back = evaluate(known, state(1200, counter(1200)));
  expect(back.decisions.map((one) => (one.do === 'SIGHTING' ? one.kind : one.do))).toEqual(['SAVE', 'BACK']);
});

describe('the amounts of a print', () => {
  const plan = row.plan;
  const facts = { ...row, progress: '0.333', plan };
  const amounts = (members: Partial<RunningPrint>, outcome: Parameters<typeof calculateFilament>[1]) =>
    calculateFilament({ ...facts, ...members }, outcome).map(({ mm, grams, basis }) => `${mm} ${grams} ${basis}`);

  test.each<[string, Partial<RunningPrint>, Parameters<typeof calculateFilament>[1], string[]]>([
    ['the plan of a completed print', {}, 'COMPLETED', ['1000 2.98 PLANNED']],
    ['a part of the file of a cancelled one', {}, 'CANCELLED', ['333 0.99 ESTIMATED']],
    [
      'layers before the file: 1 of 50, not 49 %',
      { layer: 1, layers: 50, progress: '0.49' },
      'CANCELLED',
      ['20 0.06 ESTIMATED'],
    ],
    ['never a share of the time', { progressBasis: 'TIME' }, 'CANCELLED', ['null null UNKNOWN']],
    ['at most the plan', { layer: 60, layers: 50 }, 'FAILED', ['1000 2.98 ESTIMATED']],
    [
      'measured before planned',
      { measured: [{ slot: 'tool:0', mm: '990.25', grams: null }] },
      'COMPLETED',
      ['990.25 null MEASURED'],
    ],
    ['no plan', { plan: null }, 'COMPLETED', ['null null UNKNOWN']],
  ])('%s', (_, members, outcome, expected) => {
    expect(amounts(members, outcome)).toEqual(expected);
  });

  test.each<[string, Partial<RunningPrint>, Parameters<typeof calculateFilament>[1], string[]]>([
    ['the plan of a completed print', {}, 'COMPLETED', ['1000 2.98 PLANNED']],
    ['what was measured of one that was not completed', {}, 'FAILED', ['839 null ESTIMATED']],
    ['what was measured of one without a plan', { plan: null }, 'COMPLETED', ['839 null ESTIMATED']],
    [
      'more than was planned',
      { measured: [{ slot: 'tool:0', mm: '1000.5', grams: null }] },
      'COMPLETED',
      ['1000.5 null ESTIMATED'],
    ],
    [
      'nothing, if nothing was measured yet',
      { plan: null, measured: [{ slot: 'tool:0', mm: '0', grams: null }] },
      'COMPLETED',
      ['null null UNKNOWN'],
    ],
    [
      'a share of the plan, if nothing was measured yet',
      { measured: [{ slot: 'tool:0', mm: '0', grams: null }] },
      'CANCELLED',
      ['333 0.99 ESTIMATED'],
    ],
  ])('an end that was not seen: %s', (_, members, outcome, expected) => {
    const measured = [{ slot: 'tool:0', mm: '839', grams: null }];
    const result = calculateFilament({ ...facts, measured, ...members }, outcome, null, { isEndSeen: false });
    expect(result.map(({ mm, grams, basis }) => `${mm} ${grams} ${basis}`)).toEqual(expected);
  });

  test.each<[string, Partial<RunningPrint>, string[]]>([
    ['of the slot that feeds', { course: createCourse('tool:1') }, ['tool:1 1000 2.98 PLANNED']],
    [
      'divided among the slots that feed',
      { course: createCourse('tool:0', 'tool:1', 'tool:4') },
      ['tool:0 333.33 0.99 ESTIMATED', 'tool:1 333.33 0.99 ESTIMATED', 'tool:4 333.34 1 ESTIMATED'],
    ],
    [
      'measured, of the slot that feeds',
      { course: createCourse('tool:1'), plan: null, measured: [{ slot: 'tool:0', mm: '5', grams: null }] },
      ['tool:1 5 null MEASURED'],
    ],
    [
      'unknown, of the slots that feed',
      { course: createCourse('a', 'b'), plan: null },
      ['a null null UNKNOWN', 'b null null UNKNOWN'],
    ],
  ])('one amount is %s', (_, members, expected) => {
    const result = calculateFilament({ ...facts, ...members }, 'COMPLETED');
    expect(result.map(({ slot, mm, grams, basis }) => `${slot} ${mm} ${grams} ${basis}`)).toEqual(expected);
  });

  test('a table by layers belongs to the slot that feeds', () => {
    const layers = [{ layer: 4, mm: { 'tool:0': '90.5' } }];
    const result = calculateFilament(
      { ...facts, course: createCourse('tool:1'), layer: 4, layers: 10 },
      'CANCELLED',
      layers,
    );
    expect(result).toMatchObject([{ slot: 'tool:1', mm: '90.5' }]);
  });

  test('a total is split by lengths, because 100 g of PETG and 100 g of ABS differ in length', () => {
    const slots = ['tool:0', 'tool:1'].map((slot) => ({ slot, mm: null, grams: '100' }));
    const print = {
      ...facts,
      plan: { seconds: null, slots },
      measured: [{ slot: 'tool:0', mm: '72000', grams: null }],
    };
    const split = (...spools: [string, string, string][]) =>
      calculateFilament(print, 'COMPLETED', null, {
        properties: new Map(
          spools.map(([slot, densityGPerCm3, filamentDiameterMm]) => [slot, { densityGPerCm3, filamentDiameterMm }]),
        ),
      }).map(({ mm, basis }) => `${mm} ${basis}`);
    const petg: [string, string, string] = ['tool:0', '1.27', '1.75'];
    expect(split(petg, ['tool:1', '1.04', '1.75'])).toEqual(['32415.58 ESTIMATED', '39584.42 ESTIMATED']);
    // At 2.85 mm the same grams are shorter.
    expect(split(petg, ['tool:1', '1.27', '2.85'])).toEqual(['52286.09 ESTIMATED', '19713.91 ESTIMATED']);
    expect(split(petg)).toEqual(['36000 ESTIMATED', '36000 ESTIMATED']);
    expect(split(petg, ['tool:1', '0', '1.75'])).toEqual(['36000 ESTIMATED', '36000 ESTIMATED']);
  });

  test('grams follow the formula if millimetres are known, else the slicer’s figure', () => {
    const spool = { filamentDiameterMm: '1.75', densityGPerCm3: '1.24' };
    expect(calculateGrams({ slot: 'tool:0', mm: '1000', grams: '9' }, spool)).toBe('2.98');
    expect(calculateGrams({ slot: 'tool:0', mm: null, grams: '9.1' }, spool)).toBe('9.1');
    expect(calculateGrams({ slot: 'tool:0', mm: null, grams: null }, spool)).toBe('0');
  });
});

test.each([
  [176.94693999999993, '176.9469'],
  ['839.00000000000011', '839'],
  [0.1 + 0.2, '0.3'],
  ['1.00005', '1'],
  ['1.00015', '1.0002'],
  [990.25, '990.25'],
  ['12.50', '12.50'],
  ['99999999.99999', '100000000'],
  [1e-9, '0'],
])('a measured length %j has at most four decimals: %s', (result, measure) => {
  expect([readMillimetres(result), gramsIn(result)]).toEqual([measure, Number(result) > 1_000_000 ? null : measure]);
});

describe('the notes of a job', () => {
  const known = { isKnown: true, unbookedSlots: [], slotsFedWithoutSpool: [] };
  const decideNotes = (notes: string | null, amounts: object = {}) =>
    chooseNotes({ ...known, ...amounts } as unknown as JobAmounts, notes);

  test.each([
    'The printer did not tell how much filament this print used.',
    'The filament of tool:1, tool:2 is not in this job, because its spool is not known.',
    'The spool of tool:0 was taken out while the slot went on to feed: what it fed since then counts for that spool. ' +
      'Say which one was put in, and when, or divide this job.',
    'The filament of tool:1 is not in this job, because its spool is not known. The spool of tool:0 was taken out while the slot went ' +
      'on to feed: what it fed since then counts for that spool. Say which one was put in, and when, or divide this job.',
  ])('that the first release wrote are removed when the amounts are known: %s', (notes) => {
    expect(decideNotes(notes)).toBeNull();
  });

  test('that the gateway writes now are removed when the amounts are known', () => {
    const unknown = decideNotes(null, { isKnown: false });
    const onSlots = decideNotes(null, { unbookedSlots: ['tool:1'], slotsFedWithoutSpool: ['tool:0', 'tool:2'] });
    expect([unknown, onSlots].map((notes) => [typeof notes, decideNotes(notes)])).toEqual([
      ['string', null],
      ['string', null],
    ]);
  });

  test('that a user wrote stay', () => {
    expect(decideNotes('The filament of tool:1 is wet.', { unbookedSlots: ['tool:1'] })).toBe(
      'The filament of tool:1 is wet.',
    );
  });
});

describe('the job of a print', () => {
  const running = { ...row, outcome: 'RUNNING' as const };
  const job = (id: string, gcodeFilePath: string) => ({ id, gcodeFilePath });
  const loaded = new Map([['tool:0', 'S1']]);
  const two = { seconds: null, slots: ['tool:0', 'tool:1'].map((slot) => ({ slot, mm: '1', grams: null })) };

  test('is the only queued job of its file', () => {
    const queue = [job('1', '/prints/other.gcode'), job('2', 'C:\\prints\\cube.gcode')];
    expect(chooseJob(running, queue, loaded)).toEqual({ do: 'CLAIM', jobId: '2' });
  });
  test('is found by the name of a Bambu print, which has no file extension, and not by its plate', () => {
    const queue = [job('1', 'gear/plate_1.gcode'), job('2', 'prints/cube.gcode.3mf')];
    const bambu = { ...running, name: 'cube', filePath: 'cube/plate_1.gcode', machine: PRINTER_KINDS.BAMBU };
    expect(chooseJob(bambu, queue, loaded)).toEqual({ do: 'CLAIM', jobId: '2' });
    expect(chooseJob({ ...bambu, filePath: null }, queue, loaded)).toEqual({ do: 'CLAIM', jobId: '2' });
    expect(chooseJob(bambu, [job('1', 'gear/plate_1.gcode')], loaded)).toMatchObject({ do: 'CREATE' });
  });
  test('is the job with exactly its file, if another differs in the extension', () => {
    const queue = [job('1', 'cube.bgcode'), job('2', 'cube.gcode')];
    expect(chooseJob(running, queue, loaded)).toEqual({ do: 'CLAIM', jobId: '2' });
    expect(chooseJob(running, [job('1', 'cube.bgcode'), job('2', 'cube.3mf')], loaded)).toMatchObject({ do: 'CREATE' });
  });
  test('is the oldest of several queued jobs of its file, in any folder and with any extension', () => {
    const queue = [job('0', 'other.gcode'), job('1', 'cube.gcode'), job('2', '/a/cube.gcode'), job('3', 'cube.gcode')];
    expect(chooseJob(running, queue, loaded)).toEqual({ do: 'CLAIM', jobId: '1' });
    const bambu = { ...running, name: 'cube', filePath: 'cube/plate_1.gcode', machine: PRINTER_KINDS.BAMBU };
    const exported = [job('4', 'prints/cube.gcode.3mf'), job('5', 'cube.gcode.3mf')];
    expect(chooseJob(bambu, exported, loaded)).toEqual({ do: 'CLAIM', jobId: '4' });
  });
  test('is created for several slots when the spool of each is known', () => {
    const both = new Map([...loaded, ['tool:1', 'S2']]);
    const made = { do: 'CREATE', spools: { 'tool:0': 'S1', 'tool:1': 'S2' } };
    expect(chooseJob({ ...running, plan: two }, [], both)).toEqual(made);
    expect(chooseJob({ ...running, course: createCourse('tool:0', 'tool:1') }, [], both)).toEqual(made);
  });
  test('is not created without the spool of one slot, or without a plan that names a slot', () => {
    const waits = { do: 'WAIT' };
    expect(chooseJob(running, [], new Map())).toEqual(waits);
    expect(chooseJob({ ...running, plan: two }, [], loaded)).toEqual(waits);
    const unplanned = { ...running, plan: null };
    const both = new Map([...loaded, ['tool:1', 'S2']]);
    expect(chooseJob(unplanned, [], both)).toEqual(waits);
    expect(chooseJob({ ...unplanned, outcome: 'COMPLETED' }, [], both)).toEqual(waits);
  });
  test('is created at the end with the spool of the slot that the machine measured', () => {
    const measured = [{ slot: 'tool:0', mm: '5473.85', grams: null }];
    const over = { ...running, plan: null, measured, outcome: 'COMPLETED' as const };
    const both = new Map([...loaded, ['tool:1', 'S2']]);
    expect(chooseJob(over, [], both)).toEqual({ do: 'CREATE', spools: { 'tool:0': 'S1' } });
  });
  test('is created with the spool of the slot that feeds, whichever slot the file names', () => {
    const second = new Map([...loaded, ['tool:1', 'S2']]);
    const made = { do: 'CREATE', spools: { 'tool:1': 'S2' } };
    expect(chooseJob({ ...running, course: createCourse('tool:1') }, [], second)).toEqual(made);
    expect(
      chooseJob({ ...running, course: createCourse('tool:1'), plan: { seconds: 60, slots: [] } }, [], second),
    ).toEqual(made);
  });
  test.each<[string, [string, string][], string | null, Record<string, string>]>([
    ['of the slot that has it', [['tool:1', 'Q']], null, { 'tool:1': 'Q' }],
    ['of the only slot without one', [['tool:0', 'S1']], null, { 'tool:0': 'S1', 'tool:1': 'Q' }],
    ['of the slot with the most grams', [], '2', { 'tool:1': 'Q' }],
    ['of the lowest of equal slots', [], '1', { 'tool:0': 'Q' }],
    [
      'of none, if each slot has another',
      [
        ['tool:0', 'S1'],
        ['tool:1', 'S2'],
      ],
      null,
      { 'tool:0': 'S1', 'tool:1': 'S2' },
    ],
  ])('that the print claims keeps its spool as that %s', (_, spools, mm, expected) => {
    const [first, second] = two.slots as [Amount, Amount];
    const plan = { seconds: null, slots: [first, { ...second, mm }] };
    expect(chooseSpoolsOfClaimedJob({ ...running, plan }, 'Q', new Map(spools))).toEqual(expected);
  });
  test.each([
    ['entered by a user', 'tool:1', { spoolId: 'S1', isCreatedByGateway: false }, 'S1'],
    ['of the slot that feeds', 'tool:1', { spoolId: 'S1', isCreatedByGateway: true }, 'S2'],
    ['in another slot', 'tool:2', { spoolId: 'S1', isCreatedByGateway: true }, null],
    ['in no slot', 'tool:2', { spoolId: 'S3', isCreatedByGateway: true }, 'S3'],
  ])('keeps, gets or loses its spool when another slot feeds: %s', (_, slot, job, spoolId) => {
    expect(chooseSpoolOfFedSlot(slot, job, new Map([...loaded, ['tool:1', 'S2']]))).toBe(spoolId);
  });
});

test('the state of a printer is written when a shown value changed, and at most every 2 s', () => {
  const first = toPrinterState(state(0, { progress: '0.1', remainingSec: 1000 }));
  const same = toPrinterState(state(10, { progress: '0.1004', remainingSec: 998 }));
  const next = toPrinterState(state(10, { progress: '0.2', remainingSec: 900 }));
  const written = { state: first, at: instant(9) };
  expect(isDue(null, first, instant(0))).toBe(true);
  expect(isDue(written, next, instant(10))).toBe(false);
  expect(isDue(written, next, instant(11))).toBe(true);
  expect(isDue(written, same, instant(60))).toBe(false);
  expect(isDue(written, toOffline(first), instant(60))).toBe(true);
});

const queueReadings = (readings: readonly Reading[], taken?: Reading) =>
  readings.reduce<Reading[]>((waiting, next) => addToQueue(waiting, next, taken), []);

test('states that differ only in figures are merged, and the first state and the end of a print are not', () => {
  const end = { outcome: 'COMPLETED' as const, at: null, estimated: false, reason: null };
  const next = [5, 6, 7].map((at) => state(at, { ordinal: 2 }));
  const readings = [state(1, {}), state(2, {}), state(3, {}), state(4, { end }), ...next];
  const readQueuedTimes = (...given: Parameters<typeof queueReadings>) => queueReadings(...given).map(({ at }) => at);
  expect(readQueuedTimes(readings)).toEqual([1, 3, 4, 5, 7].map(instant));
  expect(readQueuedTimes(readings, state(0, {}))).toEqual([3, 4, 5, 7].map(instant));
  // A slot that feeds in between is kept.
  const fed = ['tool:0', 'tool:1', 'tool:1', 'tool:1', 'tool:0'].map((slot, at) => state(at, { slot }));
  expect(readQueuedTimes(fed)).toEqual([0, 1, 3, 4].map(instant));
});

test('a print that pauses and continues with each message queues a bounded number of states, the newest among them', () => {
  const flapping = Array.from({ length: 5000 }, (_, at) => ({
    ...({ kind: 'STATE', activity: at % 2 === 0 ? 'PRINTING' : 'PAUSED', at: String(at) } as StateReading),
    print: createEmptyReading(1),
  }));
  const waiting = queueReadings(flapping);
  expect(waiting.length).toBeLessThan(100);
  expect(waiting.at(-1)?.at).toBe('4999');
});

const BREAKING = [
  '\0',
  '\uD800',
  'x'.repeat(2000),
  '12.5',
  '1e308',
  -1,
  1e308,
  true,
  null,
  [],
  {},
  '__proto__',
  4e9,
  -3.6e9,
];
const SLOTS = MOONRAKER.filter(({ name }) => /each (tool|gate) has what it fed/.test(name)).slice(-2);
const SAMPLES = [MOONRAKER[0], ...SLOTS, OCTOPRINT[0], PRUSALINK[0]] as Recording[];

describe.each(SAMPLES.map((recording) => [recording.name, recording] as const))('%s', (_, recording) => {
  const sources = [...new Set(recording.steps.flatMap(({ message }) => message?.source ?? []))];
  const answers = [
    'printer.objects.list',
    'printer.objects.subscribe',
    'server.history.list',
    '/api/files/local/',
    '/api/v1/job',
    'opened',
  ];

  test('any JSON gives no print', async () => {
    const message = fc.record({
      source: fc.constantFrom(...sources, ...answers, 'toString'),
      body: fc.oneof(fc.jsonValue(), fc.array(fc.jsonValue())),
      parameters: fc.jsonValue(),
      failed: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(message, { maxLength: 20 }), async (messages) => {
        const replayed = new Replay(recording);
        const [first] = recording.steps as [Recording['steps'][number]];
        await replayed.playStep(first);
        for (const [index, one] of messages.entries()) {
          await replayed.playStep({ ...first, at: index + 1, message: one });
        }
        expect(replayed.prints()).toEqual([]);
      }),
      { seed: 35, numRuns: 100 },
    );
  });

  test('a message with one broken member never throws, and every text and number stays within its limits', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.nat(), fc.constantFrom(...BREAKING), async (at, member, junk) => {
        const replayed = new Replay(recording);
        const broken = at % recording.steps.length;
        for (const [index, step] of recording.steps.entries()) {
          await replayed.playStep(index === broken ? { ...step, message: breaking(step.message, member, junk) } : step);
        }
        for (const { print } of replayed.rows) {
          expect(print.name.length).toBeLessThanOrEqual(500);
          expect(print.filePath?.length ?? 0).toBeLessThanOrEqual(1000);
          expect(`${print.name}${print.filePath}`.isWellFormed()).toBe(true);
          expect(`${print.name}${print.filePath}`).not.toContain('\0');
          for (const { mm } of print.measured) expect(mm).toMatch(/^\d{1,9}(\.\d{1,4})?$/);
          expect(print.counter?.seconds ?? 0).toBeLessThanOrEqual(366 * 24 * 3600);
        }
      }),
      { seed: 35, numRuns: 100 },
    );
  });
});

/** The message with one of its members, at any depth, replaced. */
function breaking<Value>(value: Value, member: number, junk: unknown): Value {
  const copy = JSON.parse(JSON.stringify(value));
  const holders: [Record<string, unknown>, string][] = [];
  const walk = (holder: Record<string, unknown>) => {
    for (const [name, inner] of Object.entries(holder)) {
      holders.push([holder, name]);
      if (typeof inner === 'object' && inner !== null) walk(inner as Record<string, unknown>);
    }
  };
  if (copy !== null) walk(copy);
  const [holder, name] = holders[member % Math.max(holders.length, 1)] ?? [];
  // A connection cannot deliver a source that is not a text.
  if (holder !== undefined && name !== undefined && name !== 'source') holder[name] = junk;
  return copy;
}

test('while the database is away, sixty prints with pauses wait: each with its start and its end, and no more', () => {
  const end = { outcome: 'COMPLETED' as const, at: null, estimated: false, reason: null };
  let waiting: Reading[] = [];
  const addReading = (reading: Reading) => {
    waiting = addToQueue(waiting, reading);
    expect(isFlood(waiting)).toBe(false);
  };
  for (let ordinal = 1; ordinal <= 60; ordinal += 1) {
    const at = ordinal * 100;
    for (let figure = 0; figure < 20; figure += 1) {
      addReading({
        ...state(at + figure, { ordinal, paused: figure % 2 === 1 }),
        activity: figure % 2 === 1 ? 'PAUSED' : 'PRINTING',
      });
    }
    addReading(state(at + 20, { ordinal, end: ordinal % 7 === 0 ? null : end }));
    addReading({ ...state(at + 21, {}), activity: 'IDLE', print: 'NO_PRINT' });
  }
  const result = waiting.map(({ print }) =>
    typeof print === 'string' ? print : `${print.ordinal}${print.end ? '!' : ''}`,
  );
  const wanted = Array.from({ length: 60 }, (_, n) =>
    n % 7 === 6 ? [`${n + 1}`, 'NO_PRINT'] : [`${n + 1}`, `${n + 1}!`],
  ).flat();
  expect(
    result.filter(
      (one, place) => one !== result[place - 1] && (one !== 'NO_PRINT' || !result[place - 1]?.endsWith('!')),
    ),
  ).toEqual(wanted);
  expect(waiting.length).toBeLessThanOrEqual(3 * 60 + 40);
});
