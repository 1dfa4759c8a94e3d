// Recordings of printers behind PrusaLink, and the prints that are in them.
import { prusalink } from '../../../src/devices/prusalink/adapter';
import type { CannotTell, ExpectedPrint, Recording } from '../recording';
import { PrusaLinkMachine } from './machine';

function recording(
  name: string,
  play: (machine: PrusaLinkMachine) => void,
  expected: ExpectedPrint[],
  cannotTell: CannotTell[] = [],
  inGaps?: Recording['inGaps'],
): Recording {
  const machine = new PrusaLinkMachine();
  machine.up();
  machine.rest();
  play(machine);
  return { name: `prusalink: ${name}`, adapter: prusalink, steps: machine.steps, expected, cannotTell, inGaps };
}

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

export const PRUSALINK: Recording[] = [
  recording(
    'a whole print of a Buddy board',
    (machine) => {
      machine.begin(CUBE);
      machine.show('BUSY', 10);
      machine.print(60, 100);
      machine.over('FINISHED');
      machine.rest();
    },
    [cube({ startedAt: 40, endedAt: 110 })],
  ),
  recording(
    'a whole print of a Raspberry',
    (machine) => {
      machine.isRaspberry = true;
      machine.begin(CUBE, GRAMS);
      machine.print(60, 100);
      machine.over('FINISHED');
      machine.rest();
    },
    [cube({ endedAt: 100, filament: ['tool:0 990.25 2.95 PLANNED'] })],
  ),
  recording(
    'a pause and a question in mid-print',
    (machine) => {
      machine.begin(CUBE);
      machine.print(30, 40);
      machine.show('PAUSED', 300);
      machine.print(20, 70);
      machine.show('ATTENTION', 60);
      machine.print(20, 100);
      machine.over('FINISHED');
      machine.rest();
    },
    [cube({ endedAt: 470 })],
  ),
  recording(
    'a cancel of a Raspberry: a part of the time is no part of the filament',
    (machine) => {
      machine.begin(CUBE, GRAMS);
      machine.print(30, 49);
      machine.over('STOPPED');
      machine.rest();
    },
    [cube({ outcome: 'CANCELLED', endedAt: 70 })],
  ),
  recording(
    'a failure: ERROR, and then no job',
    (machine) => {
      machine.begin(CUBE);
      machine.print(30, 40);
      machine.fault = 'Heating failed: nozzle';
      machine.show('ERROR', 20);
      machine.job = null;
      machine.show('ERROR', 20);
      machine.fault = null;
      machine.rest();
    },
    [cube({ outcome: 'FAILED', endedAt: 105, reason: 'Heating failed: nozzle' })],
    [
      {
        why: 'after the ERROR it shows only that it is idle',
        from: 80,
        to: 100,
        expected: [cube({ outcome: 'UNRESOLVED', endedAt: null })],
      },
    ],
  ),
  recording(
    'the printer is reset in mid-print',
    (machine) => {
      machine.begin(CUBE);
      machine.print(30, 40);
      machine.down();
      machine.wait(60);
      machine.job = null;
      machine.up();
      machine.rest();
    },
    [cube({ outcome: 'UNRESOLVED', endedAt: null })],
  ),
  recording(
    'the print ends while nobody listens, and its plate is not cleared',
    (machine) => {
      machine.begin(CUBE);
      machine.print(30, 40);
      machine.down();
      machine.print(30, 100);
      machine.over('FINISHED');
      machine.wait(3600);
      machine.up();
      machine.show('FINISHED', 10);
      machine.rest();
    },
    // No later than what the printer still wanted.
    [cube({ endedAt: 60 })],
  ),
  recording(
    'the next print runs when somebody listens again',
    (machine) => {
      machine.begin(CUBE);
      machine.print(30, 40);
      machine.down();
      machine.print(30, 100);
      machine.over('FINISHED');
      machine.wait(600);
      machine.begin(CUBE);
      machine.print(30, 40);
      machine.up();
      machine.print(30, 100);
      machine.over('FINISHED');
      machine.rest();
    },
    [cube({ outcome: 'UNRESOLVED', endedAt: null }), cube({ externalId: '43', startedAt: 715, endedAt: 785 })],
    [],
    { why: 'FINISHED names no job: it may be the end of a later one', outcome: 'COMPLETED' },
  ),
  recording(
    'the gateway comes late',
    (machine) => {
      machine.link = 'down';
      machine.begin(CUBE);
      machine.print(60, 50);
      machine.steps.length = 0;
      machine.up();
      machine.print(60, 100);
      machine.over('FINISHED');
      machine.rest();
    },
    [cube({ startedAt: 30, endedAt: 160 })],
  ),
  recording(
    'a replay: the connection is opened three times beside a finished print',
    (machine) => {
      machine.begin(CUBE);
      machine.print(30, 100);
      machine.over('FINISHED');
      for (let times = 0; times < 3; times += 1) {
        machine.down();
        machine.wait(40);
        machine.up();
        machine.show('FINISHED', 10);
      }
    },
    [cube({ endedAt: 70 })],
  ),
  recording(
    'ids of 16 bits begin again at 0',
    (machine) => {
      machine.nextId = 65535;
      for (let prints = 0; prints < 2; prints += 1) {
        machine.begin(CUBE);
        machine.print(30, 100);
        machine.over('FINISHED');
        machine.rest();
      }
    },
    [cube({ externalId: '65535', endedAt: 70 }), cube({ externalId: '0', startedAt: 115, endedAt: 155 })],
  ),
  recording(
    'a job that has no file to tell',
    (machine) => {
      machine.begin('');
      machine.file = {};
      machine.print(30, 100);
      machine.over('FINISHED');
      machine.rest();
    },
    [cube({ name: 'Job 42', endedAt: 70 })],
  ),
];
