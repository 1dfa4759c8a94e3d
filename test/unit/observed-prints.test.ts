// The rules of observed prints where a recording is too long a way: counters, amounts, jobs, states, and junk.
import fc from 'fast-check';
import { consumption, gramsOf } from '../../src/observed-prints/consumption';
import { evaluate, lose } from '../../src/observed-prints/evaluation';
import { chooseJob } from '../../src/observed-prints/job-choice';
import { type RunningPrint, resumed } from '../../src/observed-prints/observed-print.model';
import { isDue, offline, stateOf } from '../../src/observed-prints/printer-state';
import {
  isFlood,
  type PrintReading,
  queued,
  type Reading,
  type StateReading,
  untold,
} from '../../src/observed-prints/readings';
import { MOONRAKER } from '../recordings/moonraker/recordings';
import { OCTOPRINT } from '../recordings/octoprint/recordings';
import { PRUSALINK } from '../recordings/prusalink/recordings';
import { instant, type Recording } from '../recordings/recording';
import { Replay } from '../support/replay';

const row: RunningPrint = {
  externalId: null,
  name: 'cube.gcode',
  filePath: 'cube.gcode',
  startedAt: instant(0),
  startedAtEstimated: false,
  plan: { seconds: 4000, slots: [{ slot: 'tool:0', mm: '1000', grams: '2.98' }] },
  slots: [],
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
};

const state = (at: number, print: Partial<PrintReading>): StateReading => ({
  kind: 'STATE',
  at: instant(at),
  activity: 'PRINTING',
  message: null,
  print: { ...untold(1), name: 'cube.gcode', filePath: 'cube.gcode', ...print },
});

/** What becomes of the row when a reading is the first one of a connection. */
function afterGap(before: Partial<RunningPrint>, reading: StateReading): string[] {
  const known = {
    running: resumed({ ...row, ...before }),
    ended: [],
    lastContactAt: instant(1000),
    addedAt: instant(0),
  };
  return evaluate(known, reading).decisions.flatMap((decision) => (decision.do === 'SIGHT' ? [] : [decision.do]));
}

const counter = (seconds: number) => ({ counter: { seconds, countsPauses: false } });

describe('the same print or a new one', () => {
  test.each<[string, Partial<RunningPrint>, StateReading, boolean]>([
    ['the same id, whatever else', { externalId: '7' }, state(9000, { externalId: '7', ...counter(5) }), true],
    ['an id beyond 32 bits', { externalId: '4294967299' }, state(1010, { externalId: '3', ...counter(1010) }), false],
    ['a counter that went on', {}, state(1600, counter(1600)), true],
    ['a counter below the checkpoint', {}, state(1600, counter(999)), false],
    ['a counter that lacks more than 120 s', {}, state(3600, counter(1100)), false],
    ['a counter that lacks the night of a pause', { paused: true }, state(30_000, counter(1100)), true],
    ['a counter longer than the gap', {}, state(3600, counter(2800)), true],
    ['a counter further than the time that went by', {}, state(1600, counter(9000)), false],
    ['another file', {}, state(1600, { filePath: 'other.gcode', ...counter(1600) }), false],
    ['no counter, a layer below', { counter: null, layer: 20 }, state(1600, { layer: 3 }), false],
    ['no counter, a minute more to do', { counter: null }, state(1600, { remainingSec: 3060 }), true],
    ['no counter, progress rounded down', { counter: null }, state(1600, { progress: '0.24' }), true],
    ['no counter, more to do', { counter: null }, state(1600, { remainingSec: 3900 }), false],
    [
      'no counter, more to do at once',
      { counter: null, layer: 2 },
      state(1060, { layer: 2, remainingSec: 6000 }),
      true,
    ],
    ['no counter, progress below', { counter: null }, state(1600, { progress: '0.03' }), false],
    ['no counter, begun after the last contact', { counter: null }, state(1600, { startedAt: instant(1500) }), false],
    ['no counter, no step back', { counter: null, layer: 20 }, state(1600, { layer: 21, remainingSec: 2500 }), true],
  ])('%s', (_, before, reading, isSame) => {
    expect(afterGap(before, reading)).toEqual(isSame ? ['SAVE'] : ['END', 'BEGIN']);
  });

  test('an id that is used again is another print, and gets an id of its own', () => {
    const ended = {
      externalId: '5',
      name: 'cube.gcode',
      filePath: 'cube.gcode',
      startedAt: instant(0),
      endedAt: instant(100),
      counter: null,
      outcome: 'COMPLETED' as const,
    };
    const known = { running: null, ended: [ended], lastContactAt: instant(100), addedAt: instant(0) };
    const again = evaluate(known, state(90_000, { externalId: '5', ...counter(10) }));
    expect(again.running?.externalId).toBe(`5~${instant(90_000)}`);
    expect(evaluate(known, state(101, { externalId: '5', ...counter(100) })).decisions).toEqual([]);
    // A broker that repeats an old message at each connect: when it began is not told.
    expect(evaluate(known, state(90_000, { externalId: '5' })).decisions).toEqual([]);
  });

  test('the first contact records no print that is over', () => {
    const print = { ...untold(0), externalId: '1', name: 'a', startedAt: instant(5) };
    const end = { outcome: 'COMPLETED' as const, at: instant(9), estimated: false, reason: null };
    const record = { kind: 'RECORD' as const, at: instant(10), print: { ...print, end } };
    const known = { running: null, ended: [], lastContactAt: null, addedAt: instant(0) };
    expect(evaluate(known, record).decisions).toEqual([]);
    const later = evaluate({ ...known, lastContactAt: instant(1) }, record);
    expect(later.decisions.map((decision) => decision.do)).toEqual(['RECORD', 'SIGHT']);
  });
});

test('a running print is written at most every 30 s', () => {
  let known = { running: resumed(row), ended: [], lastContactAt: instant(1000), addedAt: instant(0) };
  let saves = 0;
  for (let at = 1001; at <= 1300; at += 1) {
    const { running, decisions } = evaluate(known, state(at, counter(at)));
    if (running === null) throw new Error('It runs on');
    known = { ...known, running };
    saves += decisions.length;
  }
  expect(saves).toBe(10);
});

test('LOST and BACK are said once each', () => {
  const lost = lose(resumed(row), instant(1100));
  expect(lost.decisions.map((one) => (one.do === 'SIGHT' ? one.kind : one.do))).toEqual(['SAVE', 'LOST']);
  if (lost.running === null) throw new Error('It is not over');
  expect(lose(lost.running, instant(1130)).decisions).toEqual([]);
  const known = { running: lost.running, ended: [], lastContactAt: instant(1000), addedAt: instant(0) };
  const back = evaluate(known, state(1200, counter(1200)));
  expect(back.decisions.map((one) => (one.do === 'SIGHT' ? one.kind : one.do))).toEqual(['SAVE', 'BACK']);
});

describe('consumption', () => {
  const plan = row.plan;
  const facts = { ...row, progress: '0.333', plan };
  const amounts = (members: Partial<RunningPrint>, outcome: Parameters<typeof consumption>[1]) =>
    consumption({ ...facts, ...members }, outcome).map(({ mm, grams, basis }) => `${mm} ${grams} ${basis}`);

  test.each<[string, Partial<RunningPrint>, Parameters<typeof consumption>[1], string[]]>([
    ['the plan of a completed print', {}, 'COMPLETED', ['1000 2.98 PLANNED']],
    ['a part of the file of a cancelled one', {}, 'CANCELLED', ['333 0.99 ESTIMATED']],
    [
      'layers before the file: 1 of 50, not 49 %',
      { layer: 1, layers: 50, progress: '0.49' },
      'CANCELLED',
      ['20 0.06 ESTIMATED'],
    ],
    ['never a part of the time', { progressBasis: 'TIME' }, 'CANCELLED', ['null null UNKNOWN']],
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

  test('grams are by the formula where millimetres are known, else the slicer’s', () => {
    const spool = { filamentDiameterMm: '1.75', densityGPerCm3: '1.24' };
    expect(gramsOf({ slot: 'tool:0', mm: '1000', grams: '9' }, spool)).toBe('2.98');
    expect(gramsOf({ slot: 'tool:0', mm: null, grams: '9.1' }, spool)).toBe('9.1');
    expect(gramsOf({ slot: 'tool:0', mm: null, grams: null }, spool)).toBe('0');
  });
});

describe('the job of a print', () => {
  const job = (id: string, gcodeFilePath: string) => ({ id, gcodeFilePath });
  const loaded = new Map([['tool:0', 'S1']]);
  const two = { seconds: null, slots: ['tool:0', 'tool:1'].map((slot) => ({ slot, mm: '1', grams: null })) };

  test('is the one queued job of its file', () => {
    const queue = [job('1', '/prints/other.gcode'), job('2', 'C:\\prints\\cube.gcode')];
    expect(chooseJob(row, queue, loaded)).toEqual({ do: 'TAKE_UP', jobId: '2' });
  });
  test('is found by the name of a Bambu print, which has no ending, and not by its plate', () => {
    const queue = [job('1', 'gear/plate_1.gcode'), job('2', 'prints/cube.gcode.3mf')];
    const bambu = { ...row, name: 'cube', filePath: 'cube/plate_1.gcode' };
    expect(chooseJob(bambu, queue, loaded)).toEqual({ do: 'TAKE_UP', jobId: '2' });
    expect(chooseJob({ ...bambu, filePath: null }, queue, loaded)).toEqual({ do: 'TAKE_UP', jobId: '2' });
    expect(chooseJob(bambu, [job('1', 'gear/plate_1.gcode')], loaded)).toMatchObject({ do: 'MAKE' });
  });
  test('is the one of its very file, when another differs in the ending', () => {
    const queue = [job('1', 'cube.bgcode'), job('2', 'cube.gcode')];
    expect(chooseJob(row, queue, loaded)).toEqual({ do: 'TAKE_UP', jobId: '2' });
    expect(chooseJob(row, [job('1', 'cube.bgcode'), job('2', 'cube.3mf')], loaded)).toMatchObject({ do: 'MAKE' });
  });
  test('is made with the loaded spool, when there are two queued ones', () => {
    const queue = [job('1', 'cube.gcode'), job('2', 'cube.gcode')];
    expect(chooseJob(row, queue, loaded)).toEqual({ do: 'MAKE', spoolId: 'S1', slot: 'tool:0' });
  });
  test('waits without a spool, and with more than one slot', () => {
    const waits = { do: 'WAIT', for: 'SPOOL' };
    expect(chooseJob(row, [], new Map())).toEqual(waits);
    expect(chooseJob({ ...row, plan: two }, [], new Map([...loaded, ['tool:1', 'S2']]))).toEqual(waits);
    expect(chooseJob({ ...row, plan: null }, [], new Map([...loaded, ['tool:1', 'S2']]))).toEqual(waits);
  });
});

test('the state of a printer is written when something shown changed, and not within 2 s', () => {
  const first = stateOf(state(0, { progress: '0.1', remainingSec: 1000 }));
  const same = stateOf(state(10, { progress: '0.1004', remainingSec: 998 }));
  const next = stateOf(state(10, { progress: '0.2', remainingSec: 900 }));
  const written = { state: first, at: instant(9) };
  expect(isDue(null, first, instant(0))).toBe(true);
  expect(isDue(written, next, instant(10))).toBe(false);
  expect(isDue(written, next, instant(11))).toBe(true);
  expect(isDue(written, same, instant(60))).toBe(false);
  expect(isDue(written, offline(first), instant(60))).toBe(true);
});

test('states that say nothing new but figures are merged, and ends are not', () => {
  const end = { outcome: 'COMPLETED' as const, at: null, estimated: false, reason: null };
  const readings = [state(1, {}), state(2, {}), state(3, { end }), state(4, { ordinal: 2 }), state(5, { ordinal: 2 })];
  expect(readings.reduce(queued, [] as StateReading[] as never).map(({ at }: { at: string }) => at)).toEqual(
    [2, 3, 5].map(instant),
  );
});

test('of a print that pauses and goes on with each message a bounded number of states waits, the newest among them', () => {
  const flapping = Array.from({ length: 5000 }, (_, at) => ({
    ...({ kind: 'STATE', activity: at % 2 === 0 ? 'PRINTING' : 'PAUSED', at: String(at) } as StateReading),
    print: untold(1),
  }));
  const waiting = flapping.reduce(queued, [] as StateReading[] as never) as StateReading[];
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
const SAMPLES = [MOONRAKER[0], OCTOPRINT[0], PRUSALINK[0]] as Recording[];

describe.each(SAMPLES.map((recording) => [recording.name, recording] as const))('%s', (_, recording) => {
  const sources = [...new Set(recording.steps.flatMap(({ message }) => message?.source ?? []))];
  const answers = ['printer.objects.subscribe', 'server.history.list', '/api/files/local/', '/api/v1/job', 'opened'];

  test('any JSON gives no print', () => {
    const message = fc.record({
      source: fc.constantFrom(...sources, ...answers, 'toString'),
      body: fc.oneof(fc.jsonValue(), fc.array(fc.jsonValue())),
      parameters: fc.jsonValue(),
      failed: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(message, { maxLength: 20 }), (messages) => {
        const replayed = new Replay(recording);
        const [first] = recording.steps as [Recording['steps'][number]];
        replayed.hear(first);
        messages.forEach((one, index) => {
          replayed.hear({ ...first, at: index + 1, message: one });
        });
        expect(replayed.prints()).toEqual([]);
      }),
      { seed: 35, numRuns: 100 },
    );
  });

  test('a message with one broken member never throws, and every text and number keeps its bounds', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), fc.constantFrom(...BREAKING), (at, member, junk) => {
        const replayed = new Replay(recording);
        const broken = at % recording.steps.length;
        recording.steps.forEach((step, index) => {
          replayed.hear(index === broken ? { ...step, message: breaking(step.message, member, junk) } : step);
        });
        for (const { print } of replayed.rows) {
          expect(print.name.length).toBeLessThanOrEqual(500);
          expect(print.filePath?.length ?? 0).toBeLessThanOrEqual(1000);
          expect(`${print.name}${print.filePath}`.isWellFormed()).toBe(true);
          expect(`${print.name}${print.filePath}`).not.toContain('\0');
          for (const { mm } of print.measured) expect(mm).toMatch(/^\d{1,9}(\.\d{1,28})?$/);
          expect(print.counter?.seconds ?? 0).toBeLessThanOrEqual(366 * 24 * 3600);
        }
      }),
      { seed: 35, numRuns: 100 },
    );
  });
});

/** The message with one of its members, of any depth, replaced. */
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
  // A source that is no text cannot come from a connection.
  if (holder !== undefined && name !== undefined && name !== 'source') holder[name] = junk;
  return copy;
}

test('while the database is away, sixty prints with pauses wait: each with its begin and its end, and no more', () => {
  const end = { outcome: 'COMPLETED' as const, at: null, estimated: false, reason: null };
  let waiting: Reading[] = [];
  const hear = (reading: Reading) => {
    waiting = queued(waiting, reading);
    expect(isFlood(waiting)).toBe(false);
  };
  for (let ordinal = 1; ordinal <= 60; ordinal += 1) {
    const at = ordinal * 100;
    for (let figure = 0; figure < 20; figure += 1) {
      hear({
        ...state(at + figure, { ordinal, paused: figure % 2 === 1 }),
        activity: figure % 2 === 1 ? 'PAUSED' : 'PRINTING',
      });
    }
    hear(state(at + 20, { ordinal, end: ordinal % 7 === 0 ? null : end }));
    hear({ ...state(at + 21, {}), activity: 'IDLE', print: 'NONE' });
  }
  const told = waiting.map(({ print }) =>
    typeof print === 'string' ? print : `${print.ordinal}${print.end ? '!' : ''}`,
  );
  const wanted = Array.from({ length: 60 }, (_, n) =>
    n % 7 === 6 ? [`${n + 1}`, 'NONE'] : [`${n + 1}`, `${n + 1}!`],
  ).flat();
  expect(
    told.filter((one, place) => one !== told[place - 1] && (one !== 'NONE' || !told[place - 1]?.endsWith('!'))),
  ).toEqual(wanted);
  expect(waiting.length).toBeLessThanOrEqual(3 * 60 + 40);
});
