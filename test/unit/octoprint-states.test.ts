// What OctoPrint's flags and events say about its printer, and what the adapter requests after a print.

import type { StateReading } from '../../src/farm/print-rules/print.model';
import type { LastKnown, MachineMessage } from '../../src/machines/machine-adapter';
import { octoprint } from '../../src/machines/octoprint/adapter';
import { instant } from '../recordings/recording';
import { AdapterRun } from '../support/adapter-run';

/** A connection, in seconds since it was opened. */
class Heard extends AdapterRun {
  constructor(opened: Partial<LastKnown> = {}) {
    super(octoprint, opened);
  }

  current(at: number, state: object, job: object = {}, progress: object = {}): this {
    const current = { state, job, progress, serverTime: Date.parse(instant(at)) / 1000 };
    return this.receive(at, { source: 'push', body: { current } });
  }

  event(at: number, type: string, payload: object = {}): this {
    return this.receive(at, { source: 'push', body: { event: { type, payload } } });
  }

  override get last(): StateReading {
    return super.last as StateReading;
  }
}

const IDLE = { text: 'Operational', flags: { operational: true, ready: true } };
const PRINTING = { text: 'Printing', flags: { operational: true, printing: true } };
const CUBE = { file: { path: 'cube.gcode', name: 'cube.gcode', origin: 'local' } };
const CLOSED = { operational: false, closedOrError: true };
const LONG = 'x'.repeat(300);

test.each<[string, object, string, string | null]>([
  ['Operational', { operational: true, ready: true }, 'IDLE', null],
  ['Offline', CLOSED, 'OFFLINE', 'Offline'],
  ['Opening serial connection', { operational: false }, 'OFFLINE', 'Opening serial connection'],
  ['Detecting serial connection', { operational: false }, 'OFFLINE', 'Detecting serial connection'],
  ['Connecting', { operational: false }, 'OFFLINE', 'Connecting'],
  ['Offline after error', { ...CLOSED, error: true }, 'OFFLINE', 'Offline after error'],
  ['Error', { ...CLOSED, error: true }, 'ERROR', 'Error'],
  ['Sending file to SD', { operational: true, printing: true }, 'PREPARING', null],
  ['Transferring file to SD', { operational: true, printing: true }, 'PREPARING', null],
  ['Printing from SD', { operational: true, printing: true }, 'PRINTING', null],
])('%s %j', (text, flags, activity, message) => {
  const card = { file: { path: 'cube.gco', name: 'cube.gco', origin: 'sdcard' } };
  expect(new Heard().current(1, { text, flags, error: '' }, card).last).toMatchObject({ activity, message });
});

test.each([
  ['Connection error', 'Connection error'],
  [LONG, LONG.slice(0, 200)],
])('the error of a printer that is off is reported, with at most 200 characters', (error, message) => {
  const { last } = new Heard().current(1, { text: 'Offline after error', flags: CLOSED, error });
  expect(last).toMatchObject({ activity: 'OFFLINE', message, print: 'NO_PRINT' });
});

test('a printer that its firmware stopped reports a fault, although OctoPrint has closed the connection', () => {
  const error = 'Thermal Runaway, system stopped! Heater_ID: 0';
  const { last } = new Heard().current(1, { text: 'Offline after error', flags: CLOSED, error });
  expect(last).toMatchObject({ activity: 'ERROR', message: error, print: 'NO_PRINT' });
});

test.each([
  ['the event of the pause names a user', { user: 'anna' }, true],
  ['the event of the pause names nobody', {}, false],
])('a pause is by a user if %s', (_, payload, isPausedByUser) => {
  const heard = new Heard().current(1, IDLE).event(2, 'PrintStarted', { path: 'cube.gcode', name: 'cube.gcode' });
  const pausing = { text: 'Pausing', flags: { operational: true, printing: true, pausing: true } };
  const paused = { text: 'Paused', flags: { operational: true, paused: true } };
  heard.current(3, PRINTING, CUBE, { printTime: 1 }).current(9, pausing, CUBE, { printTime: 7 });
  heard.event(10, 'PrintPaused', { path: 'cube.gcode', ...payload }).current(11, paused, CUBE, { printTime: 8 });
  expect(heard.last).toMatchObject({ activity: 'PAUSED', isPausedByUser });
  heard.event(20, 'PrintResumed', { path: 'cube.gcode' }).current(21, PRINTING, CUBE, { printTime: 9 });
  expect(heard.last).toMatchObject({ activity: 'PRINTING', isPausedByUser: false });
});

test('a print that starts after the push of its flags is one print', () => {
  const session = new Heard().current(1, IDLE).current(3, PRINTING, CUBE, { printTime: 0 });
  session.event(3.1, 'PrintStarted', { path: 'cube.gcode' }).current(5, PRINTING, CUBE, { printTime: 2 });
  const ordinals = session.readings.flatMap(({ print }) => (typeof print === 'string' ? [] : [print.ordinal]));
  expect(ordinals).toEqual([1, 1]);
});

test('flags that were held back do not affect the print that has started', () => {
  const finishing = { text: 'Finishing', flags: { operational: true, printing: true, finishing: true } };
  const session = new Heard().current(1, IDLE).event(3, 'PrintStarted', { path: 'cube.gcode' });
  session.event(5, 'PrintDone', { path: 'cube.gcode' }).event(5.2, 'PrintStarted', { path: 'cube.gcode' });
  session
    .current(5.4, finishing, CUBE, { completion: 100, printTime: 2 })
    .current(7, PRINTING, CUBE, { completion: 1 });
  expect(session.last.print).toMatchObject({ ordinal: 2, progress: '0.01' });
  expect(session.readings.filter(({ print }) => typeof print !== 'string' && print.progress === '1')).toEqual([]);
});

describe('a print from the card that prints again after a pause', () => {
  const card = { file: { path: 'cube.gco', name: 'cube.gco', origin: 'sdcard' } };
  const printing = { text: 'Printing from SD', flags: { operational: true, printing: true } };
  const paused = { text: 'Paused', flags: { operational: true, paused: true } };
  const halted = () => {
    const session = new Heard().current(1, IDLE);
    session.event(3, 'PrintStarted', { path: 'cube.gco', origin: 'sdcard', user: 'anna' });
    session.current(60, printing, card, { completion: 50, printTime: 57 });
    return session.event(61, 'PrintPaused', { path: 'cube.gco' }).current(90, paused, card, { printTime: 87 });
  };
  const listPrints = ({ readings }: Heard) =>
    readings.flatMap(({ print }) => (typeof print === 'string' ? [] : [[print.ordinal, print.end?.outcome ?? null]]));

  test('because a user resumed it at the printer is the same print', () => {
    const session = halted().event(100, 'PrintStarted', { path: 'cube.gco', origin: 'sdcard' });
    session.current(105, printing, card, { completion: 51, printTime: 5 });
    session.current(110, printing, card, { completion: 52, printTime: 10 });
    expect(session.last.print).toMatchObject({ ordinal: 1, end: null, paused: false, counter: { seconds: 10 } });
    expect(new Set(listPrints(session).map(String))).toEqual(new Set(['1,']));
  });

  test('because a user restarted it is another print', () => {
    const session = halted().event(100, 'PrintStarted', { path: 'cube.gco', origin: 'sdcard', user: 'anna' });
    expect(listPrints(session).slice(-2)).toEqual([
      [1, 'CANCELLED'],
      [2, null],
    ]);
  });
});

describe('amounts after the end', () => {
  const DATE = Date.parse(instant(-100)) / 1000;
  const answer = (path: string, date: number | null, length: number | null): MachineMessage => ({
    source: '/api/files/local/',
    parameters: { path },
    body: { path, date, gcodeAnalysis: length === null ? undefined : { filament: { tool0: { length } } } },
  });
  const printed = () =>
    new Heard()
      .current(1, IDLE)
      .event(3, 'PrintStarted', { path: 'cube.gcode' })
      .event(10, 'PrintDone', { path: 'cube.gcode' });
  const listPlans = ({ readings }: Heard) => readings.flatMap((one) => (one.kind === 'PLAN' ? [one] : []));

  test('are requested every 10 s for a minute, and then when an analysis is announced', () => {
    const session = printed();
    for (let at = 12; at < 120; at += 2) {
      session.current(at, IDLE, CUBE).receive(at, answer('cube.gcode', DATE, null));
    }
    expect(session.asks.map(({ at }) => at)).toEqual([10, 20, 30, 40, 50, 60, 70]);
    session.event(130, 'MetadataAnalysisFinished', { path: 'cube.gcode', origin: 'local' });
    expect(session.asks.at(-1)).toMatchObject({ at: 130, ask: { parameters: { path: 'cube.gcode' } } });
    session.receive(130, answer('cube.gcode', DATE, 640));
    expect(listPlans(session)).toEqual([
      {
        kind: 'PLAN',
        at: instant(130),
        filePath: 'cube.gcode',
        since: instant(-100),
        print: 'PRINT_UNKNOWN',
        plan: { seconds: null, slots: [{ slot: 'tool:0', mm: '640', grams: null }] },
      },
    ]);
  });

  test('are no longer requested when they are known', () => {
    const session = printed()
      .receive(11, answer('cube.gcode', DATE, 640))
      .current(30, IDLE, CUBE);
    expect([session.asks.length, listPlans(session).length]).toEqual([1, 1]);
  });

  test('are requested by a new connection, once it knows the clock of the machine', () => {
    const session = new Heard({ unplanned: { filePath: 'cube.gcode', endedAt: instant(-30) } });
    expect(session.asks).toEqual([]);
    for (let at = 1; at < 60; at += 1) session.current(at, IDLE);
    expect(session.asks.map(({ at }) => at)).toEqual([1, 11, 21]);
  });

  test.each([
    ['a file that changed later', Date.parse(instant(400)) / 1000, []],
    ['a file without a date', null, [instant(40)]],
    ['a file of long ago', 1, [instant(100 - 24 * 3600)]],
  ])('%s', (_, date, since) => {
    const session = printed().receive(100, answer('cube.gcode', date, 640));
    expect(listPlans(session).map((one) => one.since)).toEqual(since);
  });

  test('a file on the card has none', () => {
    const session = new Heard().current(1, IDLE);
    session
      .event(3, 'PrintStarted', { path: 'cube.gco', origin: 'sdcard' })
      .event(10, 'PrintDone', { path: 'cube.gco' });
    expect(session.current(30, IDLE).asks).toEqual([]);
  });
});
