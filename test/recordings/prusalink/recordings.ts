// Recordings of printers behind PrusaLink, and the prints that must result from them.
import { prusalink } from '../../../src/machines/prusalink/adapter';
import { createRecorder, type ExpectedPrint, type Recording } from '../recording';
import { PrusaLinkMachine } from './machine';

const recording = createRecorder({
  name: 'prusalink',
  adapter: prusalink,
  start: () => new PrusaLinkMachine(),
  end: () => {},
});

const cube = (members: Partial<ExpectedPrint>): ExpectedPrint => ({
  name: 'cube_0.2mm.bgcode',
  externalId: '42',
  outcome: 'COMPLETED',
  startedAt: 30,
  endedAt: null,
  filament: ['tool:0 - - UNKNOWN'],
  ...members,
});

const CUBE = 'cube_0.2mm.bgcode';
const GRAMS = { 'filament used [g]': 2.95, 'filament used [mm]': '990.25', layer_height: 0.2 };
/** A slicer writes them like this, also for the tools that it does not use. */
const BY_TOOL = { 'filament used [g]': '0.9, 0.0, 0.3', 'filament used [mm]': '300, 0.0, 100.5' };

export const PRUSALINK: Recording[] = [
  recording(
    'a whole print of a Buddy board',
    (machine) => machine.startPrint(CUBE).show('BUSY', 10).print(60, 100).over('FINISHED').stayIdle(),
    [cube({ startedAt: 40, endedAt: 110 })],
  ),
  recording(
    'a whole print of a Raspberry',
    (machine) => machine.set({ isRaspberry: true }).startPrint(CUBE, GRAMS).print(60, 100).over('FINISHED').stayIdle(),
    [cube({ endedAt: 100, filament: ['tool:0 990.25 2.95 PLANNED'] })],
  ),
  recording(
    'two tools of a Raspberry, each with its plan',
    (machine) =>
      machine.set({ isRaspberry: true }).startPrint(CUBE, BY_TOOL).print(60, 100).over('FINISHED').stayIdle(),
    [cube({ endedAt: 100, filament: ['tool:0 300 0.9 PLANNED', 'tool:2 100.5 0.3 PLANNED'] })],
  ),
  recording(
    'a pause and a question during a print',
    (machine) =>
      machine
        .startPrint(CUBE)
        .print(30, 40)
        .show('PAUSED', 300)
        .print(20, 70)
        .show('ATTENTION', 60)
        .print(20, 100)
        .over('FINISHED')
        .stayIdle(),
    [cube({ endedAt: 470 })],
  ),
  recording(
    'a cancel of a Raspberry: a share of the time is not a share of the filament',
    (machine) => machine.startPrint(CUBE, GRAMS).print(30, 49).over('STOPPED').stayIdle(),
    [cube({ outcome: 'CANCELLED', endedAt: 70 })],
  ),
  recording(
    'a failure: ERROR, and then no job',
    (machine) =>
      machine
        .startPrint(CUBE)
        .print(30, 40)
        .set({ fault: 'Heating failed: nozzle' })
        .show('ERROR', 20)
        .set({ job: null })
        .show('ERROR', 20)
        .set({ fault: null })
        .stayIdle(),
    [cube({ outcome: 'FAILED', endedAt: 105, reason: 'Heating failed: nozzle' })],
    [
      {
        why: 'after the ERROR the printer shows only that it is idle',
        from: 80,
        to: 100,
        expected: [cube({ outcome: 'UNRESOLVED', endedAt: null })],
      },
    ],
  ),
  recording(
    'the printer is reset during a print',
    (machine) => machine.startPrint(CUBE).print(30, 40).down().wait(60).set({ job: null }).up().stayIdle(),
    [cube({ outcome: 'UNRESOLVED', endedAt: null })],
  ),
  recording(
    'the print ends while no gateway runs, and its plate is not cleared',
    (machine) =>
      machine
        .startPrint(CUBE)
        .print(30, 40)
        .down()
        .print(30, 100)
        .over('FINISHED')
        .wait(3600)
        .up()
        .show('FINISHED', 10)
        .stayIdle(),
    // No later than the remaining time that the printer reported.
    [cube({ endedAt: 60 })],
  ),
  recording(
    'the next print runs when the gateway is back',
    (machine) =>
      machine
        .startPrint(CUBE)
        .print(30, 40)
        .down()
        .print(30, 100)
        .over('FINISHED')
        .wait(600)
        .startPrint(CUBE)
        .print(30, 40)
        .up()
        .print(30, 100)
        .over('FINISHED')
        .stayIdle(),
    [cube({ outcome: 'UNRESOLVED', endedAt: null }), cube({ externalId: '43', startedAt: 715, endedAt: 785 })],
    [],
    { why: 'FINISHED names no job, so it may be the end of a later job', outcome: 'COMPLETED' },
  ),
  recording(
    'the gateway comes late',
    (machine) => {
      machine.link = 'down';
      machine.startPrint(CUBE);
      machine.print(60, 50);
      machine.steps.length = 0;
      machine.up();
      machine.print(60, 100);
      machine.over('FINISHED');
      machine.stayIdle();
    },
    [cube({ startedAt: 30, endedAt: 160 })],
  ),
  recording(
    'ids of 16 bits start again at 0',
    (machine) => {
      machine.nextId = 65535;
      for (let prints = 0; prints < 2; prints += 1) {
        machine.startPrint(CUBE);
        machine.print(30, 100);
        machine.over('FINISHED');
        machine.stayIdle();
      }
    },
    [cube({ externalId: '65535', endedAt: 70 }), cube({ externalId: '0', startedAt: 115, endedAt: 155 })],
  ),
  recording(
    'a job without a file',
    (machine) => machine.startPrint('').set({ file: {} }).print(30, 100).over('FINISHED').stayIdle(),
    [cube({ name: 'Job 42', endedAt: 70 })],
  ),
];
