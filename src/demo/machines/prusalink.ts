// The network of a printer behind PrusaLink, with a key or with the digest of either of its programs.
import type { IncomingMessage } from 'node:http';
import { authorization } from '../../machines/prusalink/digest';
import { PrusaLink } from '../simulators/prusalink';
import { FakeHttpMachine } from './http-machine';
import type { FakeOptions } from './machine';
import type { Happening } from './print';

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
  private readonly machine = new PrusaLink();
  private readonly login: Login;
  private nonce = 1;
  private uses = 0;

  constructor({ login = 'KEY', ...options }: FakeOptions & { login?: Login }) {
    super(options);
    this.login = login;
    this.machine.isRaspberry = login === 'RASPBERRY';
  }

  protected happened(happening: Happening): void {
    const { machine, print } = this;
    const hasFailed = print.state === 'FAILED';
    Object.assign(machine, { state: STATES[print.state], fault: hasFailed ? print.reason : null });
    if (happening === 'begun') {
      const meta = { 'filament used [mm]': print.script.mm, 'filament used [g]': 2.95 };
      machine.begin(print.file, machine.isRaspberry ? meta : undefined);
    }
    if (!print.isRunning && !hasFailed) machine.job = null;
    if (machine.job === null) return;
    machine.job.progress = Math.round(print.share * 100);
    machine.job.time_printing = Math.round(print.seconds);
    machine.job.time_remaining = Math.round(print.script.seconds - print.seconds);
  }

  protected answer(request: IncomingMessage, path: string) {
    const { authorization: given } = request.headers;
    this.asked.push({ path, by: given?.split(' ')[0] ?? (request.headers['x-api-key'] === undefined ? '-' : 'Key') });
    const refusal = this.secret === null ? null : this.refusal(request, path);
    if (refusal !== null) return refusal;
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
    const isRight = given === authorization(challenge, credentials, request, cnonce);
    if (isRight && (!isSession || request.count === this.uses + 1) && ++this.uses <= NONCE_USES) return null;
    if (isRight) [this.nonce, this.uses] = [this.nonce + 1, 0];
    const session = isSession ? ', qop="auth", algorithm="MD5-sess"' : '';
    const words = `Digest realm="Printer API", nonce="nonce${this.nonce}"${session}${isRight ? ', stale=true' : ''}`;
    return { status: 401, headers: { 'www-authenticate': words }, body: { title: '401: Unauthorized' } };
  }

  /** The printer itself starts again, with its plate cleared. */
  protected restarted(): void {
    this.print.state = 'IDLE';
    Object.assign(this.machine, { state: STATES.IDLE, job: null });
  }
}
