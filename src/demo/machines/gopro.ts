// Simulates a GoPro: its answers, in exactly the form of three generations of cameras, and its network.

import type { IncomingMessage } from 'node:http';
import { CERTIFICATE, fingerprintOf } from './certificate';
import { FakeHttpMachine } from './simulated-http';
import type { FakeOptions } from './simulated-machine';

type Members = Record<number, unknown>;

/** The state of an idle HERO4 Black, which reports mode and submode, and no percentage of its battery. */
export const hero4 = (status: Members = {}, settings: Members = {}) => ({
  status: {
    1: 1,
    2: 2,
    3: 0,
    4: 0,
    6: 0,
    8: 0,
    9: 0,
    10: 0,
    11: 0,
    13: 0,
    14: 0,
    15: 0,
    16: 0,
    17: 1,
    19: 0,
    20: 0,
    21: 0,
    22: 0,
    23: 0,
    24: 0,
    26: 0,
    27: 0,
    28: 2,
    29: '',
    30: 'GoProHERO4Black',
    31: 0,
    32: 0,
    33: 0,
    34: 750,
    35: 664,
    36: 11,
    37: 9,
    38: 1100,
    39: 9,
    40: '%10%04%12%0D%0A%0B',
    41: 0,
    42: 0,
    43: 0,
    44: 0,
    45: 0,
    46: 0,
    47: 0,
    48: 0,
    49: 0,
    54: 2806912,
    55: 1,
    56: 4,
    57: 105870,
    58: 0,
    59: 0,
    60: 500,
    61: 2,
    62: 0,
    63: 0,
    64: 0,
    ...status,
  },
  settings: { 1: 0, 2: 9, 3: 8, 4: 1, 5: 0, 6: 1, 17: 1, 57: 0, 59: 1, 68: 0, 69: 0, 70: 1, 72: 1, ...settings },
});

/** The state of a HERO5 to HERO8: the same, with a percentage of the battery. */
export const hero5 = (status: Members = {}, settings: Members = {}) =>
  hero4(
    {
      2: 3,
      30: 'GP24656789',
      35: 5511,
      54: 30423552,
      65: 0,
      66: 50,
      67: 50,
      68: 0,
      69: 1,
      70: 87,
      74: 0,
      75: 0,
      76: 0,
      77: 1,
      78: 1,
      79: 0,
      80: 0,
      81: 0,
      82: 1,
      83: 0,
      84: 0,
      85: 0,
      86: 0,
      ...status,
    },
    settings,
  );

/** The state of a HERO9 or later, with presets instead of modes. */
export const hero9 = (status: Members = {}, settings: Members = {}) => ({
  status: {
    1: 1,
    2: 2,
    3: 0,
    4: 255,
    6: 0,
    8: 0,
    9: 0,
    10: 0,
    11: 0,
    13: 0,
    14: 0,
    17: 1,
    19: 3,
    20: 1,
    21: 2317890,
    22: 0,
    23: 0,
    24: 0,
    26: 0,
    27: 0,
    28: 82,
    29: '',
    30: 'GP24500480',
    31: 1,
    32: 0,
    33: 0,
    34: 1814,
    35: 2954,
    36: 0,
    37: 31,
    38: 0,
    39: 31,
    40: '%16%01%04%06%1E%21',
    41: 0,
    42: 0,
    45: 0,
    49: 0,
    54: 25630304,
    55: 1,
    56: 2,
    57: 23669405,
    58: 0,
    59: 0,
    60: 500,
    61: 2,
    62: 0,
    63: 0,
    64: 907,
    65: 0,
    66: 100,
    67: 100,
    68: 1,
    69: 1,
    70: 36,
    74: 0,
    75: 0,
    76: 1,
    77: 1,
    78: 0,
    79: 0,
    81: 1,
    82: 1,
    83: 1,
    85: 0,
    86: 0,
    88: 0,
    89: 12,
    90: 1,
    91: 0,
    93: 2,
    94: 65536,
    95: 131072,
    96: 1000,
    97: 2,
    98: 16777218,
    99: 984,
    100: 0,
    107: 4294967295,
    111: 1,
    113: 0,
    114: 0,
    115: 0,
    ...status,
  },
  settings: {
    2: 9,
    3: 8,
    5: 0,
    6: 1,
    13: 1,
    30: 110,
    59: 0,
    83: 1,
    88: 64,
    91: 2,
    121: 0,
    128: 12,
    134: 2,
    135: 2,
    ...settings,
  },
});

export type Generation = 'OPEN' | 'OLD';

const CARD_SECONDS = 8 * 3600;
/** The battery falls by one percent in SECONDS_OF_PERCENT seconds of recording. After it has fallen by BATTERY_RANGE percent, it is full again. */
const BATTERY_RANGE = 80;
const SECONDS_OF_PERCENT = 30;

const NOT_FOUND = { status: 404, body: { error: 'not found' } };
const BUSY = { status: 500, body: { error: 5, option_id: 0 } };

/** The network of a camera with Open GoPro, or of a camera before the HERO9. Its "print" is a recording. */
export class FakeGoPro extends FakeHttpMachine {
  override readonly certificateFingerprint: string | null;
  protected readonly webSocketPath = null;
  /** The paths of all requests. */
  readonly requestedPaths: string[] = [];
  /** Members that replace members of the usual state; `undefined` leaves a member out. */
  readonly status: Record<string, unknown> = {};
  readonly settings: Record<string, unknown> = {};
  private readonly generation: Generation;
  private isWired = false;

  constructor({ generation = 'OPEN', ...options }: FakeOptions & { generation?: Generation }) {
    const certificate = options.isInNetwork ? CERTIFICATE : null;
    super(options, certificate);
    this.certificateFingerprint = certificate && fingerprintOf(certificate.cert);
    this.generation = generation;
  }

  protected handlePrintEvent(): void {}
  protected loseState(): void {
    this.isWired = false;
  }

  protected answer({ headers }: IncomingMessage, path: string) {
    this.requestedPaths.push(path);
    const expected = `Basic ${Buffer.from(`gopro:${this.secret}`).toString('base64')}`;
    if (this.secret !== null && headers.authorization !== expected) return { status: 401, body: {} };
    return path.startsWith('/gopro/') === (this.generation === 'OPEN') ? this.answerPath(path) : NOT_FOUND;
  }

  private answerPath(path: string) {
    switch (path) {
      case '/gopro/camera/control/wired_usb?p=1': {
        // The camera refuses to turn this on if it is on already.
        const answer = this.isWired ? BUSY : { body: {} };
        this.isWired = true;
        return answer;
      }
      case '/gopro/camera/state':
      case '/gp/gpControl/status':
        return { body: this.state() };
      case '/gopro/camera/info':
        return { body: this.info('HERO12 Black', 62, 'H23.01.02.32.00', 'C3501324500123') };
      case '/gp/gpControl/info':
        return { body: { info: this.info('HERO5 Black', 19, 'HD5.02.02.70.00', 'C3161324500456') } };
      default:
        return NOT_FOUND;
    }
  }

  private info(model_name: string, model_number: number, firmware_version: string, serial_number: string) {
    return {
      model_number,
      model_name,
      firmware_version,
      serial_number,
      ap_mac_addr: '0641696c7b2e',
      ap_ssid: 'GP0001',
    };
  }

  private state() {
    const { print, generation } = this;
    const recorded = Math.max(0, print.number - 1) * print.script.seconds + print.seconds;
    const battery = 100 - (Math.floor(recorded / SECONDS_OF_PERCENT) % BATTERY_RANGE);
    const remainingSec = CARD_SECONDS - (Math.floor(recorded) % CARD_SECONDS);
    const isRecording = print.isRunning ? 1 : 0;
    const status = {
      2: Math.ceil(battery / 34),
      8: isRecording,
      10: isRecording,
      13: Math.floor(print.seconds),
      35: remainingSec,
      70: battery,
      ...this.status,
    };
    return generation === 'OPEN' ? hero9(status, this.settings) : hero5(status, this.settings);
  }
}
