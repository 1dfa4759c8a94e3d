// A Bambu Lab P1S that speaks as one does: whole reports when it is asked, and else what changed.
import { memberAt as at } from '../bounds';
import { ownCertificate } from '../fake/certificate';
import { FakeMachine, type FakeOptions } from '../fake/machine';
import type { Happening } from '../fake/print';
import { Broker } from './broker';

const STATES = {
  IDLE: 'IDLE',
  PRINTING: 'RUNNING',
  PAUSED: 'PAUSE',
  COMPLETED: 'FINISH',
  CANCELLED: 'FAILED',
  FAILED: 'FAILED',
};
/** `print_error` of a cancel, and of a nozzle that lost its temperature. */
const CANCELLED = 0x0300_400c;
const FAILED = 0x0300_8008;
const LAYERS = 100;
const LOADED = 0;
const EMPTY = 255;

export interface FakeBambuOptions extends FakeOptions {
  serial?: string;
}

export class FakeBambu extends FakeMachine {
  override readonly serial: string;
  override readonly certificateFingerprint: string;
  protected readonly broker: Broker;
  private sequence = 0;

  constructor({ serial = '01P00A000000001', ...options }: FakeBambuOptions) {
    const { fingerprint, ...certificate } = ownCertificate(serial);
    const broker = new Broker(certificate, {
      admits: (username, password) => username === 'bblp' && password === (this.secret ?? ''),
      isSilent: () => this.isSilent,
      heard: (topic, payload) => this.asked(topic, payload),
    });
    super(options, 'mqtts', broker.server);
    this.serial = serial;
    this.certificateFingerprint = fingerprint;
    this.broker = broker;
  }

  protected asked(topic: string, payload: Buffer): void {
    if (topic !== `device/${this.serial}/request`) return;
    const request: unknown = JSON.parse(payload.toString());
    if (at(request, 'info', 'command') === 'get_version') this.report(this.version());
    if (at(request, 'pushing', 'command') === 'pushall') this.report(this.whole());
  }

  /** To everybody who listens to this printer. */
  protected report(body: unknown): void {
    this.broker.publish(`device/${this.serial}/report`, JSON.stringify(body));
  }

  protected version(): unknown {
    const ota = { name: 'ota', product_name: 'Bambu Lab P1S', sw_ver: '01.08.02.00', hw_ver: 'OTA', sn: this.serial };
    const ams = { name: 'ams/0', product_name: 'AMS (1)', sw_ver: '00.00.06.49', hw_ver: 'AMS08', sn: '' };
    return { info: { command: 'get_version', sequence_id: '1', module: [ota, ams], result: 'success' } };
  }

  whole(): unknown {
    const tray = (id: number) => ({ id: String(id), remain: 80, tray_type: 'PLA', tray_color: '8E9089FF' });
    return this.push(0, {
      ...this.named(),
      ...this.progress(),
      ams: { ams: [{ id: '0', tray: [0, 1, 2, 3].map(tray) }], ams_exist_bits: '1', tray_now: this.feeding },
      hms: [],
      nozzle_temper: 24.8,
    });
  }

  private get feeding(): string {
    return String(this.print.isRunning ? LOADED : EMPTY);
  }

  private push(msg: number, members: object) {
    this.sequence += 1;
    return { print: { command: 'push_status', msg, sequence_id: String(this.sequence), ...members } };
  }

  private get name(): string {
    return this.print.file.replace(/\.gcode$/, '');
  }

  private named() {
    const hasPrint = this.print.number > 0;
    return {
      print_type: this.print.isRunning ? 'local' : 'idle',
      task_id: '0',
      subtask_id: '0',
      subtask_name: hasPrint ? this.name : '',
      gcode_file: hasPrint ? `${this.name}.gcode.3mf` : '',
    };
  }

  private progress() {
    const { state, share, seconds, script } = this.print;
    const isOver = state === 'CANCELLED' || state === 'FAILED';
    return {
      gcode_state: state === 'PRINTING' && seconds === 0 ? 'PREPARE' : STATES[state],
      // Both fall to 0 when it does not finish.
      mc_percent: isOver ? 0 : Math.round(share * 100),
      layer_num: isOver ? 0 : Math.ceil(share * LAYERS),
      total_layer_num: LAYERS,
      mc_remaining_time: isOver ? 0 : Math.ceil((script.seconds - seconds) / 60),
      print_error: state === 'CANCELLED' ? CANCELLED : state === 'FAILED' ? FAILED : 0,
    };
  }

  protected happened(happening: Happening): void {
    if (happening === 'begun') {
      const asked = { use_ams: true, ams_mapping: [LOADED], subtask_name: this.name, param: 'Metadata/plate_1.gcode' };
      this.report({ print: { command: 'project_file', sequence_id: '20004', result: 'success', ...asked } });
    }
    const ams = happening === 'moved' ? {} : { ...this.named(), ams: { tray_now: this.feeding } };
    this.report(this.push(1, { ...this.progress(), ...ams }));
  }

  /** A printer that loses its power loses its print. */
  protected restarted(): void {
    this.print.state = 'IDLE';
  }
}
