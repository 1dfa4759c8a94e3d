// An OctoPrint that speaks as one does: REST for the session and the files, and the push socket.
import type { IncomingMessage } from 'node:http';
import type { WebSocket } from 'ws';
import { memberAt as at } from '../bounds';
import type { FakeState, Happening } from '../fake/print';
import { FakeHttpMachine } from '../fake/server';

const FLAGS = {
  operational: true,
  printing: false,
  cancelling: false,
  pausing: false,
  resuming: false,
  finishing: false,
  closedOrError: false,
  error: false,
  paused: false,
  ready: true,
};

/** What is told when something happens; a cancel sends three. */
const EVENTS: Partial<Record<Happening, string[]>> = {
  begun: ['PrintStarted'],
  paused: ['PrintPaused'],
  resumed: ['PrintResumed'],
  completed: ['PrintDone'],
  cancelled: ['PrintCancelling', 'PrintCancelled', 'PrintFailed'],
  failed: ['PrintFailed'],
};

const TEXTS: Partial<Record<FakeState, string>> = { PRINTING: 'Printing', PAUSED: 'Paused' };

interface Last {
  date: number;
  printTime: number;
  success: boolean;
}

const FOLDER = 'parts/';
const FORBIDDEN = {
  status: 403,
  body: { error: "You don't have the permission to access the requested resource." },
};
/** Who gives no key is a guest, who has no session and may read nothing. */
const GUEST = { name: null, active: true, admin: false, user: false, permissions: [], groups: ['guests'], needs: {} };

export class FakeOctoPrint extends FakeHttpMachine {
  protected readonly webSocketPath = '/sockjs/websocket';
  private session = 0;
  private readonly greeted = new WeakSet<WebSocket>();
  /** The events that a client wants; one that has not said so gets all. */
  private readonly wanted = new WeakMap<WebSocket, unknown[]>();
  private last: Last | null = null;
  private isAnalysed = true;

  /** Ends the session: whoever listens must log in again. */
  logOut(): void {
    this.session += 1;
    for (const client of this.clients) {
      this.greeted.delete(client);
      this.send(client, { reauthRequired: { reason: 'stale' } });
    }
  }

  /** A file that was just uploaded has no analysis, until OctoPrint is idle. */
  upload(): void {
    this.isAnalysed = false;
  }

  analyse(): void {
    this.isAnalysed = true;
    const { name, path, origin } = this.file();
    this.push({
      event: { type: 'MetadataAnalysisFinished', payload: { name, path, origin, result: this.analysis() } },
    });
    this.push({ current: this.current() });
  }

  protected answer(request: IncomingMessage, path: string) {
    const key = request.headers['x-api-key'];
    const isMissing = { status: 404, body: { error: 'The requested URL was not found on the server.' } };
    const isKnown = /^\/api\/(login|version|files\/local\/.+)$/.test(path);
    if (!isKnown) return isMissing;
    if (this.secret !== null && key === undefined) return path === '/api/login' ? { body: GUEST } : FORBIDDEN;
    if (this.secret !== null && key !== this.secret) return FORBIDDEN;
    if (path === '/api/login') return { body: { name: 'anna', active: true, session: `session${this.session}` } };
    if (path === '/api/version') return { body: { api: '0.1', server: '1.10.3', text: 'OctoPrint 1.10.3' } };
    const name = decodeURIComponent(path.slice('/api/files/local/'.length));
    if (name !== this.path) return isMissing;
    const prints = this.last === null ? {} : { prints: { success: 1, failure: 0, last: this.last } };
    const analysis = this.isAnalysed ? { gcodeAnalysis: this.analysis() } : {};
    return { body: { ...this.file(), type: 'machinecode', ...analysis, ...prints } };
  }

  protected opened(client: WebSocket): void {
    this.send(client, { connected: { version: '1.10.3', plugin_hash: 'f6ee', permissions: [] } });
  }

  protected hear(client: WebSocket, message: unknown): void {
    const events = at(message, 'subscribe', 'events');
    if (Array.isArray(events)) this.wanted.set(client, events);
    const auth = at(message, 'auth');
    if (auth === undefined) return;
    const isTaken = auth === `anna:session${this.session}`;
    if (isTaken) this.greeted.add(client);
    this.send(client, isTaken ? { history: this.current() } : { reauthRequired: { reason: 'stale' } });
  }

  private get path(): string {
    return FOLDER + this.print.file;
  }

  private file() {
    const { file } = this.print;
    return { name: file, display: file, path: this.path, origin: 'local', size: 1_245_312, date: 1_763_000_000 };
  }

  private analysis() {
    const { mm, seconds } = this.print.script;
    return { estimatedPrintTime: seconds + 0.25, filament: { tool0: { length: mm, volume: mm * 0.0024 } } };
  }

  private current() {
    const { print } = this;
    const isOffline = print.state === 'FAILED';
    const isIdle = print.state === 'IDLE' || isOffline;
    const isLost = print.state === 'CANCELLED';
    const { estimatedPrintTime, filament } = this.isAnalysed
      ? this.analysis()
      : { estimatedPrintTime: null, filament: null };
    const flags = {
      ...FLAGS,
      operational: !isOffline,
      ready: !print.isRunning && !isOffline,
      printing: print.state === 'PRINTING',
      paused: print.state === 'PAUSED',
      closedOrError: isOffline,
    };
    return {
      state: {
        text: isOffline ? 'Offline after error' : (TEXTS[print.state] ?? 'Operational'),
        flags,
        error: print.reason,
      },
      job: isIdle
        ? { file: { name: null, path: null }, filament: null, estimatedPrintTime: null }
        : { file: this.file(), filament, estimatedPrintTime },
      progress: {
        completion: isIdle ? null : isLost ? 0 : print.share * 100,
        printTime: isIdle || isLost ? null : Math.round(print.seconds),
        printTimeLeft: isIdle ? null : Math.round(print.script.seconds - print.seconds),
      },
      serverTime: Date.now() / 1000 + 0.000_123_4,
      temps: [],
      logs: [],
      messages: [],
    };
  }

  protected happened(happening: Happening): void {
    const { print } = this;
    if (happening === 'completed' || happening === 'cancelled' || happening === 'failed') {
      const success = happening === 'completed';
      this.last = { date: Date.now() / 1000, printTime: print.seconds, success };
    }
    for (const type of EVENTS[happening] ?? []) {
      const reason = happening === 'cancelled' ? 'cancelled' : 'error';
      const failure = type === 'PrintFailed' ? { reason, error: print.reason || undefined } : {};
      this.push({ event: { type, payload: { ...this.file(), user: 'anna', time: print.seconds, ...failure } } });
    }
    this.push({ current: this.current() });
  }

  private push(message: unknown): void {
    const type = at(message, 'event', 'type');
    for (const client of this.clients) {
      const isWanted = type === undefined || (this.wanted.get(client)?.includes(type) ?? true);
      if (this.greeted.has(client) && isWanted) this.send(client, message);
    }
  }

  /** Of a print that ran, nothing remains. */
  protected restarted(): void {
    this.session += 1;
    this.print.state = 'IDLE';
  }
}
