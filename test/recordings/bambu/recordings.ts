// Recordings of Bambu printers, and the prints that must result from them.
import { amsOf, unit } from '../../../src/demo/machines/bambu';
import { bambu } from '../../../src/machines/bambu/adapter';
import { createRecorder, type ExpectedPrint, type Recording } from '../recording';
import { BambuMachine, extruders } from './machine';

const SLOT_NOT_HEARD: Recording['inGaps'] = {
  why: 'the active slot is reported while it feeds, and a command of the slicer once',
  filament: ['tool:0 - - UNKNOWN'],
};

const recording = createRecorder({
  name: 'bambu',
  adapter: bambu,
  start: () => new BambuMachine(),
  // Longer than the wait for a code, which a gap may open with.
  end: (machine) => machine.stayIdle().wait(20).ping(),
  inGaps: SLOT_NOT_HEARD,
});

const cube = (members: Partial<ExpectedPrint>): ExpectedPrint => ({
  name: 'cube',
  externalId: null,
  outcome: 'COMPLETED',
  startedAt: 30,
  endedAt: 135,
  filament: ['ams:0:2 - - UNKNOWN'],
  ...members,
});

const CLOUD = { print_type: 'cloud', task_id: '4503601284', subtask_id: '4503601285' };

const NO_SLOT = ['tool:0 - - UNKNOWN'];

const AGAIN: Recording['inGaps'] = {
  ...SLOT_NOT_HEARD,
  why: 'a local print without an id: FINISH may belong to a later print',
  outcome: 'COMPLETED',
};

/** Its power is lost for ten minutes. Then it rests until a user lets it continue. */
function losePower(machine: BambuMachine): void {
  machine.down();
  machine.wait(600);
  machine.report = { ...new BambuMachine().report, subtask_name: 'cube', gcode_file: 'cube.gcode.3mf' };
  machine.up();
  machine.stayIdle(60);
}

export const BAMBU: Recording[] = [
  ...([{}, CLOUD] as const).map((ids) =>
    recording(
      `a loss of power, ${ids === CLOUD ? 'with' : 'without'} an id`,
      (machine) => {
        machine.startPrint(ids).print(6);
        losePower(machine);
        machine.sendReport({ ...ids, gcode_state: 'RUNNING', mc_percent: 76, mc_remaining_time: 1, layer_num: 6 });
        machine.print(4, 6).finish();
      },
      [cube({ ...(ids === CLOUD && { externalId: CLOUD.task_id }), endedAt: 795 })],
      [],
      {
        ...SLOT_NOT_HEARD,
        why: 'if only the start of a print was received, nothing shows after its rest that it continues',
        more: ids === CLOUD ? 0 : 1,
      },
    ),
  ),
  recording(
    'a loss of power, after which the printer prepares and continues',
    (machine) => {
      machine.startPrint().print(6);
      losePower(machine);
      machine.startPrint().wait(10);
      machine.sendReport({ gcode_state: 'RUNNING', mc_percent: 76, mc_remaining_time: 1, layer_num: 6 });
      machine.print(4, 6).finish();
    },
    [cube({ endedAt: 805 })],
    [],
    { ...AGAIN, why: 'if only the start of a print was received, nothing shows that it continues', more: 1 },
  ),
  recording(
    'a loss of power, and the same file from its start',
    (machine) => {
      machine.startPrint().print(6);
      losePower(machine);
      machine.startPrint().print(10).finish();
    },
    [cube({ outcome: 'UNRESOLVED', endedAt: null }), cube({ startedAt: 750, endedAt: 855 })],
    [],
    AGAIN,
  ),
  recording(
    'a layer counter that starts again',
    (machine) => {
      machine.startPrint().print(6);
      for (const layer of [1, 2, 3, 4]) {
        machine.wait(10);
        machine.sendReport({ mc_percent: 76 + layer * 6, mc_remaining_time: 1, layer_num: layer });
      }
      machine.finish();
    },
    [cube({})],
  ),
  recording('a whole print with an id of the cloud beyond 32 bits', (machine) => machine.printWhole(CLOUD), [
    cube({ externalId: '4503601284' }),
  ]),
  recording('a local print with the id 0', (machine) => machine.printWhole(), [cube({})]),
  recording(
    'an X1C: whole pushes, and an id of four digits without a subtask',
    (machine) =>
      machine
        .set({ sendsDeltas: false })
        .printWhole({ task_id: '8123', subtask_id: '', gcode_file: '/data/Metadata/plate_1.gcode' }),
    [cube({})],
  ),
  recording(
    'pauses for another colour and for a runout',
    (machine) =>
      machine
        .startPrint()
        .print(3)
        .sendReport({ gcode_state: 'PAUSE', print_error: 302022662 })
        .stayIdle(60)
        .sendReport({ gcode_state: 'RUNNING', print_error: 0 })
        .print(3, 3)
        .sendReport({ gcode_state: 'PAUSE', print_error: 50364437 })
        .stayIdle(120)
        .sendReport({ gcode_state: 'RUNNING', print_error: 0 })
        .print(4, 6)
        .finish(),
    [cube({ endedAt: 315 })],
  ),
  ...(
    [
      ['print_error 50348044', { print_error: 50348044 }],
      ['print_error 0500_400E', { print_error: 0x0500400e }],
      ['fail_reason', { fail_reason: '50348044' }],
    ] as const
  ).map(([code, members]) =>
    recording(
      `a cancel with its late code: ${code}`,
      (machine) => machine.startPrint().print(4).fail().wait(7).sendReport(members),
      [cube({ outcome: 'CANCELLED', endedAt: 75, reason: null })],
    ),
  ),
  recording(
    'a failure with its code',
    (machine) => machine.startPrint().print(4).sendReport({ print_error: 50364420 }).fail(),
    [cube({ outcome: 'FAILED', endedAt: 75, reason: 'Error 0300_8004' })],
  ),
  recording(
    'a cancel at a P1, which has no code: the printer is silent, and a heartbeat ends the wait',
    (machine) => machine.startPrint().print(4).fail().wait(20).ping(),
    [
      cube({
        outcome: 'FAILED',
        endedAt: 75,
        reason: 'The printer reported no error code. A cancel at a P1 looks the same',
      }),
    ],
  ),
  recording(
    'the code of a cancel stays into the next print, which fails',
    (machine) =>
      machine
        .startPrint(CLOUD)
        .print(4)
        .fail()
        .sendReport({ fail_reason: '50348044' })
        .next()
        .startPrint({ ...CLOUD, task_id: '4503601299', fail_reason: '50348044' })
        .print(4)
        .fail()
        .stayIdle(),
    [
      cube({ externalId: '4503601284', outcome: 'CANCELLED', endedAt: 75 }),
      cube({ externalId: '4503601299', outcome: 'FAILED', startedAt: 136, endedAt: 181 }),
    ],
    [
      {
        why: 'after a cut nothing shows that the code is an old one',
        from: 136,
        to: 199,
        expected: [
          cube({ externalId: '4503601284', outcome: 'CANCELLED', endedAt: 75 }),
          cube({ externalId: '4503601299', outcome: 'CANCELLED', startedAt: 136, endedAt: 181 }),
        ],
      },
    ],
    { ...SLOT_NOT_HEARD, why: 'an old code looks like a code of this print', outcome: 'CANCELLED' },
  ),
  recording(
    'a calibration is not a print',
    (machine) =>
      machine
        .sendReport({
          gcode_state: 'PREPARE',
          print_type: 'system',
          subtask_name: 'auto_cali_for_user',
          gcode_file: '/usr/etc/print/auto_cali_for_user.gcode',
        })
        .print(3)
        .finish(),
    [],
  ),
  recording(
    'the first RUNNING has the layer of the print before',
    (machine) =>
      machine
        .printWhole(CLOUD)
        .stayIdle(60)
        .startPrint({ ...CLOUD, task_id: '4503601299' })
        .wait(5)
        .sendReport({ gcode_state: 'RUNNING' })
        .print(4)
        .fail()
        .sendReport({ print_error: 50348044 }),
    [
      cube({ externalId: '4503601284' }),
      cube({ externalId: '4503601299', outcome: 'CANCELLED', startedAt: 195, endedAt: 245 }),
    ],
  ),
  recording(
    'the printer is switched off during a print',
    (machine) => machine.startPrint().print(4).down().wait(120).set({ report: new BambuMachine().report }).up(),
    [cube({ outcome: 'UNRESOLVED', endedAt: null })],
  ),
  recording(
    'the print ends while no gateway runs',
    (machine) => machine.startPrint(CLOUD).print(9).down().print(1, 9).finish().wait(3600).up(),
    [cube({ externalId: '4503601284', endedAt: 160 })],
  ),
  recording(
    'the local print of an A1 ends while no gateway runs, and its file is cleared',
    (machine) => machine.startPrint().print(9).down().print(1, 9).finish().wait(3600).up(),
    [cube({ endedAt: 160 })],
  ),
  recording(
    'the print fails while no gateway runs, and no code is left',
    (machine) => machine.startPrint(CLOUD).print(4).down().fail().wait(3600).up(),
    [cube({ externalId: '4503601284', outcome: 'UNRESOLVED', endedAt: null })],
    [],
    { ...SLOT_NOT_HEARD, why: 'after a short gap the printer shows FAILED', outcome: 'FAILED' },
  ),
  recording(
    'the gateway comes late',
    (machine) => {
      machine.link = 'down';
      machine.startPrint();
      machine.print(4);
      machine.steps.length = 0;
      machine.up();
      machine.print(6, 4);
      machine.finish();
    },
    [cube({ startedAt: null })],
  ),
  recording(
    'a replay: the connection is opened three times beside a finished print',
    (machine) => {
      machine.startPrint();
      machine.print(10);
      machine.finish();
      for (let times = 0; times < 3; times += 1) {
        machine.down();
        machine.wait(20);
        machine.up();
        machine.stayIdle(10);
      }
    },
    [cube({})],
  ),
  recording(
    'two plates of one project, one after the other',
    (machine) => {
      for (const plate of [1, 2]) {
        machine.startPrint({ gcode_file: `/data/Metadata/plate_${plate}.gcode`, task_id: '8123', subtask_id: '' });
        machine.print(10);
        machine.finish();
        machine.stayIdle(60);
      }
    },
    [cube({}), cube({ startedAt: 195, endedAt: 300 })],
  ),
  recording(
    'the next plate runs when the gateway is back',
    (machine) =>
      machine
        .startPrint({ gcode_file: '/data/Metadata/plate_1.gcode' })
        .print(4)
        .down()
        .finish()
        .wait(600)
        .startPrint({ gcode_file: '/data/Metadata/plate_2.gcode' })
        .print(4)
        .up()
        .print(6, 4)
        .finish(),
    [cube({ startedAt: null, endedAt: 780 }), cube({ outcome: 'UNRESOLVED', endedAt: null })],
    [],
    AGAIN,
  ),
  recording(
    'several slots of an AMS and of an AMS-HT, reported by mapping',
    (machine) => {
      machine.sendsDeltas = false;
      const ams = amsOf(unit(0), unit(1), unit(128, 1));
      machine.startPrint({ ams, mapping: [1, 65535, 258, 512, 65024] });
      machine.print(5);
      machine.sendReport({ ams: { ...ams, tray_now: '6' } });
      machine.print(5, 5);
      machine.finish();
    },
    [cube({ filament: ['ams:0:1', 'ams:1:2', 'ams:128:0', 'ext:0'].map((slot) => `${slot} - - UNKNOWN`) })],
  ),
  recording(
    'an H2D with two extruders, one after the other',
    (machine) => {
      const ams = { ...amsOf(unit(0), unit(1), unit(128, 1)), tray_now: '0' };
      machine.sendsDeltas = false;
      machine.prepare({ ams, mapping: [32768, 65535, 256], device: extruders(0, 256, 32768) });
      machine.print(5);
      machine.sendReport({ device: extruders(1, 256, 32768) });
      machine.print(5, 5);
      machine.finish();
    },
    [cube({ filament: ['ams:128:0', 'ams:1:0'].map((slot) => `${slot} - - UNKNOWN`) })],
  ),
  recording(
    'several slots, reported once by the command of the slicer',
    (machine) =>
      machine
        .sendReport({ ams: amsOf(unit(0), unit(1)) })
        .wait(1)
        .command({ ams_mapping: [0, -1, 5, 254], task_id: '0' })
        .wait(1)
        .prepare({})
        .print(10)
        .finish(),
    [
      cube({
        startedAt: 32,
        endedAt: 137,
        filament: ['ams:0:0', 'ams:1:1', 'ext:0'].map((slot) => `${slot} - - UNKNOWN`),
      }),
    ],
    [
      {
        why: 'the command came before the cut',
        from: 31,
        to: 31,
        expected: [cube({ startedAt: 32, endedAt: 137, filament: ['tool:0 - - UNKNOWN'] })],
      },
    ],
  ),
  recording(
    'a P1P without an AMS, which is silent for 128 s while its print starts',
    (machine) => machine.sendReport({ ams: amsOf() }).prepare({}).wait(128).print(10).finish(),
    [cube({ endedAt: 263, filament: ['ext:0 - - UNKNOWN'] })],
  ),
  recording(
    'a print from the card of an A1: its names come while the printer is idle',
    (machine) =>
      machine
        .printWhole(CLOUD)
        .next()
        .sendReport({
          gcode_state: 'IDLE',
          task_id: '0',
          subtask_id: '0',
          subtask_name: 'cube.3mf',
          gcode_file: 'cube.3mf',
          print_type: 'local',
        })
        .wait(2)
        .sendReport({ gcode_state: 'PREPARE' })
        .wait(4)
        .sendReport({ gcode_state: 'RUNNING', mc_percent: 0, layer_num: 0 })
        .print(10)
        .finish(),
    [cube({ externalId: CLOUD.task_id }), cube({ name: 'cube.3mf', startedAt: 198, endedAt: 307 })],
  ),
  recording(
    'a P1P that prints at the first contact, after the command of a slicer',
    (machine) => {
      machine.answers = false;
      machine.steps.length = 0;
      machine.up();
      machine.wait(1);
      machine.command({ ams_mapping: [-1, 1, -1, -1] });
      machine.link = 'down';
      machine.prepare({ ams: { ...amsOf(unit(0)), tray_now: '1' } });
      machine.steps.pop();
      machine.link = 'up';
      machine.wait(128);
      machine.answers = true;
      machine.sendsDeltas = false;
      machine.sendReport({ gcode_state: 'RUNNING' });
      machine.sendsDeltas = true;
      machine.print(10);
      machine.finish();
    },
    [cube({ startedAt: 31, endedAt: 264, filament: ['ams:0:1 - - UNKNOWN'] })],
    [
      {
        why: 'the command came before the cut',
        from: 31,
        to: 31,
        expected: [cube({ startedAt: null, endedAt: 264, filament: ['ams:0:1 - - UNKNOWN'] })],
      },
    ],
  ),
  recording(
    'plate 2 of a project on an A1, which reports the plate only in the command',
    (machine) =>
      machine
        .command({ param: 'Metadata/plate_2.gcode', plate_idx: '2', ams_mapping: [2] })
        .wait(1)
        .printWhole(),
    [cube({ startedAt: 31, endedAt: 136 })],
  ),
  recording(
    'a print that the printer refuses: FINISH after PREPARE',
    (machine) =>
      machine
        .printWhole()
        .next()
        .startPrint({ subtask_name: 'gear', gcode_file: 'gear.gcode.3mf' })
        .stayIdle(20)
        .sendReport({
          gcode_state: 'FINISH',
          gcode_file: '',
          print_type: 'idle',
          hms: [{ attr: 83887360, code: 65543 }],
        })
        .stayIdle(30),
    [
      cube({}),
      cube({
        name: 'gear',
        outcome: 'UNRESOLVED',
        startedAt: 196,
        endedAt: 216,
        reason: 'The printer reported the end of this print, but never started to print',
        filament: NO_SLOT,
      }),
    ],
    [
      {
        why: 'after a cut FINISH is read as the end of the print that started',
        from: 196,
        to: 231,
        expected: [cube({}), cube({ name: 'gear', startedAt: 196, endedAt: 216, filament: NO_SLOT })],
      },
    ],
    { ...AGAIN, filament: NO_SLOT },
  ),
  recording(
    'the code of a cancel is reported before FAILED, and cleared with it',
    (machine) =>
      machine
        .startPrint()
        .print(4)
        .wait(4)
        .sendReport({ print_error: 50348044 })
        .wait(1)
        .sendReport({ gcode_state: 'FAILED', print_error: 0, mc_percent: 0, layer_num: 0 })
        .stayIdle(),
    [cube({ outcome: 'CANCELLED', endedAt: 75, reason: null })],
    [],
    { ...SLOT_NOT_HEARD, why: 'the code is reported for a second', outcome: 'FAILED' },
    [
      {
        why: 'the message that says FAILED clears the code',
        from: 74,
        to: 74,
        expected: [
          cube({ outcome: 'FAILED', reason: 'The printer reported no error code. A cancel at a P1 looks the same' }),
        ],
      },
    ],
  ),
  recording(
    'an X1C cancels a print, and prints it again',
    (machine) => {
      machine.sendsDeltas = false;
      const local = { task_id: '3386', subtask_id: '', gcode_file: '/data/Metadata/plate_1.gcode', plate_idx: 1 };
      machine.startPrint({ ...local, mapping: [2] });
      machine.print(4);
      machine.wait(5);
      machine.sendReport({ gcode_state: 'FAILED', print_type: '', print_error: 50348044, mc_percent: 0, layer_num: 0 });
      machine.wait(30);
      machine.sendReport({ print_error: 0, fail_reason: '50348044' });
      machine.stayIdle(60);
      machine.wait(1);
      machine.startPrint({ ...local, task_id: '9316' });
      machine.print(10);
      machine.finish();
    },
    [cube({ outcome: 'CANCELLED', endedAt: 75, reason: null }), cube({ startedAt: 166, endedAt: 271 })],
    [],
    AGAIN,
  ),
  recording(
    'a user slows the print down: more time remains than before',
    (machine) =>
      machine
        .startPrint()
        .print(3)
        .sendReport({ mc_remaining_time: 60 })
        .wait(300)
        .sendReport({ spd_lvl: 1, mc_remaining_time: 120 })
        .wait(300)
        .sendReport({ mc_remaining_time: 115 })
        .print(7, 3)
        .finish(),
    [cube({ endedAt: 735 })],
  ),
  recording(
    'calibrations without a path are not prints',
    (machine) =>
      machine
        .printWhole()
        .stayIdle(60)
        .prepare({ subtask_name: 'auto_cali_for_user_param.gcode', gcode_file: '' })
        .print(3)
        .finish(),
    [cube({})],
  ),
  recording(
    'the answer to pushall is lost at each connect',
    (machine) =>
      machine
        .set({ answers: false })
        .set({ sendsDeltas: false })
        .sendReport({})
        .set({ sendsDeltas: true })
        .wait(1)
        .printWhole(),
    [cube({ startedAt: 31, endedAt: 136 })],
    [
      {
        why: 'the slot was reported before the cut',
        from: 31,
        to: 31,
        expected: [cube({ startedAt: 31, endedAt: 136, filament: NO_SLOT })],
      },
    ],
    { ...SLOT_NOT_HEARD, why: 'nothing shows that the print ended', outcome: 'RUNNING' },
  ),
  recording(
    'the names of a print arrive a message after its state',
    (machine) =>
      machine
        .printWhole()
        .next()
        .sendReport({ gcode_state: 'PREPARE', print_type: 'local' })
        .wait(2)
        .sendReport({ subtask_name: 'gear', gcode_file: 'gear.gcode.3mf' })
        .print(10)
        .finish(),
    [cube({}), cube({ name: 'gear', startedAt: 196, endedAt: 303 })],
    [
      {
        why: 'at the cut the printer still names the print before',
        from: 196,
        to: 196,
        expected: [cube({}), cube({ startedAt: 196, endedAt: 303 })],
      },
    ],
  ),
  recording(
    'the name is damaged after the print, and the next print gets its name after its state',
    (machine) =>
      machine
        .printWhole()
        .stayIdle(20)
        .sendReport({ subtask_name: 'junk', gcode_file: 'junk.gcode' })
        .next()
        .sendReport({ gcode_state: 'PREPARE', print_type: 'local' })
        .wait(2)
        .sendReport({ subtask_name: 'gear', gcode_file: 'gear.gcode.3mf' })
        .print(10)
        .finish(),
    [cube({}), cube({ name: 'gear', startedAt: 216, endedAt: 323 })],
    [
      {
        why: 'at the cut the printer still shows the damaged name',
        from: 216,
        to: 216,
        expected: [cube({}), cube({ name: 'junk', startedAt: 216, endedAt: 323 })],
      },
    ],
  ),
  recording(
    'a print that follows a cancel within seconds gets its name after its id and its state',
    (machine) =>
      machine
        .startPrint(CLOUD)
        .print(4)
        .fail()
        .wait(3)
        .sendReport({ gcode_state: 'PREPARE', task_id: '4503601299', mc_percent: 0 })
        .wait(2)
        .sendReport({ gcode_state: 'RUNNING' })
        .wait(2)
        .sendReport({ subtask_name: 'gear', gcode_file: 'gear.gcode.3mf' })
        .print(10)
        .finish(),
    [
      cube({ externalId: CLOUD.task_id, outcome: 'UNRESOLVED', endedAt: 75 }),
      cube({ name: 'gear', externalId: '4503601299', startedAt: 78, endedAt: 187 }),
    ],
    [
      {
        why: 'at the cut the printer still names the print before',
        from: 78,
        to: 80,
        expected: [
          cube({ externalId: CLOUD.task_id, outcome: 'UNRESOLVED', endedAt: 75 }),
          cube({ externalId: '4503601299', startedAt: 78, endedAt: 187 }),
        ],
      },
    ],
  ),
  recording(
    'the name is removed after the print, and the next print gets its name after its state',
    (machine) =>
      machine
        .printWhole()
        .stayIdle(20)
        .sendReport({ subtask_name: '', gcode_file: '' })
        .next()
        .sendReport({ gcode_state: 'PREPARE', print_type: 'local' })
        .wait(4)
        .sendReport({ gcode_state: 'RUNNING', mc_percent: 0, layer_num: 0 })
        .wait(2)
        .sendReport({ subtask_name: 'gear', gcode_file: 'gear.gcode.3mf' })
        .print(10)
        .finish(),
    [cube({}), cube({ name: 'gear', startedAt: 216, endedAt: 327 })],
  ),
];
