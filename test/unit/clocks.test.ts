// A clock of this computer that was ahead, and was set right: a stored time later than now is no evidence.

import { shiftAfterClockChange } from '../../src/farm/print-rules/clock-correction';
import { evaluate } from '../../src/farm/print-rules/evaluation';
import {
  type EndedPrint,
  followFromRow,
  type PlanReading,
  type PrintReading,
  type RunningPrint,
  type StateReading,
} from '../../src/farm/print-rules/print.model';
import { isDue, toPrinterState } from '../../src/farm/printer-states/printer-state.status';
import { PRINTER_KINDS } from '../../src/kind-facts';
import { bambu } from '../../src/machines/bambu/adapter';
import { ConnectionClock, shiftTimes } from '../../src/machines/collector/device-link';
import { emptyReading } from '../../src/machines/machine-adapter';
import { moonraker } from '../../src/machines/moonraker/adapter';
import { discardFutureTime } from '../../src/values/instant';
import { instant } from '../recordings/recording';
import { AdapterListening } from '../support/adapter-listening';

const HOURS = 3600;
/** Seconds by which the clock was ahead. */
const AHEAD = 6 * HOURS;

const machine = PRINTER_KINDS.MOONRAKER;

/** Begun 1,000 s before the clock was set right, and last heard of 10 s before. */
const row: RunningPrint = {
  externalId: null,
  name: 'cube.gcode',
  filePath: 'cube.gcode',
  plan: null,
  measured: [],
  course: null,
  startedAt: instant(AHEAD),
  startedAtEstimated: false,
  seenAt: instant(AHEAD + 1000),
  paused: false,
  lost: false,
  progress: '0.25',
  progressBasis: 'FILE',
  counter: { seconds: 990, countsPauses: false },
  remainingSec: 3000,
  layer: null,
  layers: null,
  machine,
};

const state = (at: number, print: Partial<PrintReading>): StateReading => ({
  kind: 'STATE',
  at: instant(at),
  activity: 'PRINTING',
  message: null,
  isPausedByUser: false,
  print: { ...emptyReading(1), name: 'cube.gcode', filePath: 'cube.gcode', ...print },
});
const counted = (seconds: number, countsPauses = false) => ({ counter: { seconds, countsPauses } });

const known = (members: Partial<RunningPrint> | null, ended: EndedPrint[] = []) => ({
  running: members && followFromRow({ ...row, ...members }),
  ended,
  lastContactAt: instant(0),
  addedAt: instant(0),
  machine,
});
const decided = ({ decisions }: ReturnType<typeof evaluate>) =>
  decisions.flatMap((one) => (one.do === 'SIGHTING' ? [] : [one.do]));

test.each([
  [null, null],
  [instant(-1), instant(-1)],
  [instant(0), instant(0)],
  // Another computer of the farm wrote it.
  [instant(120), instant(0)],
  [instant(121), null],
])('of the stored time %s it is known: %s', (stored, expected) => {
  expect(discardFutureTime(stored, instant(0))).toBe(expected);
});

describe('a print that ran while the clock was ahead', () => {
  test.each<[string, Partial<RunningPrint>, StateReading, number]>([
    ['by the count of its machine', {}, state(2000, counted(1890)), 100],
    [
      'that pauses, by its count and the pause before',
      { startedAt: instant(AHEAD - 500) },
      state(2000, counted(990)),
      500,
    ],
    ['that began before the clock was ahead', { startedAt: instant(-50) }, state(2000, counted(1890)), -50],
    ['without a count, as if it was heard of just now', { counter: null }, state(2000, { progress: '0.5' }), 1000],
  ])('goes on %s', (_, members, reading, startedAt) => {
    const before = known(members);
    // What is not told says nothing of its times.
    expect(evaluate(before, { ...reading, print: 'PRINT_UNKNOWN' }).running).toBe(before.running);
    const { running, decisions } = evaluate(before, reading);
    expect(decided({ running, decisions })).toEqual(['SAVE']);
    expect([running?.seenAt, running?.startedAt]).toEqual([instant(2000), instant(startedAt)]);
    // Its next checkpoint is as late as that of any other one.
    expect(decided(evaluate({ ...before, running }, state(2029, counted(1920))))).toEqual([]);
    expect(decided(evaluate({ ...before, running }, state(2031, counted(1922))))).toEqual(['SAVE']);
  });

  test('by a minute only, as the clock of another computer may be, is as it was', () => {
    const print = { startedAt: instant(1030), seenAt: instant(1060), counter: null };
    const { running, decisions } = evaluate(known(print), state(1000, {}));
    expect([decisions, running?.startedAt, running?.seenAt]).toEqual([[], instant(1000), instant(1000)]);
  });

  test('is another one where its count fell, or its file is another', () => {
    expect(decided(evaluate(known({}), state(2000, counted(10))))).toEqual(['END', 'BEGIN']);
    expect(decided(evaluate(known({}), state(2000, { filePath: 'other.gcode' })))).toEqual(['END', 'BEGIN']);
  });

  test('ends now, and not in the future', () => {
    const end = { outcome: 'COMPLETED' as const, at: null, estimated: true, reason: null };
    const { decisions } = evaluate(known({}), state(2000, { ...counted(1500), end }));
    const [ended] = decisions;
    expect(ended).toMatchObject({ do: 'END', print: { startedAt: instant(490) }, ending: { at: instant(2000) } });
  });

  test('that is not shown any more waits for a person, with a start that is over', () => {
    const { decisions } = evaluate(known({}), { ...state(2000, {}), print: 'NO_PRINT' });
    expect(decisions[0]).toMatchObject({ do: 'END', print: { startedAt: instant(1000), seenAt: instant(2000) } });
  });
});

describe('a print that ended while the clock was ahead', () => {
  const over: EndedPrint = {
    id: 'a',
    externalId: '7',
    name: 'cube.gcode',
    filePath: 'cube.gcode',
    outcome: 'COMPLETED',
    progress: null,
    remainingSec: null,
    layer: null,
    startedAt: instant(AHEAD),
    seenAt: instant(AHEAD + 1000),
    endedAt: instant(AHEAD + 1000),
  };

  test('does not take the place of the next one of its file', () => {
    const begun = state(2000, { startedAt: instant(1990) });
    expect(decided(evaluate(known(null, [over]), begun))).toEqual(['BEGIN']);
    expect(decided(evaluate(known(null, [{ ...over, externalId: null }]), begun))).toEqual(['BEGIN']);
  });

  test('goes on when nobody knows what became of it', () => {
    const reading = state(2000, { startedAt: instant(1000) });
    const { running, decisions } = evaluate(known(null, [{ ...over, outcome: 'UNRESOLVED' }]), reading);
    expect([decisions[0]?.do, running?.startedAt]).toEqual(['REOPEN', instant(1000)]);
  });
});

test('of a device that was added by a clock that was ahead, what ran since is recorded', () => {
  const end = { outcome: 'COMPLETED' as const, at: instant(900), estimated: false, reason: null };
  const print = { ...emptyReading(0), externalId: '1', name: 'a', startedAt: instant(500), end };
  const record = { kind: 'RECORD' as const, at: instant(1000), print };
  const before = { running: null, ended: [], lastContactAt: instant(1000), machine };
  expect(decided(evaluate({ ...before, addedAt: null }, record))).toEqual(['RECORD']);
  expect(decided(evaluate({ ...before, addedAt: instant(600) }, record))).toEqual([]);
});

test('the state of a printer is written, also where the last one was written by a clock that was ahead', () => {
  const [first, next] = [
    toPrinterState(state(AHEAD, { progress: '0.1' })),
    toPrinterState(state(10, { progress: '0.2' })),
  ];
  expect(isDue({ state: first, at: instant(AHEAD) }, next, instant(10))).toBe(true);
});

test('of a machine whose clock is hours behind, what ended while nobody listened is asked for by that clock', () => {
  const BEHIND = 5 * HOURS;
  const its = (at: number) => Date.parse(instant(at)) / 1000 - BEHIND;
  const history = { source: 'server.history.list', parameters: { limit: 1000, order: 'desc' } };
  const heard = new AdapterListening(moonraker, { lastContactAt: instant(0) }, 7200);
  const asked = () => heard.asks.splice(0).map(({ ask }) => ask);
  expect(asked()).toMatchObject([{ source: 'printer.objects.list' }]);
  heard.hear(7200, { source: 'printer.objects.list', body: { objects: ['print_stats'] } });
  expect(asked()).toMatchObject([{ source: 'printer.objects.subscribe' }, history]);
  const status = { print_stats: { state: 'standby', filename: '', total_duration: 0 } };
  heard.hear(7201, { source: 'printer.objects.subscribe', body: { status } });
  heard.hear(7201, { source: 'server.history.list', body: { jobs: [] } });
  const beat = { source: 'notify_proc_stat_update', body: [{ moonraker_stats: { time: its(7202) } }] };
  heard.hear(7202, beat);
  expect(asked()).toEqual([{ ...history, parameters: { ...history.parameters, since: its(-3600) } }]);
  heard.hear(7203, beat);
  expect(asked()).toEqual([]);
  const job = { job_id: '1', filename: 'a.gcode', status: 'completed', start_time: its(3600), end_time: its(5400) };
  const jobs = [{ ...job, total_duration: 1800 }];
  const [record] = heard.told(7204, { source: 'server.history.list', body: { jobs } });
  const print = { startedAt: instant(3600), end: { outcome: 'COMPLETED', at: instant(5400) } };
  expect(record).toMatchObject({ kind: 'RECORD', print });
});

describe('a clock that is set while a machine is heard', () => {
  let [clock, steady] = [0, 0];
  const pass = (ms: number) => {
    [clock, steady] = [clock + ms, steady + ms];
  };
  const set = (ms: number) => {
    clock += ms;
  };
  let ours: ConnectionClock;
  beforeEach(() => {
    [clock, steady] = [Date.parse(instant(0)), 5];
    ours = new ConnectionClock(
      () => clock,
      () => steady,
    );
  });

  test('does not move the time of its connection, and by how much it was set is known', () => {
    pass(5000);
    set(-AHEAD * 1000);
    pass(5000);
    expect([ours.now(), ours.setByMs()]).toEqual([instant(10), -AHEAD * 1000]);
    // The two clocks are not read at one moment.
    set(AHEAD * 1000 + 900);
    expect(ours.setByMs()).toBe(0);
  });

  test('moves what is told of then', () => {
    const end = { outcome: null, at: instant(7), estimated: false, reason: null };
    const told = state(8, { startedAt: instant(1), end });
    const print = { ...(told.print as PrintReading), startedAt: instant(-9), end: { ...end, at: instant(-3) } };
    expect(shiftTimes(told, -10_000)).toEqual({ ...told, at: instant(-2), print });
    expect(shiftTimes(told, 0)).toBe(told);
    expect(shiftTimes({ ...told, print: 'NO_PRINT' }, 5000)).toMatchObject({ at: instant(13), print: 'NO_PRINT' });
    const plan = { filePath: 'cube.gcode', plan: { seconds: null, slots: [] } };
    const late: PlanReading = { kind: 'PLAN', at: instant(8), since: instant(5), print: 'PRINT_UNKNOWN', ...plan };
    expect(shiftTimes(late, -10_000)).toEqual({ ...late, at: instant(-2), since: instant(-5) });
  });

  test('a wait for the code of a cancel is as long as any other one', () => {
    const heard = new AdapterListening(bambu);
    const hear = (source: string, body: unknown) => {
      const at = (Date.parse(ours.now()) - Date.parse(instant(0))) / 1000;
      return heard.told(at, { source, body }).map((reading) => shiftTimes(reading, ours.setByMs()));
    };
    const tell = (members: object) =>
      hear('report', { print: { command: 'push_status', subtask_name: 'cube', ...members } });
    tell({ gcode_state: 'IDLE', subtask_name: 'sphere' });
    pass(1000);
    tell({ gcode_state: 'RUNNING', layer_num: 3, mc_percent: 10 });
    pass(1000);
    expect(tell({ gcode_state: 'FAILED' })).toMatchObject([{ print: 'PRINT_UNKNOWN' }]);
    set(-AHEAD * 1000);
    pass(16_000);
    const ended = hear('pingresp', null);
    expect(ended).toMatchObject([{ at: instant(18 - AHEAD), print: { end: { at: instant(2 - AHEAD) } } }]);
  });

  test('a print that runs keeps its duration when the clock is set forward, unless the machine has counted that time', () => {
    const print = followFromRow({ ...row, startedAt: instant(0), seenAt: instant(1000) });
    const moved = { startedAt: instant(AHEAD), seenAt: instant(AHEAD + 1000) };
    const reading = (seconds: number) => state(AHEAD + 1001, counted(seconds)).print as PrintReading;
    expect(shiftAfterClockChange(print, reading(991), AHEAD * 1000)).toMatchObject(moved);
    expect(shiftAfterClockChange(print, null, AHEAD * 1000)).toMatchObject(moved);
    // The computer slept.
    expect(shiftAfterClockChange(print, reading(990 + AHEAD), AHEAD * 1000)).toBe(print);
    expect(shiftAfterClockChange(print, reading(991), -AHEAD * 1000)).toBe(print);
    expect(shiftAfterClockChange(print, reading(991), 60_000)).toBe(print);
  });
});
