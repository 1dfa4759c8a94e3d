// The network of an OctoPrint: REST for the session and the files, and the push socket.
import type { IncomingMessage } from 'node:http';
import type { WebSocket } from 'ws';
import { memberAt } from '../../machines/message-values';
import { OctoPrint } from '../simulators/octoprint';
import { live } from '../simulators/simulator';
import { FakeHttpMachine } from './http-machine';
import type { Happening } from './print';

const FOLDER = 'parts/';
const FILES = '/api/files/local/';
const UPLOADED = 1_763_000_000;
const NOT_FOUND = { status: 404, body: { error: 'The requested URL was not found on the server.' } };
const FORBIDDEN = {
  status: 403,
  body: { error: "You don't have the permission to access the requested resource." },
};
/** Who gives no key is a guest, who has no session and may read nothing. */
const GUEST = { name: null, active: true, admin: false, user: false, permissions: [], groups: ['guests'], needs: {} };

export class FakeOctoPrint extends FakeHttpMachine {
  protected readonly webSocketPath = '/sockjs/websocket';
  private readonly machine = live(new OctoPrint(), ({ body }) => this.push(body));
  private session = 0;
  private readonly greeted = new WeakSet<WebSocket>();
  /** The events that a client wants; one that has not said so gets all. */
  private readonly wanted = new WeakMap<WebSocket, unknown[]>();

  /** Ends the session of OctoPrint's user: each client of the push socket must log in again. */
  logOut(): void {
    this.session += 1;
    for (const client of this.clients) {
      this.greeted.delete(client);
      this.send(client, { reauthRequired: { reason: 'stale' } });
    }
  }

  /** A file that was just uploaded has no analysis, until OctoPrint is idle. */
  upload(): void {
    delete this.machine.files[this.path];
    this.keepFile(null);
  }

  analyse(): void {
    this.machine.analysed(this.path, [this.print.script.mm]);
  }

  protected answer(request: IncomingMessage, path: string) {
    const key = request.headers['x-api-key'];
    const isFile = path.startsWith(FILES);
    if (!isFile && path !== '/api/login' && path !== '/api/version') return NOT_FOUND;
    if (this.secret !== null && key === undefined) return path === '/api/login' ? { body: GUEST } : FORBIDDEN;
    if (this.secret !== null && key !== this.secret) return FORBIDDEN;
    if (path === '/api/login') return { body: { name: 'anna', active: true, session: `session${this.session}` } };
    if (path === '/api/version') return { body: { api: '0.1', server: '1.10.3', text: 'OctoPrint 1.10.3' } };
    const asked = decodeURIComponent(path.slice(FILES.length));
    if (asked !== this.path) return NOT_FOUND;
    this.keepFile();
    return { body: this.machine.answer({ source: FILES, parameters: { path: asked } }).body };
  }

  protected override opened(client: WebSocket): void {
    this.send(client, this.machine.greeting()[0]?.body);
  }

  protected override hear(client: WebSocket, message: unknown): void {
    const events = memberAt(message, 'subscribe', 'events');
    if (Array.isArray(events)) this.wanted.set(client, events);
    const auth = memberAt(message, 'auth');
    if (auth === undefined) return;
    const isTaken = auth === `anna:session${this.session}`;
    if (isTaken) this.greeted.add(client);
    this.send(client, isTaken ? this.machine.greeting()[1]?.body : { reauthRequired: { reason: 'stale' } });
  }

  private get path(): string {
    return FOLDER + this.print.file;
  }

  /** @param length null: it is not analysed */
  private keepFile(length: number[] | null = [this.print.script.mm]): void {
    this.machine.files[this.path] ??= { length, seconds: this.print.script.seconds, uploaded: UPLOADED };
  }

  protected happened(happening: Happening): void {
    const { machine, print } = this;
    if (print.isRunning || happening === 'completed') {
      const printTime = Math.round(print.seconds);
      const printTimeLeft = Math.round(print.script.seconds - print.seconds);
      machine.progress = { ...machine.progress, completion: print.share * 100, printTime, printTimeLeft };
    }
    switch (happening) {
      case 'begun':
        this.keepFile();
        machine.begin(this.path).tick();
        break;
      case 'paused':
        machine.pause().tick();
        break;
      case 'resumed':
        machine.resume().tick();
        break;
      case 'completed':
        machine.done();
        break;
      case 'cancelled':
        machine.cancel();
        break;
      case 'failed':
        machine.fail(print.reason);
        break;
      default:
        (print.state === 'IDLE' ? machine.clear() : machine).tick();
    }
  }

  private push(message: unknown): void {
    const type = memberAt(message, 'event', 'type');
    for (const client of this.clients) {
      const isWanted = type === undefined || (this.wanted.get(client)?.includes(type) ?? true);
      if (this.greeted.has(client) && isWanted) this.send(client, message);
    }
  }

  /** Of a print that ran, nothing remains. */
  protected restarted(): void {
    this.session += 1;
    this.print.state = 'IDLE';
    this.machine.clear();
  }
}
