// Recordings of an OctoPrint, and the prints that are in them.
import { octoprint } from '../../../src/devices/octoprint/adapter';
import type { CannotTell, ExpectedPrint, Recording } from '../recording';
import { OctoPrintMachine } from './machine';

const CUBE = 'parts/cube.gcode';

function recording(
  name: string,
  play: (machine: OctoPrintMachine) => void,
  expected: ExpectedPrint[],
  cannotTell: CannotTell[] = [],
): Recording {
  const machine = new OctoPrintMachine();
  machine.files = { [CUBE]: { length: [1000], last: null }, 'two.gcode': { length: [300, 100], last: null } };
  machine.up();
  machine.rest();
  play(machine);
  machine.rest();
  return { name: `octoprint: ${name}`, adapter: octoprint, steps: machine.steps, expected, cannotTell };
}

const cube = (members: Partial<ExpectedPrint>): ExpectedPrint => ({
  name: 'cube.gcode',
  externalId: null,
  outcome: 'COMPLETED',
  startedAt: 50,
  endedAt: null,
  filament: ['tool:0 1000 - PLANNED'],
  ...members,
});

export const OCTOPRINT: Recording[] = [
  recording('a whole print', (machine) => machine.begin(CUBE).print(100, 99.5).done(), [cube({ endedAt: 150 })]),
  recording(
    'a pause of ten minutes',
    (machine) => machine.begin(CUBE).print(50, 50).pause(600).print(50, 99.5).done(),
    [cube({ endedAt: 750 })],
  ),
  recording('a cancel: PrintCancelled, then PrintFailed', (machine) => machine.begin(CUBE).print(30, 12.5).cancel(), [
    cube({ outcome: 'CANCELLED', endedAt: 80, reason: null, filament: ['tool:0 125 - ESTIMATED'] }),
  ]),
  recording('a failure', (machine) => machine.begin(CUBE).print(30, 12.5).fail('Lost communication with the printer'), [
    cube({
      outcome: 'FAILED',
      endedAt: 80,
      reason: 'Lost communication with the printer',
      filament: ['tool:0 125 - ESTIMATED'],
    }),
  ]),
  recording('OctoPrint is killed in mid-print', (machine) => machine.begin(CUBE).print(30, 12.5).restart(60), [
    cube({ outcome: 'UNRESOLVED', endedAt: null, filament: ['tool:0 1000 - PLANNED'] }),
  ]),
  recording(
    'the print ends while nobody listens',
    (machine) => machine.begin(CUBE).print(50, 50).down().print(50, 99.5).done().wait(500).up(),
    [cube({ endedAt: 150 })],
  ),
  recording(
    'the print is cancelled while nobody listens',
    (machine) => machine.begin(CUBE).print(50, 50).down().print(10, 60).cancel().wait(500).up(),
    // The statistics of a file say that its last print did not succeed, not how it ended.
    [cube({ outcome: 'UNRESOLVED', endedAt: 110, filament: ['tool:0 1000 - PLANNED'] })],
  ),
  recording(
    'the file is printed again while nobody listens',
    (machine) =>
      machine
        .begin(CUBE)
        .print(50, 50)
        .down()
        .print(50, 99.5)
        .done()
        .wait(500)
        .begin(CUBE)
        .print(20, 20)
        .up()
        .print(80, 99.5)
        .done(),
    [cube({ endedAt: 150 }), cube({ startedAt: 650, endedAt: 750 })],
  ),
  recording(
    'a file that is analysed while it prints',
    (machine) => {
      (machine.files[CUBE] as { length: number[] | null }).length = null;
      machine.begin(CUBE);
      machine.print(20, 20);
      (machine.files[CUBE] as { length: number[] | null }).length = [1000];
      machine.print(30, 99.5);
      machine.done();
    },
    [cube({ endedAt: 100 })],
  ),
  recording(
    'a file that is never analysed',
    (machine) => {
      (machine.files[CUBE] as { length: number[] | null }).length = null;
      machine.begin(CUBE);
      machine.print(20, 99.5);
      machine.done();
    },
    [cube({ endedAt: 70, filament: ['tool:0 - - UNKNOWN'] })],
  ),
  recording(
    'the gateway comes late',
    (machine) => {
      machine.link = 'down';
      machine.begin(CUBE);
      machine.print(50, 50);
      machine.steps.length = 0;
      machine.up();
      machine.print(50, 99.5);
      machine.done();
    },
    [cube({ endedAt: 150 })],
  ),
  recording(
    'the same file twice, with a cancel between',
    (machine) => machine.begin(CUBE).print(20, 5).cancel().wait(300).begin(CUBE).print(50, 99.5).done(),
    [
      cube({ outcome: 'CANCELLED', endedAt: 70, filament: ['tool:0 50 - ESTIMATED'] }),
      cube({ startedAt: 370.3, endedAt: 420.3 }),
    ],
  ),
  recording('two tools, each with its plan', (machine) => machine.begin('two.gcode').print(60, 99.5).done(), [
    cube({ name: 'two.gcode', endedAt: 110, filament: ['tool:0 300 - PLANNED', 'tool:1 100 - PLANNED'] }),
  ]),
  recording(
    'a host with the clock of 1970',
    (machine) =>
      machine
        .set({ clockOff: -Math.round(Date.parse('2026-11-20T00:00:00Z') / 1000) })
        .begin(CUBE)
        .print(50, 50)
        .down()
        .print(50, 99.5)
        .done()
        .wait(500)
        .up(),
    [cube({ endedAt: 150 })],
  ),
];
