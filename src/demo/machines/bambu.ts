// Simulates a Bambu printer: its reports, in exactly the form of a real printer, and the network of a P1S. X1 and H2 send all members each time, P1 and A1 only changes.
import type { MachineMessage } from '../../machines/machine-adapter';
import { memberAt } from '../../machines/message-values';
import { Broker } from './broker';
import { CERTIFICATE, fingerprintOf } from './certificate';
import { FakeMachine, type FakeOptions } from './simulated-machine';
import type { PrintEvent } from './simulated-print';
import { Simulator, setRealClock } from './simulator';

type Members = Record<string, unknown>;

/** The tag of a spool: the UID of both its chips, and the UID of the chip that the AMS has read. */
export interface FakeTag {
  trayUuid: string;
  tagUid: string;
}

/** A spool of another maker has no tag. */
const NO_TAG: FakeTag = { trayUuid: '0'.repeat(32), tagUid: '0'.repeat(16) };

const tray = (id: number, { trayUuid, tagUid } = NO_TAG) => ({
  id: String(id),
  remain: 62,
  tag_uid: tagUid,
  tray_uuid: trayUuid,
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
  /** P1 and A1 send only the members that changed. */
  sendsDeltas = true;
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

  /** The answer to `pushall`, which each connection requests first. */
  override greeting(): MachineMessage[] {
    return [{ source: 'report', body: this.pushOf(this.report, 0) }];
  }

  private pushOf(members: Members, msg: number) {
    return { print: { ...members, sendCommand: 'push_status', msg, sequence_id: String(this.sequence) } };
  }

  /** Sends the members that changed, or all members. */
  sendReport(members: Members): this {
    this.sequence += 1;
    this.report = { ...this.report, ...members };
    return this.send('report', this.sendsDeltas ? this.pushOf(members, 1) : this.pushOf(this.report, 0));
  }

  /** Puts a spool into a tray of the first unit; `null` takes it out. */
  setTray(index: number, tag: FakeTag | null): this {
    const ams = this.report['ams'] as { ams: { tray: Members[] }[] };
    const trays = [...(ams.ams[0]?.tray ?? [])];
    trays[index] = tag === null ? { id: String(index), state: 10 } : tray(index, tag);
    const [first, ...others] = ams.ams;
    return this.sendReport({ ams: { ...ams, ams: [{ ...first, tray: trays }, ...others] } });
  }

  /** Repeats the command of a slicer once to all clients. */
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
    return this.send('report', { print });
  }
}

const STATES = {
  IDLE: 'IDLE',
  PRINTING: 'RUNNING',
  PAUSED: 'PAUSE',
  COMPLETED: 'FINISH',
  CANCELLED: 'FAILED',
  FAILED: 'FAILED',
};
/** The `print_error` of a print that was cancelled, and of a nozzle that lost its temperature. */
const CANCELLED = 0x0300_400c;
const FAILED = 0x0300_8008;
const LAYERS = 100;
const LOADED = 0;
const EMPTY = 255;

export interface FakeBambuOptions extends FakeOptions {
  serial?: string;
  certificate?: typeof CERTIFICATE;
}

/** The network of a Bambu Lab P1S, which sends all members when it is asked, and otherwise only changes. */
export class FakeBambu extends FakeMachine {
  override readonly serial: string;
  override readonly certificateFingerprint: string;
  protected readonly broker: Broker;
  private readonly machine = setRealClock(new Bambu(), ({ body }) => this.report(body));

  constructor({ serial = '01P00A000000001', certificate = CERTIFICATE, ...options }: FakeBambuOptions) {
    const broker = new Broker(certificate, {
      admits: (username, password) => username === 'bblp' && password === (this.secret ?? ''),
      isSilent: () => this.isSilent,
      handleMessage: (topic, payload) => this.answerRequest(topic, payload),
    });
    super(options, 'mqtts', broker.server);
    this.serial = serial;
    this.certificateFingerprint = fingerprintOf(certificate.cert);
    this.broker = broker;
  }

  protected answerRequest(topic: string, payload: Buffer): void {
    if (topic !== `device/${this.serial}/request`) return;
    const request: unknown = JSON.parse(payload.toString());
    if (memberAt(request, 'info', 'command') === 'get_version') this.report(this.version());
    if (memberAt(request, 'pushing', 'command') === 'pushall') this.report(this.makeFullReport());
  }

  /** Sends a report to all clients of this printer. */
  protected report(body: unknown): void {
    this.broker.publish(`device/${this.serial}/report`, JSON.stringify(body));
  }

  protected version(): unknown {
    const ota = { name: 'ota', product_name: 'Bambu Lab P1S', sw_ver: '01.08.02.00', hw_ver: 'OTA', sn: this.serial };
    const ams = { name: 'ams/0', product_name: 'AMS (1)', sw_ver: '00.00.06.49', hw_ver: 'AMS08', sn: '' };
    return { info: { command: 'get_version', sequence_id: '1', module: [ota, ams], result: 'success' } };
  }

  makeFullReport(): unknown {
    return this.machine.greeting()[0]?.body;
  }

  /** Puts a spool into a tray of the AMS; `null` takes it out. A spool of another maker has no tag. */
  setTray(index: number, tag: FakeTag | 'NO_TAG' | null): void {
    this.machine.setTray(index, tag === 'NO_TAG' ? NO_TAG : tag);
  }

  private progress() {
    const { state, share, seconds, script } = this.print;
    const isOver = state === 'CANCELLED' || state === 'FAILED';
    return {
      gcode_state: state === 'PRINTING' && seconds === 0 ? 'PREPARE' : STATES[state],
      // Both become 0 if the print does not finish.
      mc_percent: isOver ? 0 : Math.round(share * 100),
      layer_num: isOver ? 0 : Math.ceil(share * LAYERS),
      total_layer_num: LAYERS,
      mc_remaining_time: isOver ? 0 : Math.ceil((script.seconds - seconds) / 60),
      print_error: state === 'CANCELLED' ? CANCELLED : state === 'FAILED' ? FAILED : 0,
    };
  }

  protected handlePrintEvent(event: PrintEvent): void {
    const { machine, print } = this;
    const subtask_name = print.file.replace(/\.gcode$/, '');
    if (event === 'started') machine.command({ subtask_name, ams_mapping: [LOADED] });
    const named = {
      print_type: print.isRunning ? 'local' : 'idle',
      subtask_name,
      gcode_file: `${subtask_name}.gcode.3mf`,
      ams: { ...(machine.report['ams'] as Members), tray_now: String(print.isRunning ? LOADED : EMPTY) },
    };
    machine.sendReport({ ...this.progress(), ...(event === 'moved' ? {} : named) });
  }

  /** A printer that lost its power has also lost its print. */
  protected loseState(): void {
    this.print.state = 'IDLE';
    this.machine.report = new Bambu().report;
  }
}
