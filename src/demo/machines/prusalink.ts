// A printer behind PrusaLink that answers as one does, with a key or with the digest of either of its programs.
import type { IncomingMessage } from 'node:http';
import { authorization } from '../../devices/prusalink/digest';
import { FakeHttpMachine } from './http-machine';
import type { FakeOptions } from './machine';

const STATES = {
  IDLE: 'IDLE',
  PRINTING: 'PRINTING',
  PAUSED: 'PAUSED',
  COMPLETED: 'FINISHED',
  CANCELLED: 'STOPPED',
  FAILED: 'ERROR',
};
/** A nonce is taken so often. */
const NONCE_USES = 3;

export type Login = 'KEY' | 'BUDDY' | 'RASPBERRY';

export class FakePrusaLink extends FakeHttpMachine {
  protected readonly webSocketPath = null;
  /** The paths that were asked, and how. */
  readonly asked: { path: string; by: string }[] = [];
  private readonly login: Login;
  private nonce = 1;
  private uses = 0;

  constructor({ login = 'KEY', ...options }: FakeOptions & { login?: Login }) {
    super(options);
    this.login = login;
  }

  protected opened(): void {}
  protected hear(): void {}
  protected happened(): void {}

  protected answer(request: IncomingMessage, path: string) {
    const { authorization: given } = request.headers;
    this.asked.push({ path, by: given?.split(' ')[0] ?? (request.headers['x-api-key'] === undefined ? '-' : 'Key') });
    if (this.secret !== null) {
      const refusal = this.refusal(request, path);
      if (refusal !== null) return refusal;
    }
    switch (path) {
      case '/api/version':
        return {
          body: { api: '2.0.0', server: '2.1.2', text: 'PrusaLink', original: 'PrusaLink MK4', hostname: 'fake' },
        };
      case '/api/v1/info':
        return { body: { nozzle_diameter: 0.4, mmu: false, serial: '10589-3742441630', hostname: 'fake' } };
      case '/api/v1/status':
        return { body: this.status() };
      case '/api/v1/job':
        return this.print.isRunning ? { body: this.job() } : { status: 204 };
      default:
        return { status: 404, body: { title: '404: Not Found', message: '' } };
    }
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
    const isRight = given === authorization(challenge, credentials, request, cnonce);
    if (isRight && (!isSession || request.count === this.uses + 1) && ++this.uses <= NONCE_USES) return null;
    if (isRight) [this.nonce, this.uses] = [this.nonce + 1, 0];
    const session = isSession ? ', qop="auth", algorithm="MD5-sess"' : '';
    const words = `Digest realm="Printer API", nonce="nonce${this.nonce}"${session}${isRight ? ', stale=true' : ''}`;
    return { status: 401, headers: { 'www-authenticate': words }, body: { title: '401: Unauthorized' } };
  }

  /** The job is missing as soon as it ended. */
  private status() {
    const { print } = this;
    const job = {
      id: print.number,
      progress: Math.round(print.share * 100),
      time_printing: Math.round(print.seconds),
      time_remaining: Math.round(print.script.seconds - print.seconds),
    };
    const hasFailed = print.state === 'FAILED';
    return {
      ...(print.isRunning || hasFailed ? { job } : {}),
      storage: { path: '/usb/', name: 'usb', read_only: false },
      printer: {
        state: STATES[print.state],
        temp_nozzle: 214.9,
        ...(hasFailed ? { status_printer: { ok: false, message: print.reason } } : {}),
      },
    };
  }

  private job() {
    const { file, number, script } = this.print;
    const meta =
      this.login === 'RASPBERRY' ? { meta: { 'filament used [mm]': script.mm, 'filament used [g]': 2.95 } } : {};
    return { id: number, state: 'PRINTING', file: { name: 'CUBE~1.GCO', display_name: file, path: '/usb', ...meta } };
  }

  /** The printer itself starts again, with its plate cleared. */
  protected restarted(): void {
    this.print.state = 'IDLE';
  }
}
