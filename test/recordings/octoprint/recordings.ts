// Recordings of an OctoPrint, and the prints that must result from them.
import { octoprint } from '../../../src/machines/octoprint/adapter';
import { createRecorder, type ExpectedPrint, type Recording } from '../recording';
import { OctoPrintMachine } from './machine';

const CUBE = 'parts/cube.gcode';

const recording = createRecorder({
  name: 'octoprint',
  adapter: octoprint,
  start: () =>
    new OctoPrintMachine().set({
      files: {
        [CUBE]: { length: [1000] },
        'two.gcode': { length: [300, 100] },
        'new.gcode': { length: null, uploaded: 49 },
      },
    }),
});

const cube = (members: Partial<ExpectedPrint>): ExpectedPrint => ({
  name: 'cube.gcode',
  externalId: null,
  outcome: 'COMPLETED',
  startedAt: 50,
  endedAt: null,
  filament: ['tool:0 1000 - PLANNED'],
  ...members,
});

/** A file on the card has no analysis. */
const card = (members: Partial<ExpectedPrint>): ExpectedPrint =>
  cube({ name: 'cube.gco', filament: ['tool:0 - - UNKNOWN'], ...members });

export const OCTOPRINT: Recording[] = [
  recording('a whole print', (machine) => machine.startPrint(CUBE).print(100, 99.5).completePrint(), [
    cube({ endedAt: 150 }),
  ]),
  recording(
    'a pause of ten minutes',
    (machine) => machine.startPrint(CUBE).print(50, 50).pauseFor(600).print(50, 99.5).completePrint(),
    [cube({ endedAt: 750 })],
  ),
  recording(
    'a cancel: PrintCancelled, then PrintFailed',
    (machine) => machine.startPrint(CUBE).print(30, 12.5).cancel(),
    [cube({ outcome: 'CANCELLED', endedAt: 80, reason: null, filament: ['tool:0 125 - ESTIMATED'] })],
  ),
  recording(
    'a failure',
    (machine) => machine.startPrint(CUBE).print(30, 12.5).fail('Lost communication with the printer'),
    [
      cube({
        outcome: 'FAILED',
        endedAt: 80,
        reason: 'Lost communication with the printer',
        filament: ['tool:0 125 - ESTIMATED'],
      }),
    ],
  ),
  recording('OctoPrint is killed during a print', (machine) => machine.startPrint(CUBE).print(30, 12.5).restart(60), [
    cube({ outcome: 'UNRESOLVED', endedAt: null, filament: ['tool:0 1000 - PLANNED'] }),
  ]),
  recording(
    'the print ends while no gateway runs',
    (machine) => machine.startPrint(CUBE).print(50, 50).down().print(50, 99.5).completePrint().wait(500).up(),
    [cube({ endedAt: 150 })],
  ),
  recording(
    'the print is cancelled while no gateway runs',
    (machine) => machine.startPrint(CUBE).print(50, 50).down().print(10, 60).cancel().wait(500).up(),
    // The statistics of a file show that its last print did not succeed, not how it ended.
    [cube({ outcome: 'UNRESOLVED', endedAt: 110, filament: ['tool:0 1000 - PLANNED'] })],
  ),
  recording(
    'the file is printed again while no gateway runs',
    (machine) =>
      machine
        .startPrint(CUBE)
        .print(50, 50)
        .down()
        .print(50, 99.5)
        .completePrint()
        .wait(500)
        .startPrint(CUBE)
        .print(20, 20)
        .up()
        .print(80, 99.5)
        .completePrint(),
    [cube({ endedAt: 150 }), cube({ startedAt: 650, endedAt: 750 })],
  ),
  recording(
    'a file that is analysed while it prints',
    (machine) => {
      machine.files[CUBE] = { length: null };
      machine.startPrint(CUBE);
      machine.print(20, 20);
      machine.files[CUBE] = { length: [1000] };
      machine.print(30, 99.5);
      machine.completePrint();
    },
    [cube({ endedAt: 100 })],
  ),
  recording(
    'a file that is never analysed',
    (machine) => {
      machine.files[CUBE] = { length: null };
      machine.startPrint(CUBE);
      machine.print(20, 99.5);
      machine.completePrint();
    },
    [cube({ endedAt: 70, filament: ['tool:0 - - UNKNOWN'] })],
  ),
  recording(
    'the gateway comes late',
    (machine) => {
      machine.link = 'down';
      machine.startPrint(CUBE);
      machine.print(50, 50);
      machine.steps.length = 0;
      machine.up();
      machine.print(50, 99.5);
      machine.completePrint();
    },
    [cube({ endedAt: 150 })],
  ),
  recording(
    'the same file twice, with a cancel between',
    (machine) =>
      machine.startPrint(CUBE).print(20, 5).cancel().wait(300).startPrint(CUBE).print(50, 99.5).completePrint(),
    [
      cube({ outcome: 'CANCELLED', endedAt: 70, filament: ['tool:0 50 - ESTIMATED'] }),
      cube({ startedAt: 370.3, endedAt: 420.3 }),
    ],
  ),
  recording('a file is sent to the card of the printer', (machine) => machine.sendToCard('cube.gco', 120), []),
  recording(
    'a print from the card',
    (machine) => machine.startPrintFromCard('cube.gco').print(100, 99.5).completePrint(),
    [card({ endedAt: 150 })],
  ),
  recording(
    'a print from the card pauses twice, for seven minutes each',
    (machine) =>
      machine
        .startPrintFromCard('cube.gco')
        .print(60, 40)
        .pauseFor(420)
        .print(20, 50)
        .pauseFor(420)
        .print(20, 99.5)
        .completePrint(),
    [card({ endedAt: 990 })],
  ),
  recording(
    'a print from the card is cancelled in a pause',
    (machine) => machine.startPrintFromCard('cube.gco').print(60, 50).halt(100).cancel(),
    [card({ outcome: 'CANCELLED', endedAt: 210 })],
  ),
  recording(
    'a restart during a pause',
    (machine) => machine.startPrint(CUBE).print(200, 25).halt(60).restartPrint().print(100, 99.5).completePrint(),
    [
      cube({ outcome: 'CANCELLED', endedAt: 310, filament: ['tool:0 250 - ESTIMATED'] }),
      cube({ startedAt: 310, endedAt: 410 }),
    ],
    [
      {
        why: 'A gateway that connects after the second print has started cannot know how the first one ended.',
        from: 310.5,
        to: 310.5,
        expected: [
          cube({ outcome: 'UNRESOLVED', endedAt: null, filament: ['tool:0 1000 - PLANNED'] }),
          cube({ startedAt: 310, endedAt: 410 }),
        ],
      },
    ],
  ),
  recording(
    'a restart during a pause, from the card',
    (machine) =>
      machine.startPrintFromCard('cube.gco').print(200, 25).halt(60).restartPrint().print(100, 99.5).completePrint(),
    [card({ outcome: 'CANCELLED', endedAt: 310 }), card({ startedAt: 310, endedAt: 410 })],
    [
      {
        why: 'A gateway that connects after the second print has started cannot know how the first one ended.',
        from: 310.5,
        to: 310.5,
        expected: [card({ outcome: 'UNRESOLVED', endedAt: null }), card({ startedAt: 310, endedAt: 410 })],
      },
    ],
    {
      why: 'OctoPrint keeps no statistics of files on the card, so the print that is running after the gap looks like the first one.',
      outcome: 'COMPLETED',
    },
  ),
  recording(
    'the same file again immediately',
    (machine) =>
      machine.startPrint(CUBE).print(50, 99.5).completePrint().wait(0.4).startPrint(CUBE).print(30, 12.5).cancel(),
    [
      cube({ endedAt: 100 }),
      cube({ startedAt: 100.4, outcome: 'CANCELLED', endedAt: 130.7, filament: ['tool:0 125 - ESTIMATED'] }),
    ],
  ),
  recording(
    'uploaded and printed: its analysis arrives after the end',
    (machine) => machine.startPrint('new.gcode').print(30, 99.5).completePrint().wait(1.5).analysed('new.gcode', [640]),
    [cube({ name: 'new.gcode', endedAt: 80, filament: ['tool:0 640 - PLANNED'] })],
  ),
  recording(
    'uploaded, printed and cancelled: its analysis arrives after the end',
    (machine) => machine.startPrint('new.gcode').print(30, 25).cancel().wait(1.5).analysed('new.gcode', [640]),
    [cube({ name: 'new.gcode', outcome: 'CANCELLED', endedAt: 80.3, filament: ['tool:0 160 - ESTIMATED'] })],
  ),
  recording(
    'two prints of a file that is analysed after both',
    (machine) =>
      machine
        .startPrint('new.gcode')
        .print(200, 99.5)
        .completePrint()
        .wait(1)
        .startPrint('new.gcode')
        .print(300, 99.5)
        .completePrint()
        .wait(1.5)
        .analysed('new.gcode', [640]),
    [
      cube({ name: 'new.gcode', endedAt: 250, filament: ['tool:0 640 - PLANNED'] }),
      cube({ name: 'new.gcode', startedAt: 251, endedAt: 551, filament: ['tool:0 640 - PLANNED'] }),
    ],
  ),
  recording(
    'the analysis is of a file that replaced the one that was printed',
    (machine) => {
      machine.startPrint('new.gcode').print(30, 99.5).completePrint().wait(20).replace('new.gcode');
      machine.wait(2).analysed('new.gcode', [9999]);
    },
    [cube({ name: 'new.gcode', endedAt: 80, filament: ['tool:0 - - UNKNOWN'] })],
  ),
  recording(
    'a fault of the firmware, and OctoPrint stays connected',
    (machine) => machine.startPrint(CUBE).print(30, 12.5).cancel('MINTEMP triggered, system stopped!'),
    [
      cube({
        outcome: 'FAILED',
        endedAt: 80,
        reason: 'MINTEMP triggered, system stopped!',
        filament: ['tool:0 125 - ESTIMATED'],
      }),
    ],
    [
      {
        why: 'Only the first event of the end contains the error.',
        from: 80.05,
        to: 80.25,
        expected: [cube({ outcome: 'CANCELLED', endedAt: 80, reason: null, filament: ['tool:0 125 - ESTIMATED'] })],
      },
    ],
    { why: 'Only the first event of the end contains the error.', outcome: 'CANCELLED' },
  ),
  recording(
    'the printer is switched off and on while it prints',
    (machine) => machine.startPrint(CUBE).print(30, 12.5).reset(),
    [cube({ outcome: 'FAILED', endedAt: 80, reason: 'The printer was reset', filament: ['tool:0 125 - ESTIMATED'] })],
    [
      {
        why: 'A gateway that connects when the printer is idle again has only the statistics that OctoPrint keeps of the file.',
        from: 80.15,
        to: 80.35,
        expected: [cube({ outcome: 'UNRESOLVED', endedAt: 80 })],
      },
    ],
    { why: 'After its first event, OctoPrint reports it as a cancel.', outcome: 'CANCELLED' },
  ),
  recording(
    'OctoPrint loses its printer in a pause',
    (machine) =>
      machine.startPrint(CUBE).print(30, 12.5).halt(50).offline('Offline after error', 'SerialException: gone'),
    [
      cube({
        outcome: 'FAILED',
        endedAt: 130,
        reason: 'SerialException: gone',
        filament: ['tool:0 125 - ESTIMATED'],
      }),
    ],
  ),
  recording(
    'a user disconnects the printer while it prints',
    (machine) => machine.startPrint(CUBE).print(30, 12.5).fail(''),
    [
      cube({
        outcome: 'FAILED',
        endedAt: 80,
        reason: 'The connection to the printer was closed',
        filament: ['tool:0 125 - ESTIMATED'],
      }),
    ],
  ),
  recording(
    'a user disconnects the printer during a pause',
    (machine) => machine.startPrint(CUBE).print(30, 12.5).halt(20).offline('Offline'),
    [
      cube({
        outcome: 'FAILED',
        endedAt: 100,
        reason: 'The connection to the printer was closed',
        filament: ['tool:0 125 - ESTIMATED'],
      }),
    ],
  ),
  recording('a printer that is off', (machine) => machine.offline('Offline').stayIdle().online(), []),
  recording(
    'two tools, each with its plan',
    (machine) => machine.startPrint('two.gcode').print(60, 99.5).completePrint(),
    [cube({ name: 'two.gcode', endedAt: 110, filament: ['tool:0 300 - PLANNED', 'tool:1 100 - PLANNED'] })],
  ),
  recording('two tools, cancelled early', (machine) => machine.startPrint('two.gcode').print(30, 12.5).cancel(), [
    cube({
      name: 'two.gcode',
      outcome: 'CANCELLED',
      endedAt: 80,
      filament: ['tool:0 37.5 - ESTIMATED', 'tool:1 12.5 - ESTIMATED'],
    }),
  ]),
  recording(
    'a host with the clock of 1970',
    (machine) =>
      machine
        .set({ epoch: 8 * 3600 })
        .startPrint(CUBE)
        .print(50, 50)
        .down()
        .print(50, 99.5)
        .completePrint()
        .wait(500)
        .up(),
    [cube({ endedAt: 150 })],
  ),
];
