// A Bambu printer, in the exact shapes of its reports: all of it each time (X1, H2), or what changed (P1, A1).
import type { MachineMessage } from '../../machines/adapter';
import { Simulator } from './simulator';

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

export class Bambu extends Simulator {
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
  private sequence = 2000;

  /** The answer to `pushall`, which a connection asks for. */
  override greeting(): MachineMessage[] {
    return [{ source: 'report', body: this.pushOf(this.report, 0) }];
  }

  private pushOf(members: Members, msg: number) {
    return { print: { ...members, command: 'push_status', msg, sequence_id: String(this.sequence) } };
  }

  /** What changed, or all of it. */
  tell(members: Members): this {
    this.sequence += 1;
    this.report = { ...this.report, ...members };
    return this.say('report', this.tellsDeltas ? this.pushOf(members, 1) : this.pushOf(this.report, 0));
  }

  /** The command of a slicer, repeated once to all who listen. */
  command(members: Members): this {
    const print = {
      command: 'project_file',
      param: 'Metadata/plate_1.gcode',
      subtask_name: 'cube',
      url: 'ftp://cube.3mf',
      use_ams: true,
      result: 'success',
      reason: 'SUCCESS',
      sequence_id: '20004',
      ...members,
    };
    return this.say('report', { print });
  }
}
