// A Bambu printer in the exact shapes of its reports: whole pushes each time (X1, H2), or deltas between them (P1, A1).
import type { Message } from '../../../src/devices/adapter';
import { copy, RecordedMachine } from '../recording';

type Members = Record<string, unknown>;

const tray = (id: number) => ({
  id: String(id),
  remain: 62,
  tag_uid: '4E7F5A2A00000100',
  tray_type: 'PLA',
  tray_color: '8E9089FF',
  tray_info_idx: 'GFA00',
});

export const unit = (id: number, trays = 4) => ({
  id: String(id),
  humidity: '4',
  temp: '24.6',
  tray: Array.from({ length: trays }, (_, index) => tray(index)),
});

export const amsOf = (...units: Members[]): Members => ({
  ams: units,
  ams_exist_bits: units.length === 0 ? '0' : '1',
  tray_now: '255',
  tray_pre: '255',
  version: 8,
});

/** @param loaded what each extruder has loaded: unit · 256 + slot */
export const extruders = (printing: number, ...loaded: number[]): Members => ({
  extruder: { state: (printing << 4) | loaded.length, info: loaded.map((snow, id) => ({ id, snow, spre: snow })) },
  type: 1,
});

export class BambuMachine extends RecordedMachine {
  /** P1 and A1 send only what changed. */
  tellsDeltas = true;
  report: Members = {
    gcode_state: 'IDLE',
    print_type: 'idle',
    task_id: '0',
    subtask_id: '0',
    project_id: '0',
    profile_id: '0',
    subtask_name: '',
    gcode_file: '',
    mc_percent: 0,
    mc_remaining_time: 0,
    mc_print_stage: '1',
    layer_num: 0,
    total_layer_num: 0,
    print_error: 0,
    fail_reason: '0',
    stg_cur: 255,
    hms: [],
    bed_temper: 24.8,
    nozzle_temper: 25.1,
    ams: amsOf(unit(0)),
    vt_tray: { ...tray(0), id: '254' },
    wifi_signal: '-47dBm',
  };
  /** Whether it answers a connection with the whole of its report. */
  answers = true;
  private sequence = 2000;

  protected greeting(): Message[] {
    if (!this.answers) return [];
    return [{ source: 'report', body: this.pushOf(copy(this.report), 0) }];
  }

  protected answer() {
    return (): Message => {
      throw new Error('The adapter asks for nothing');
    };
  }

  private pushOf(members: Members, msg: number) {
    return { print: { ...members, command: 'push_status', msg, sequence_id: String(this.sequence) } };
  }

  /** What changed, or all of it. */
  tell(members: Members): this {
    this.sequence += 1;
    this.report = { ...this.report, ...members };
    const body = this.tellsDeltas ? this.pushOf(members, 1) : this.pushOf(this.report, 0);
    this.push({ source: 'report', body });
    return this;
  }

  ping(): this {
    this.push({ source: 'pingresp', body: null });
    return this;
  }

  /** Nothing but heartbeats. */
  rest(seconds = 30): this {
    for (let gone = 0; gone < seconds; gone += 10) {
      this.wait(9);
      this.tell({ wifi_signal: '-48dBm' });
      this.wait(1);
      this.ping();
    }
    return this;
  }

  /** The command of a slicer, repeated once to all who listen. */
  command(members: Members): this {
    const body = {
      print: {
        command: 'project_file',
        param: 'Metadata/plate_1.gcode',
        subtask_name: 'cube',
        url: 'ftp://cube.3mf',
        use_ams: true,
        result: 'success',
        reason: 'SUCCESS',
        sequence_id: '20004',
        ...members,
      },
    };
    this.push({ source: 'report', body });
    return this;
  }

  prepare(members: Members): this {
    this.tell({
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
    return this;
  }

  /** From slot 2 of its AMS. */
  begin(members: Members = {}): this {
    return this.prepare({ ams: { ...amsOf(unit(0)), tray_now: '2' }, ...members });
  }

  /** A print from its begin to its end. */
  whole(members: Members = {}): this {
    return this.begin(members).print(10).finish();
  }

  /** A minute later. */
  next(): this {
    return this.rest(60).wait(1);
  }

  /** From its first RUNNING to so many layers of ten, ten seconds each. */
  print(layers: number, from = 0): this {
    for (let layer = from + 1; layer <= from + layers; layer += 1) {
      this.wait(10);
      this.tell({
        gcode_state: 'RUNNING',
        stg_cur: 0,
        mc_percent: Math.min(99, 40 + layer * 6),
        mc_remaining_time: Math.ceil((10 - layer) / 6),
        layer_num: layer,
        total_layer_num: 10,
      });
    }
    return this;
  }

  /** P1 and A1 clear the file in the same message. */
  finish(): this {
    this.wait(5);
    const cleared = this.tellsDeltas ? { gcode_file: '' } : {};
    this.tell({ gcode_state: 'FINISH', mc_percent: 100, mc_remaining_time: 0, print_type: 'idle', ...cleared });
    return this;
  }

  /** Layer and percent fall to 0 first. */
  fail(): this {
    this.wait(5);
    this.tell({ mc_percent: 0, layer_num: 0, mc_remaining_time: 0 });
    this.tell({ gcode_state: 'FAILED' });
    return this;
  }
}
