// Recordings of a Klipper behind Moonraker, and the prints that must result from them.
import { moonraker } from '../../../src/machines/moonraker/adapter';
import { createRecorder, type ExpectedPrint, type Recording, T0 } from '../recording';
import { MoonrakerMachine } from './machine';

const CUBE = 'parts/cube.gcode';
const FILES = {
  [CUBE]: { estimated_time: 865, filament_total: 990.25, filament_weight_total: 2.95, slicer: 'PrusaSlicer' },
  'third.gcode': { estimated_time: 600, filament_total: 400.0, filament_weights: [0, 0, 1.2] },
  'two.gcode': { estimated_time: 600, filament_total: 400.0, filament_weights: [0.9, 0.3] },
};

const SLOT_NOT_HEARD: Recording['inGaps'] = {
  why: 'the active extruder is visible while it feeds',
  total: 990.25,
};

const recording = createRecorder({
  name: 'moonraker',
  adapter: moonraker,
  start: () => new MoonrakerMachine().set({ files: FILES }),
});

const createJobId = (job: number, start: number) => `00000${job}@${T0 / 1000 + start + 0.1234567}`;

const cube = (members: Partial<ExpectedPrint>): ExpectedPrint => ({
  name: 'cube.gcode',
  externalId: createJobId(1, 50),
  outcome: 'COMPLETED',
  startedAt: 50,
  endedAt: null,
  filament: ['tool:0 990.25 - MEASURED'],
  ...members,
});

const TWO = 'two.gcode';
const two = (members: Partial<ExpectedPrint>) => cube({ name: TWO, ...members });

export const MOONRAKER: Recording[] = [
  recording(
    'a whole print',
    (machine) => machine.startPrint(CUBE).print(100, 990.25, 1).endPrint('complete', 'completed'),
    [cube({ endedAt: 150 })],
  ),
  recording(
    'a pause',
    (machine) =>
      machine.startPrint(CUBE).print(50, 500, 0.5).pause(300).print(50, 990.25, 1).endPrint('complete', 'completed'),
    [cube({ endedAt: 450 })],
  ),
  recording(
    'a counter that steps back by 20 ms, often',
    (machine) => {
      machine.startPrint(CUBE);
      for (const progress of [0.2, 0.4, 0.6, 0.8, 1]) {
        machine.print(20, 990.25 * progress, progress);
        const total = machine.stats['total_duration'] as number;
        machine.update({ print_stats: { total_duration: Math.round((total - 0.02) * 1000) / 1000 } });
      }
      machine.endPrint('complete', 'completed');
    },
    [cube({ endedAt: 150 })],
  ),
  recording(
    'a cancel',
    (machine) => machine.startPrint(CUBE).print(30, 120.5, 0.1, 1).endPrint('cancelled', 'cancelled'),
    [cube({ outcome: 'CANCELLED', endedAt: 80, filament: ['tool:0 120.5 - MEASURED'] })],
  ),
  recording(
    'a failure',
    (machine) =>
      machine
        .startPrint(CUBE)
        .print(30, 120.5, 0.1)
        .endPrint('error', 'error', 'Move out of range: 250.000 0.000 0.200 [0.000]'),
    [
      cube({
        outcome: 'FAILED',
        endedAt: 80,
        reason: 'Move out of range: 250.000 0.000 0.200 [0.000]',
        filament: ['tool:0 120.5 - MEASURED'],
      }),
    ],
  ),
  recording(
    'Klipper shuts down during a print',
    (machine) =>
      machine
        .startPrint(CUBE)
        .print(30, 120.5, 0.1)
        .update({ webhooks: { state: 'shutdown', state_message: 'Lost communication with MCU' } })
        .push({ source: 'notify_klippy_shutdown', body: [] })
        .finish('klippy_shutdown')
        .stayIdle()
        .restartKlipper(10),
    [cube({ outcome: 'FAILED', endedAt: 80, filament: ['tool:0 120.5 - MEASURED'] })],
  ),
  recording(
    'Klipper is restarted during a print',
    (machine) => machine.startPrint(CUBE).print(30, 120.5, 0.1).restartKlipper(20),
    [cube({ outcome: 'FAILED', endedAt: 100, reason: 'Klipper was restarted', filament: ['tool:0 120.5 - MEASURED'] })],
  ),
  recording('Klipper stays away', (machine) => machine.startPrint(CUBE).print(30, 120.5, 0.1).restartKlipper(120), [
    cube({ outcome: 'FAILED', endedAt: 80, reason: 'Klipper was restarted', filament: ['tool:0 120.5 - MEASURED'] }),
  ]),
  ...(['killed', 'stopped'] as const).map((how) =>
    recording(
      `Moonraker is ${how} during a print`,
      (machine) =>
        machine
          .startPrint(CUBE)
          .print(50, 500, 0.5)
          .restartMoonraker(how, 60)
          .print(50, 990.25, 1)
          .endPrint('complete', 'completed'),
      [cube({ endedAt: 210 })],
    ),
  ),
  ...(['killed', 'stopped'] as const).map((how) =>
    recording(
      `Moonraker is ${how}, and the print ends before it is back`,
      (machine) => {
        machine.startPrint(CUBE);
        machine.print(50, 500, 0.5);
        if (how === 'stopped') machine.finish('server_exit');
        machine.down().interrupt();
        machine.print(50, 990.25, 1);
        machine.endPrint('complete', 'completed');
        machine.wait(60);
        machine.up();
      },
      // print_stats still reports how long the print took, with its pauses.
      [cube({ endedAt: 150 })],
    ),
  ),
  recording(
    'the gateway comes late',
    (machine) => {
      machine.steps.length = 0;
      machine.link = 'down';
      machine.startPrint(CUBE);
      machine.print(100, 500, 0.5);
      machine.steps.length = 0;
      machine.up();
      machine.print(50, 990.25, 1);
      machine.endPrint('complete', 'completed');
    },
    [cube({ endedAt: 200 })],
  ),
  recording(
    'the same file twice, with a cancel between',
    (machine) =>
      machine
        .startPrint(CUBE)
        .print(20, 50, 0.05)
        .endPrint('cancelled', 'cancelled')
        .wait(5)
        .startPrint(CUBE)
        .print(50, 990.25, 1)
        .endPrint('complete', 'completed'),
    [
      cube({ outcome: 'CANCELLED', endedAt: 70, filament: ['tool:0 50 - MEASURED'] }),
      cube({ externalId: createJobId(2, 75), startedAt: 75, endedAt: 125 }),
    ],
  ),
  recording(
    'a print is replaced by another within one message',
    (machine) => {
      machine.startPrint(CUBE);
      machine.print(20, 50, 0.05);
      machine.wait(0.25);
      // Cancelled and started again between two messages: print_stats only shows that its clock was set back.
      const { row } = machine;
      machine.row = null;
      machine.update({ print_stats: { total_duration: 0.1, filament_used: 0, print_duration: 0 } });
      machine.row = row;
      machine.finish('cancelled', { filament_used: 50, total_duration: 20 });
      machine.addRow(CUBE);
      machine.print(50, 990.25, 1);
      machine.endPrint('complete', 'completed');
    },
    [
      cube({ outcome: 'CANCELLED', endedAt: 70, filament: ['tool:0 50 - MEASURED'] }),
      cube({ externalId: createJobId(2, 70.25), startedAt: 70, endedAt: 120 }),
    ],
  ),
  recording(
    'two tools share one total',
    (machine) => machine.startPrint('two.gcode').print(60, 401.11, 1).endPrint('complete', 'completed'),
    [
      cube({
        name: 'two.gcode',
        endedAt: 110,
        filament: ['tool:0 300.83 - ESTIMATED', 'tool:1 100.28 - ESTIMATED'],
      }),
    ],
  ),
  recording(
    'two extruders and one length: the second one feeds',
    (machine) =>
      machine
        .addExtruders()
        .startPrint(CUBE)
        .selectTool(1)
        .print(50, 500, 0.5)
        .print(50, 990.25, 1)
        .selectTool(0)
        .endPrint('complete', 'completed'),
    [cube({ endedAt: 150, filament: ['tool:1 990.25 - MEASURED'] })],
    [],
    SLOT_NOT_HEARD,
  ),
  recording(
    'two extruders and one length: both feed',
    (machine) =>
      machine
        .addExtruders()
        .startPrint(CUBE)
        .print(50, 500, 0.5)
        .selectTool(1)
        .print(50, 990.25, 1)
        .endPrint('complete', 'completed'),
    [cube({ endedAt: 150, filament: ['tool:0 500 - MEASURED', 'tool:1 490.25 - MEASURED'] })],
    [],
    SLOT_NOT_HEARD,
  ),
  ...(['COMPLETED', 'CANCELLED', 'FAILED'] as const).map((outcome) =>
    recording(
      `a tool changer: each tool has the length that it fed, ${outcome}`,
      (machine) => {
        machine.addExtruders().startPrint(TWO).print(30, 100, 0.3).selectTool(1).print(20, 130, 0.4);
        machine.selectTool(0).print(40, 160, 0.5).selectTool(1);
        if (outcome === 'COMPLETED') machine.print(20, 401.11, 1).endPrint('complete', 'completed');
        else if (outcome === 'CANCELLED') machine.endPrint('cancelled', 'cancelled');
        else machine.endPrint('error', 'error', 'Heater extruder not heating at expected rate');
      },
      [
        two({
          outcome,
          endedAt: outcome === 'COMPLETED' ? 160 : 140,
          filament:
            outcome === 'COMPLETED'
              ? ['tool:0 130 - MEASURED', 'tool:1 271.11 - MEASURED']
              : ['tool:0 130 - MEASURED', 'tool:1 30 - MEASURED'],
        }),
      ],
      [],
      { why: 'the measured length belongs to all tools', total: outcome === 'COMPLETED' ? 401.11 : 160 },
    ),
  ),
  recording(
    'a tool changer: after a change everything counts for the new tool, also before the file continues',
    (machine) => {
      machine.addExtruders().startPrint(TWO).print(30, 100, 0.3).selectTool(1).wait(0.25).selectTool(1, 12.5);
      machine
        .wait(5)
        .selectTool(1, -2)
        .wait(5)
        .selectTool(1, 2)
        .selectTool(0)
        .print(20, 150, 1)
        .endPrint('complete', 'completed');
    },
    [two({ endedAt: 110.25, filament: ['tool:0 137.5 - MEASURED', 'tool:1 12.5 - MEASURED'] })],
    [],
    { why: 'the measured length belongs to all tools', total: 150 },
  ),
  recording(
    'a tool changer: what is fed during a change belongs to no tool, and is shared by the plan',
    (machine) =>
      machine
        .addExtruders()
        .startPrint(TWO)
        .print(30, 100, 0.3)
        .selectTool(1, 8)
        .print(20, 120, 1)
        .endPrint('complete', 'completed'),
    [two({ endedAt: 100, filament: ['tool:0 100 - ESTIMATED', 'tool:1 20 - ESTIMATED'] })],
    [],
    { why: 'the measured length belongs to all tools', total: 120 },
  ),
  recording(
    'a tool changer with the clock of 1970, and a tool that is not in the plan',
    (machine) =>
      machine
        .set({ epoch: 0 })
        .addExtruders()
        .startPrint(TWO)
        .print(30, 100, 0.3)
        .selectTool(2)
        .print(20, 120, 1)
        .endPrint('complete', 'completed'),
    [
      two({
        externalId: '000001@50.1234567',
        endedAt: 100,
        filament: ['tool:0 100 - MEASURED', 'tool:1 0 - MEASURED', 'tool:2 20 - MEASURED'],
      }),
    ],
    [],
    { why: 'the measured length belongs to all tools', total: 120 },
  ),
  recording(
    'Happy Hare: each gate has what it fed, and filament that the unit pulls back is not counted again',
    (machine) => {
      machine.addUnit(2, 0).startPrint(TWO).print(30, 100, 0.3);
      // Pulled out of the extruder, and the next filament pushed in as far.
      machine.wait(1).update({ print_stats: { filament_used: 20 } });
      machine.wait(1).update({ mmu: { gate: -1 } });
      machine.wait(1).selectGate(0);
      machine.wait(1).update({ print_stats: { filament_used: 100 } });
      machine.print(20, 130, 1).endPrint('complete', 'completed');
    },
    [two({ endedAt: 104, filament: ['mmu:0 30 - MEASURED', 'mmu:2 100 - MEASURED'] })],
    [
      {
        why: 'a gateway that connects while filament is pulled back does not see how much',
        from: 81,
        to: 83,
        expected: [two({ endedAt: 104, filament: ['mmu:2 97.5 - ESTIMATED', 'mmu:0 32.5 - ESTIMATED'] })],
      },
    ],
    { why: 'the measured length belongs to all gates', total: 130 },
    [
      {
        why: 'no message reports how far the first gate had fed before its filament was pulled back',
        from: 80,
        to: 80,
        expected: [two({ filament: ['mmu:0 63.33 - MEASURED', 'mmu:2 66.67 - MEASURED'] })],
      },
    ],
  ),
  recording(
    'Happy Hare: a print whose spool has run out continues from another gate, and then past the unit',
    (machine) => {
      machine.addUnit(0, 1, 2).startPrint(CUBE).print(30, 100, 0.3).selectGate(2);
      machine
        .update({ mmu: { ttg_map: [2, 1, 2] } })
        .print(20, 130, 0.5)
        .selectGate(-2);
      machine.print(20, 990.25, 1).endPrint('complete', 'completed');
    },
    [
      cube({
        endedAt: 120,
        filament: ['ext:0 860.25 - MEASURED', 'mmu:0 100 - MEASURED', 'mmu:2 30 - MEASURED'],
      }),
    ],
    [],
    { why: 'the measured length belongs to all gates', total: 990.25 },
  ),
  recording(
    'one extruder that a unit of several filaments feeds: the file names the filament',
    (machine) => machine.startPrint('third.gcode').print(60, 401.11, 1).endPrint('complete', 'completed'),
    [cube({ name: 'third.gcode', endedAt: 110, filament: ['tool:2 401.11 - MEASURED'] })],
  ),
  recording(
    'a host with the clock of 1970',
    (machine) => machine.set({ epoch: 0 }).startPrint(CUBE).print(50, 990.25, 1).endPrint('complete', 'completed'),
    [cube({ externalId: '000001@50.1234567', startedAt: 50, endedAt: 100 })],
  ),
  recording(
    'a Moonraker without a history',
    (machine) => machine.set({ hasHistory: false }).startPrint(CUBE).print(50, 990.25, 1).endPrint('complete', ''),
    [cube({ externalId: null, endedAt: 100 })],
  ),
];
