// Simulates a printer with PrusaLink: its answers in exactly the real form, and its network.

import type { IncomingMessage } from 'node:http';
import type { Ask, MachineMessage } from '../../machines/machine-adapter';
import { answerChallenge } from '../../machines/prusalink/digest-authentication';
import { FakeHttpMachine } from './simulated-http';
import type { FakeOptions } from './simulated-machine';
import type { PrintEvent } from './simulated-print';
import { Simulator } from './simulator';

/** The path of the preview picture of a file. */
const PICTURE = '/thumb/l/usb/CUBE~1.BGC';

interface Job {
  id: number;
  progress: number;
  time_remaining?: number;
  time_printing: number;
}

export class PrusaLink extends Simulator {
  state = 'IDLE';
  nextId = 42;
  /** The running print; `null` as soon as it has ended. */
  job: Job | null = null;
  file: Record<string, unknown> = {};
  /** Whether PrusaLink runs on a Raspberry Pi, which reports a list of storages. Buddy boards report one storage. */
  isRaspberry = false;
  fault: string | null = null;

  override answer({ source, parameters }: Ask): MachineMessage {
    const body = this.answerAt(source);
    return { source, parameters, body, ...(body === null ? { failed: true } : {}) };
  }

  private answerAt(path: string): unknown {
    const { job, state, file } = this;
    switch (path) {
      case '/api/version':
        return { api: '2.0.0', server: '2.1.2', text: 'PrusaLink', original: 'PrusaLink MK4', hostname: 'fake' };
      case '/api/v1/info':
        return { nozzle_diameter: 0.4, mmu: false, serial: '10589-3742441630', hostname: 'fake' };
      case '/api/v1/status':
        return this.status();
      case '/api/v1/job':
        return job && { ...job, state, inaccurate_estimates: false, file };
      default:
        return null;
    }
  }

  protected status() {
    const { job, fault } = this;
    const storage = { path: '/usb/', name: 'usb', read_only: false };
    return {
      ...(job === null ? {} : { job }),
      storage: this.isRaspberry ? [storage, { ...storage, name: 'sdcard' }] : storage,
      printer: {
        state: this.state,
        temp_bed: 59.9,
        target_bed: 60.0,
        temp_nozzle: 214.9,
        target_nozzle: 215.0,
        axis_z: 6.4,
        flow: 100,
        speed: 100,
        fan_hotend: 4882,
        fan_print: 5234,
        ...(fault === null ? {} : { status_printer: { ok: false, message: fault } }),
      },
    };
  }

  /** @param meta the slicer's figures in the file, which only a Raspberry Pi reports */
  startPrint(name: string, meta?: Record<string, unknown>): this {
    this.job = { id: this.nextId, progress: 0, time_printing: 0 };
    this.nextId = (this.nextId + 1) % 65536;
    this.file = {
      refs: { icon: '/thumb/s/usb/CUBE~1.BGC', thumbnail: PICTURE, download: '/usb/CUBE~1.BGC' },
      name: 'CUBE~1.BGC',
      display_name: name,
      path: '/usb',
      size: 1_245_312,
      m_timestamp: 1_763_000_000,
      ...(meta === undefined ? {} : { meta }),
    };
    return this;
  }
}

const STATES = {
  IDLE: 'IDLE',
  PRINTING: 'PRINTING',
  PAUSED: 'PAUSED',
  COMPLETED: 'FINISHED',
  CANCELLED: 'STOPPED',
  FAILED: 'ERROR',
};
/** How often a nonce may be used. */
const NONCE_USES = 3;

export type Login = 'KEY' | 'BUDDY' | 'RASPBERRY';

/** The network of PrusaLink, with an API key, or with the digest login of a Buddy board or of a Raspberry Pi. */
export class FakePrusaLink extends FakeHttpMachine {
  protected readonly webSocketPath = null;
  /** The paths of all requests, with the kind of their credentials. */
  readonly requests: { path: string; by: string }[] = [];
  private readonly machine = new PrusaLink();
  private readonly login: Login;
  private nonce = 1;
  private uses = 0;

  constructor({ login = 'KEY', ...options }: FakeOptions & { login?: Login }) {
    super(options);
    this.login = login;
    this.machine.isRaspberry = login === 'RASPBERRY';
  }

  protected handlePrintEvent(event: PrintEvent): void {
    const { machine, print } = this;
    const hasFailed = print.state === 'FAILED';
    Object.assign(machine, { state: STATES[print.state], fault: hasFailed ? print.reason : null });
    if (event === 'started') {
      const meta = { 'filament used [mm]': print.script.mm, 'filament used [g]': 2.95 };
      machine.startPrint(print.file, machine.isRaspberry ? meta : undefined);
    }
    if (!print.isRunning && !hasFailed) machine.job = null;
    if (machine.job === null) return;
    machine.job.progress = Math.round(print.share * 100);
    machine.job.time_printing = Math.round(print.seconds);
    machine.job.time_remaining = Math.round(print.script.seconds - print.seconds);
  }

  protected answer(request: IncomingMessage, path: string) {
    const { authorization: given } = request.headers;
    this.requests.push({
      path,
      by: given?.split(' ')[0] ?? (request.headers['x-api-key'] === undefined ? '-' : 'Key'),
    });
    const refusal = this.secret === null ? null : this.refusal(request, path);
    if (refusal !== null) return refusal;
    if (path === PICTURE && this.picture !== null)
      return { headers: { 'content-type': 'image/png' }, body: this.picture };
    const { body } = this.machine.answer({ source: path, parameters: {} });
    if (body !== null) return { body };
    return path === '/api/v1/job' ? { status: 204 } : { status: 404, body: { title: '404: Not Found', message: '' } };
  }

  private refusal({ headers, method = 'GET' }: IncomingMessage, path: string) {
    if (this.login === 'KEY') {
      return headers['x-api-key'] === this.secret ? null : { status: 403, body: { title: '403: Forbidden' } };
    }
    const isSession = this.login === 'RASPBERRY';
    const challenge = {
      realm: 'Printer API',
      nonce: `nonce${this.nonce}`,
      opaque: null,
      isSession,
      hasQop: isSession,
      stale: false,
    };
    const given = headers.authorization ?? '';
    const [, cnonce] = /cnonce="(\w+)"/.exec(given) ?? [];
    const [, nc = '1'] = /nc=(\w+)/.exec(given) ?? [];
    const credentials = { username: 'maker', password: this.secret as string };
    const request = { method, uri: path, count: Number.parseInt(nc, 16) };
    const isRight = given === answerChallenge(challenge, credentials, request, cnonce);
    if (isRight && (!isSession || request.count === this.uses + 1) && ++this.uses <= NONCE_USES) return null;
    if (isRight) [this.nonce, this.uses] = [this.nonce + 1, 0];
    const session = isSession ? ', qop="auth", algorithm="MD5-sess"' : '';
    const header = `Digest realm="Printer API", nonce="nonce${this.nonce}"${session}${isRight ? ', stale=true' : ''}`;
    return { status: 401, headers: { 'www-authenticate': header }, body: { title: '401: Unauthorized' } };
  }

  /** The printer restarts, and its plate has been cleared. */
  protected loseState(): void {
    this.print.state = 'IDLE';
    Object.assign(this.machine, { state: STATES.IDLE, job: null });
  }
}
