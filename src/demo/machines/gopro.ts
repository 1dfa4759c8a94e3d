// The network of a GoPro: with Open GoPro, or as those before the HERO9. What it plays is a recording.
import type { IncomingMessage } from 'node:http';
import { hero5, hero9 } from '../simulators/gopro';
import { CERTIFICATE, fingerprintOf } from './certificate';
import { FakeHttpMachine } from './http-machine';
import type { FakeOptions } from './machine';

export type Generation = 'OPEN' | 'OLD';

const CARD_SECONDS = 8 * 3600;
/** It is charged when it has fallen by so much, and loses a percent in so many seconds of recording. */
const BATTERY_RANGE = 80;
const SECONDS_OF_PERCENT = 30;

const NOT_FOUND = { status: 404, body: { error: 'not found' } };
const BUSY = { status: 500, body: { error: 5, option_id: 0 } };

export class FakeGoPro extends FakeHttpMachine {
  override readonly certificateFingerprint: string | null;
  protected readonly webSocketPath = null;
  /** The paths that were asked. */
  readonly asked: string[] = [];
  /** Members of the state that are other ones: `undefined` leaves one out. */
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

  protected happened(): void {}
  protected restarted(): void {
    this.isWired = false;
  }

  protected answer({ headers }: IncomingMessage, path: string) {
    this.asked.push(path);
    const expected = `Basic ${Buffer.from(`gopro:${this.secret}`).toString('base64')}`;
    if (this.secret !== null && headers.authorization !== expected) return { status: 401, body: {} };
    return path.startsWith('/gopro/') === (this.generation === 'OPEN') ? this.answerOf(path) : NOT_FOUND;
  }

  private answerOf(path: string) {
    switch (path) {
      case '/gopro/camera/control/wired_usb?p=1': {
        // It refuses what it has already.
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
    const left = CARD_SECONDS - (Math.floor(recorded) % CARD_SECONDS);
    const isRecording = print.isRunning ? 1 : 0;
    const status = {
      ...{ 2: Math.ceil(battery / 34), 8: isRecording, 10: isRecording, 13: Math.floor(print.seconds) },
      ...{ 35: left, 70: battery },
      ...this.status,
    };
    return generation === 'OPEN' ? hero9(status, this.settings) : hero5(status, this.settings);
  }
}
