// The clock of this computer was ahead, and was corrected: a stored time in the future is ignored.

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
import { createEmptyReading } from '../../src/machines/machine-adapter';
import { moonraker } from '../../src/machines/moonraker/adapter';
import { discardFutureTime } from '../../src/values/instant';
import { instant } from '../recordings/recording';
import { AdapterRun } from '../support/adapter-run';

const HOURS = 3600;
/** Seconds by which the clock was ahead. */
const AHEAD = 6 * HOURS;

const machine = PRINTER_KINDS.MOONRAKER;

/** Started 1,000 s before the clock was corrected, and last seen 10 s before. */
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
  print: { ...createEmptyReading(1), name: 'cube.gcode', filePath: 'cube.gcode', ...print },
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
])('the stored time %s is judged: %s', (stored, expected) => {
  expect(discardFutureTime(stored, instant(0))).toBe(expected);
});

describe('a print that ran while the clock was ahead', () => {
  test.each<[string, Partial<RunningPrint>, StateReading, number]>([
    ['by the counter of its machine', {}, state(2000, counted(1890)), 100],
    [
      'that pauses, by its counter and the pause before',
      { startedAt: instant(AHEAD - 500) },
      state(2000, counted(990)),
      500,
    ],
    ['that started before the clock was ahead', { startedAt: instant(-50) }, state(2000, counted(1890)), -50],
    ['without a counter, as if it was received just now', { counter: null }, state(2000, { progress: '0.5' }), 1000],
  ])('continues %s', (_, members, reading, startedAt) => {
    const before = known(members);
    // A missing time changes no time of the print.
    expect(evaluate(before, { ...reading, print: 'PRINT_UNKNOWN' }).running).toBe(before.running);
    const { running, decisions } = evaluate(before, reading);
    expect(decided({ running, decisions })).toEqual(['SAVE']);
    expect([running?.seenAt, running?.startedAt]).toEqual([instant(2000), instant(startedAt)]);
    // Its next checkpoint is as late as that of any other print.
    expect(decided(evaluate({ ...before, running }, state(2029, counted(1920))))).toEqual([]);
    expect(decided(evaluate({ ...before, running }, state(2031, counted(1922))))).toEqual(['SAVE']);
  });

  test('by a minute only, as the clock of another computer may be, keeps its start', () => {
    const print = { startedAt: instant(1030), seenAt: instant(1060), counter: null };
    const { running, decisions } = evaluate(known(print), state(1000, {}));
    expect([decisions, running?.startedAt, running?.seenAt]).toEqual([[], instant(1000), instant(1000)]);
  });

  test('is a different print if its counter fell or its file differs', () => {
    expect(decided(evaluate(known({}), state(2000, counted(10))))).toEqual(['END', 'BEGIN']);
    expect(decided(evaluate(known({}), state(2000, { filePath: 'other.gcode' })))).toEqual(['END', 'BEGIN']);
  });

  test('ends now, and not in the future', () => {
    const end = { outcome: 'COMPLETED' as const, at: null, estimated: true, reason: null };
    const { decisions } = evaluate(known({}), state(2000, { ...counted(1500), end }));
    const [ended] = decisions;
    expect(ended).toMatchObject({ do: 'END', print: { startedAt: instant(490) }, ending: { at: instant(2000) } });
  });

  test('that is no longer reported waits for a user, with a start in the past', () => {
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

  test('does not replace the next print of its file', () => {
    const startedState = state(2000, { startedAt: instant(1990) });
    expect(decided(evaluate(known(null, [over]), startedState))).toEqual(['BEGIN']);
    expect(decided(evaluate(known(null, [{ ...over, externalId: null }]), startedState))).toEqual(['BEGIN']);
  });

  test('continues if its outcome is unknown', () => {
    const reading = state(2000, { startedAt: instant(1000) });
    const { running, decisions } = evaluate(known(null, [{ ...over, outcome: 'UNRESOLVED' }]), reading);
    expect([decisions[0]?.do, running?.startedAt]).toEqual(['REOPEN', instant(1000)]);
  });
});

test('what runs on a device that was added while the clock was ahead is recorded', () => {
  const end = { outcome: 'COMPLETED' as const, at: instant(900), estimated: false, reason: null };
  const print = { ...createEmptyReading(0), externalId: '1', name: 'a', startedAt: instant(500), end };
  const record = { kind: 'RECORD' as const, at: instant(1000), print };
  const before = { running: null, ended: [], lastContactAt: instant(1000), machine };
  expect(decided(evaluate({ ...before, addedAt: null }, record))).toEqual(['RECORD']);
  expect(decided(evaluate({ ...before, addedAt: instant(600) }, record))).toEqual([]);
});

test('the state of a printer is written, also if the last state was written while the clock was ahead', () => {
  const [first, next] = [
    toPrinterState(state(AHEAD, { progress: '0.1' })),
    toPrinterState(state(10, { progress: '0.2' })),
  ];
  expect(isDue({ state: first, at: instant(AHEAD) }, next, instant(10))).toBe(true);
});

test('if the clock of a machine is hours behind, prints that ended while no gateway ran are requested by that clock', () => {
  const BEHIND = 5 * HOURS;
  const toMachineTime = (at: number) => Date.parse(instant(at)) / 1000 - BEHIND;
  const history = { source: 'server.history.list', parameters: { limit: 1000, order: 'desc' } };
  const listening = new AdapterRun(moonraker, { lastContactAt: instant(0) }, 7200);
  const takeAsks = () => listening.asks.splice(0).map(({ ask }) => ask);
  expect(takeAsks()).toMatchObject([{ source: 'server.spoolman.status' }, { source: 'printer.objects.list' }]);
  listening.receive(7200, { source: 'printer.objects.list', body: { objects: ['print_stats'] } });
  expect(takeAsks()).toMatchObject([{ source: 'printer.objects.subscribe' }, history]);
  const status = { print_stats: { state: 'standby', filename: '', total_duration: 0 } };
  listening.receive(7201, { source: 'printer.objects.subscribe', body: { status } });
  listening.receive(7201, { source: 'server.history.list', body: { jobs: [] } });
  const beat = { source: 'notify_proc_stat_update', body: [{ moonraker_stats: { time: toMachineTime(7202) } }] };
  listening.receive(7202, beat);
  expect(takeAsks()).toEqual([{ ...history, parameters: { ...history.parameters, since: toMachineTime(-3600) } }]);
  listening.receive(7203, beat);
  expect(takeAsks()).toEqual([]);
  const job = {
    job_id: '1',
    filename: 'a.gcode',
    status: 'completed',
    start_time: toMachineTime(3600),
    end_time: toMachineTime(5400),
  };
  const jobs = [{ ...job, total_duration: 1800 }];
  const [record] = listening.receiveReadings(7204, { source: 'server.history.list', body: { jobs } });
  const print = { startedAt: instant(3600), end: { outcome: 'COMPLETED', at: instant(5400) } };
  expect(record).toMatchObject({ kind: 'RECORD', print });
});

describe('a clock that is set while a machine is connected', () => {
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

  test('does not move the time of its connection, and the size of the step is known', () => {
    pass(5000);
    set(-AHEAD * 1000);
    pass(5000);
    expect([ours.now(), ours.setByMs()]).toEqual([instant(10), -AHEAD * 1000]);
    // The two clocks are not read at the same moment.
    set(AHEAD * 1000 + 900);
    expect(ours.setByMs()).toBe(0);
  });

  test('moves the times that were received before', () => {
    const end = { outcome: null, at: instant(7), estimated: false, reason: null };
    const reportedState = state(8, { startedAt: instant(1), end });
    const print = {
      ...(reportedState.print as PrintReading),
      startedAt: instant(-9),
      end: { ...end, at: instant(-3) },
    };
    expect(shiftTimes(reportedState, -10_000)).toEqual({ ...reportedState, at: instant(-2), print });
    expect(shiftTimes(reportedState, 0)).toBe(reportedState);
    expect(shiftTimes({ ...reportedState, print: 'NO_PRINT' }, 5000)).toMatchObject({
      at: instant(13),
      print: 'NO_PRINT',
    });
    const plan = { filePath: 'cube.gcode', plan: { seconds: null, slots: [] } };
    const late: PlanReading = { kind: 'PLAN', at: instant(8), since: instant(5), print: 'PRINT_UNKNOWN', ...plan };
    expect(shiftTimes(late, -10_000)).toEqual({ ...late, at: instant(-2), since: instant(-5) });
  });

  test('the wait for the code of a cancel is as long as any other', () => {
    const listening = new AdapterRun(bambu);
    const receiveMessage = (source: string, body: unknown) => {
      const at = (Date.parse(ours.now()) - Date.parse(instant(0))) / 1000;
      return listening.receiveReadings(at, { source, body }).map((reading) => shiftTimes(reading, ours.setByMs()));
    };
    const sendMembers = (members: object) =>
      receiveMessage('report', { print: { command: 'push_status', subtask_name: 'cube', ...members } });
    sendMembers({ gcode_state: 'IDLE', subtask_name: 'sphere' });
    pass(1000);
    sendMembers({ gcode_state: 'RUNNING', layer_num: 3, mc_percent: 10 });
    pass(1000);
    expect(sendMembers({ gcode_state: 'FAILED' })).toMatchObject([{ print: 'PRINT_UNKNOWN' }]);
    set(-AHEAD * 1000);
    pass(16_000);
    const ended = receiveMessage('pingresp', null);
    expect(ended).toMatchObject([{ at: instant(18 - AHEAD), print: { end: { at: instant(2 - AHEAD) } } }]);
  });

  test('a running print keeps its duration when the clock is set forward, unless the machine has counted that time', () => {
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
