// The network of a Bambu Lab P1S: it reports all when it is asked, and else what changed.
import { memberAt } from '../../machines/message-values';
import { amsOf, Bambu, unit } from '../simulators/bambu';
import { live } from '../simulators/simulator';
import { Broker } from './broker';
import { CERTIFICATE, fingerprintOf } from './certificate';
import { FakeMachine, type FakeOptions } from './machine';
import type { Happening } from './print';

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
  certificate?: typeof CERTIFICATE;
}

export class FakeBambu extends FakeMachine {
  override readonly serial: string;
  override readonly certificateFingerprint: string;
  protected readonly broker: Broker;
  private readonly machine = live(new Bambu(), ({ body }) => this.report(body));

  constructor({ serial = '01P00A000000001', certificate = CERTIFICATE, ...options }: FakeBambuOptions) {
    const broker = new Broker(certificate, {
      admits: (username, password) => username === 'bblp' && password === (this.secret ?? ''),
      isSilent: () => this.isSilent,
      heard: (topic, payload) => this.asked(topic, payload),
    });
    super(options, 'mqtts', broker.server);
    this.serial = serial;
    this.certificateFingerprint = fingerprintOf(certificate.cert);
    this.broker = broker;
  }

  protected asked(topic: string, payload: Buffer): void {
    if (topic !== `device/${this.serial}/request`) return;
    const request: unknown = JSON.parse(payload.toString());
    if (memberAt(request, 'info', 'command') === 'get_version') this.report(this.version());
    if (memberAt(request, 'pushing', 'command') === 'pushall') this.report(this.whole());
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
    return this.machine.greeting()[0]?.body;
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
    const { machine, print } = this;
    const subtask_name = print.file.replace(/\.gcode$/, '');
    if (happening === 'begun') machine.command({ subtask_name, ams_mapping: [LOADED] });
    const named = {
      print_type: print.isRunning ? 'local' : 'idle',
      ...{ subtask_name, gcode_file: `${subtask_name}.gcode.3mf` },
      ams: { ...amsOf(unit(0)), tray_now: String(print.isRunning ? LOADED : EMPTY) },
    };
    machine.tell({ ...this.progress(), ...(happening === 'moved' ? {} : named) });
  }

  /** A printer that loses its power loses its print. */
  protected restarted(): void {
    this.print.state = 'IDLE';
    this.machine.report = new Bambu().report;
  }
}
