// A Bambu printer that plays by the steps of a recording.
import { amsOf, Bambu, unit } from '../../../src/demo/machines/bambu';
import type { MachineMessage } from '../../../src/machines/machine-adapter';
import { recordSteps } from '../recording';

type Members = Record<string, unknown>;

/** @param loaded what each extruder has loaded: unit · 256 + slot */
export const extruders = (printing: number, ...loaded: number[]): Members => ({
  extruder: { state: (printing << 4) | loaded.length, info: loaded.map((snow, id) => ({ id, snow, spre: snow })) },
  type: 1,
});

export class BambuMachine extends recordSteps(Bambu) {
  /** Whether it answers a connection with its full report. */
  answers = true;
  /** Of its print. */
  layers = 10;

  override greeting(): MachineMessage[] {
    return this.answers ? super.greeting() : [];
  }

  ping(): this {
    return this.send('pingresp', null);
  }

  /** Sends only heartbeats. */
  stayIdle(seconds = 30): this {
    for (let gone = 0; gone < seconds; gone += 10) this.wait(9).sendReport({ wifi_signal: '-48dBm' }).wait(1).ping();
    return this;
  }

  prepare(members: Members): this {
    return this.sendReport({
      gcode_state: 'PREPARE',
      print_type: 'local',
      task_id: '0',
      subtask_id: '0',
      subtask_name: 'cube',
      gcode_file: 'cube.gcode.3mf',
      mc_percent: 0,
      mc_remaining_time: 0,
      print_error: 0,
      fail_reason: '0',
      ...members,
    });
  }

  /** From slot 2 of its AMS. */
  startPrint(members: Members = {}): this {
    return this.prepare({ ams: { ...amsOf(unit(0)), tray_now: '2' }, ...members });
  }

  /** A print from its start to its end. */
  printWhole(members: Members = {}): this {
    return this.startPrint(members).print(10).finish();
  }

  /** A minute later. */
  next(): this {
    return this.stayIdle(60).wait(1);
  }

  /** From its first RUNNING to so many layers of all, ten seconds each. */
  print(layers: number, from = 0): this {
    for (let layer = from + 1; layer <= from + layers; layer += 1) {
      this.wait(10);
      this.sendReport({
        gcode_state: 'RUNNING',
        stg_cur: 0,
        mc_percent: Math.min(99, 40 + layer * 6),
        mc_remaining_time: Math.ceil((this.layers - layer) / 6),
        layer_num: layer,
        total_layer_num: this.layers,
      });
    }
    return this;
  }

  /** P1 and A1 clear the file in the same message. */
  finish(): this {
    this.wait(5);
    const cleared = this.sendsDeltas ? { gcode_file: '' } : {};
    return this.sendReport({
      gcode_state: 'FINISH',
      mc_percent: 100,
      mc_remaining_time: 0,
      print_type: 'idle',
      ...cleared,
    });
  }

  /** Layer and percent fall to 0 first. */
  fail(): this {
    return this.wait(5)
      .sendReport({ mc_percent: 0, layer_num: 0, mc_remaining_time: 0 })
      .sendReport({ gcode_state: 'FAILED' });
  }
}
