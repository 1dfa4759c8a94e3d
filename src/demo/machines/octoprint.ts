// Simulates OctoPrint: its push socket and its answers about files in exactly the real form, with the real order of events and flags, and its network.

import type { IncomingMessage } from 'node:http';
import type { WebSocket } from 'ws';
import type { Ask, MachineMessage } from '../../machines/machine-adapter';
import { memberAt } from '../../machines/message-values';
import { FakeHttpMachine } from './simulated-http';
import type { PrintEvent } from './simulated-print';
import { Simulator, setRealClock } from './simulator';

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
  sdReady: false,
};

interface File {
  /** The length for each tool in millimetres; `null` if the file has not been analysed yet. */
  length: number[] | null;
  seconds?: number;
  last?: { date: number; printTime: number; success: boolean };
  /** When the file was uploaded, in seconds after `epoch` on the clock of OctoPrint. */
  uploaded?: number;
}

const NOTHING = { completion: null, filepos: null, printTime: null, printTimeLeft: null };
const NO_FILE = { name: null, path: null, display: null, origin: null, size: null, date: null };

const analysisOf = (length: number[], seconds = 865.2) => ({
  estimatedPrintTime: seconds,
  filament: Object.fromEntries(length.map((mm, tool) => [`tool${tool}`, { length: mm, volume: mm * 0.0024 }])),
});

export class OctoPrint extends Simulator {
  flags: Record<string, boolean> = FLAGS;
  text = 'Operational';
  error = '';
  path: string | null = null;
  /** Whether the printer reads the file from its own card. OctoPrint then has neither statistics nor an analysis of the file. */
  isOnCard = false;
  progress: Record<string, number | null> = NOTHING;
  files: Record<string, File> = {};
  /** Whether a user of OctoPrint causes the next event. If not, the printer causes it. */
  isByUser = true;

  override greeting(): MachineMessage[] {
    const hello = { connected: { version: '1.10.3', plugin_hash: 'f6ee', safe_mode: null, permissions: [] } };
    return [hello, { history: this.current() }].map((body) => ({ source: 'push', body }));
  }

  /** Answers a request about a file that is not on the card. */
  override answer({ source, parameters }: Ask): MachineMessage {
    const path = parameters['path'] as string;
    const file = this.files[path];
    if (file === undefined) {
      return { source, parameters, body: { error: 'The requested URL was not found' }, failed: true };
    }
    const body = {
      ...this.fileOf(path),
      origin: 'local',
      type: 'machinecode',
      typePath: ['machinecode', 'gcode'],
      ...(file.length === null ? {} : { gcodeAnalysis: analysisOf(file.length, file.seconds) }),
      prints: file.last && { success: 1, failure: 0, last: file.last },
    };
    return { source, parameters, body };
  }

  private fileOf(path: string) {
    const name = path.slice(path.lastIndexOf('/') + 1);
    const date = Math.floor(this.epoch + (this.files[path]?.uploaded ?? -5000));
    return { name, display: name, path, origin: this.isOnCard ? 'sdcard' : 'local', size: 1_245_312, date };
  }

  private current() {
    const { path } = this;
    const { length = null, seconds } = (path === null || this.isOnCard ? undefined : this.files[path]) ?? {};
    const analysis = length === null ? { estimatedPrintTime: null, filament: null } : analysisOf(length, seconds);
    return {
      state: { text: this.text, flags: this.flags, error: this.error },
      job: {
        file: path === null ? NO_FILE : this.fileOf(path),
        estimatedPrintTime: analysis.estimatedPrintTime,
        averagePrintTime: null,
        lastPrintTime: null,
        filament: analysis.filament,
        user: path === null ? null : 'anna',
      },
      currentZ: null,
      progress: { ...this.progress, printTimeLeftOrigin: null },
      offsets: {},
      resends: { count: 0, transmitted: 120, ratio: 0 },
      serverTime: this.now,
      temps: [],
      logs: [],
      messages: [],
      busyFiles: [],
    };
  }

  sendStatus(): this {
    return this.send('push', { current: this.current() });
  }

  /** @param payload the members that this event has in addition to the members of all events */
  event(type: string, payload: Record<string, unknown> = {}): this {
    const { name, path, origin, size } = this.fileOf(this.path as string);
    const user = this.isByUser ? { user: 'anna' } : {};
    return this.sendEvent(type, { name, path, origin, size, owner: 'anna', ...user, ...payload });
  }

  protected sendEvent(type: string, payload: Record<string, unknown>): this {
    return this.send('push', { event: { type, payload } });
  }

  protected flag(text: string, ...names: string[]): this {
    this.flags = { ...FLAGS, ready: names.length === 0 };
    this.text = text;
    for (const name of names) this.flags[name] = true;
    return this;
  }

  /** Clears the selected file. */
  clear(): this {
    Object.assign(this, { path: null, isOnCard: false, progress: NOTHING });
    return this.flag('Operational');
  }

  /** OctoPrint loses the connection to its printer. */
  offline(text: string, error = ''): this {
    return this.close(text, error).sendStatus();
  }

  private close(text: string, error: string): this {
    this.clear().flag(text, 'closedOrError').error = error;
    this.flags['operational'] = false;
    return this;
  }

  /** @param lag the delay of the event in seconds */
  startPrint(path: string, lag = 0): this {
    Object.assign(this, { path, error: '' });
    this.progress = { completion: 0, filepos: 0, printTime: 0, printTimeLeft: null };
    this.flag(this.isOnCard ? 'Starting print from SD' : 'Starting', 'printing').sendStatus();
    return this.wait(lag).event('PrintStarted').printing();
  }

  private printing(): this {
    return this.flag(this.isOnCard ? 'Printing from SD' : 'Printing', 'printing');
  }

  pause(): this {
    return this.flag('Pausing', 'pausing', 'printing').sendStatus().event('PrintPaused').flag('Paused', 'paused');
  }

  resume(): this {
    return this.flag('Resuming', 'resuming', 'printing').sendStatus().event('PrintResumed').printing();
  }

  private keepStatistics(success: boolean): void {
    const file = this.isOnCard ? undefined : this.files[this.path as string];
    if (file !== undefined) file.last = { date: this.now, printTime: this.progress['printTime'] as number, success };
  }

  completePrint(): this {
    this.keepStatistics(true);
    this.progress = { ...this.progress, completion: 100, printTimeLeft: 0 };
    this.flag('Finishing', 'printing', 'finishing')
      .event('PrintDone', { time: this.progress['printTime'] })
      .sendStatus();
    return this.flag('Operational').sendStatus();
  }

  /** @param firmwareError the error because of which OctoPrint itself cancels the print and stays connected */
  cancel(firmwareError?: string): this {
    if (firmwareError !== undefined) this.isByUser = false;
    this.wait(0.1).event('PrintCancelling', firmwareError === undefined ? {} : { firmwareError });
    return this.wait(0.1).flag('Cancelling', 'cancelling', 'printing').sendStatus().cancelled();
  }

  protected cancelled(then = () => {}): this {
    this.keepStatistics(false);
    const time = this.progress['printTime'];
    this.flag('Operational').progress = { completion: 0, filepos: 0, printTime: null, printTimeLeft: null };
    this.wait(0.1).event('PrintCancelled', { time, position: null });
    then();
    return this.wait(0.3).event('PrintFailed', { time, reason: 'cancelled' }).sendStatus();
  }

  /** OctoPrint loses the connection to its printer during a print. */
  fail(error: string): this {
    this.keepStatistics(false);
    const { name, path, origin, size } = this.fileOf(this.path as string);
    const time = this.progress['printTime'];
    this.close(error === '' ? 'Offline' : 'Offline after error', error);
    this.sendEvent('PrintFailed', { name, path, origin, size, owner: 'anna', time, reason: 'error', error });
    return this.sendStatus();
  }

  /** OctoPrint has finished the analysis of a file. */
  analysed(path: string, length: number[]): this {
    const file = this.files[path] as File;
    file.length = length;
    const { name } = this.fileOf(path);
    const result = analysisOf(length, file.seconds);
    return this.sendEvent('MetadataAnalysisFinished', { name, path, origin: 'local', result }).sendStatus();
  }
}

const PATHS = ['/api/login', '/api/version', '/api/settings', '/api/connection'];
const FOLDER = 'parts/';
const FILES = '/api/files/local/';
const UPLOADED = 1_763_000_000;
const NOT_FOUND = { status: 404, body: { error: 'The requested URL was not found on the server.' } };
const FORBIDDEN = {
  status: 403,
  body: { error: "You don't have the permission to access the requested resource." },
};
/** A client without a key is a guest, who has no session and may not read anything. */
const GUEST = { name: null, active: true, admin: false, user: false, permissions: [], groups: ['guests'], needs: {} };

/** The network of OctoPrint: REST for the session and the files, and the push socket. */
export class FakeOctoPrint extends FakeHttpMachine {
  protected readonly webSocketPath = '/sockjs/websocket';
  private readonly machine = setRealClock(new OctoPrint(), ({ body }) => this.push(body));
  /** As a new OctoPrint has them. */
  names = { appearance: '', profile: 'Default' };
  private session = 0;
  private readonly greeted = new WeakSet<WebSocket>();
  /** The events to which a client has subscribed. A client without a subscription gets all events. */
  private readonly wanted = new WeakMap<WebSocket, unknown[]>();

  /** Ends the session of OctoPrint's user, so that every client of the push socket must log in again. */
  logOut(): void {
    this.session += 1;
    for (const client of this.clients) {
      this.greeted.delete(client);
      this.send(client, { reauthRequired: { reason: 'stale' } });
    }
  }

  /** Uploads the file again. A new file has no analysis until OctoPrint is idle. */
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
    if (!isFile && !PATHS.includes(path)) return NOT_FOUND;
    if (this.secret !== null && key === undefined) return path === '/api/login' ? { body: GUEST } : FORBIDDEN;
    if (this.secret !== null && key !== this.secret) return FORBIDDEN;
    if (path === '/api/login') return { body: { name: 'anna', active: true, session: `session${this.session}` } };
    if (path === '/api/version') return { body: { api: '0.1', server: '1.10.3', text: 'OctoPrint 1.10.3' } };
    if (path === '/api/settings') return { body: { appearance: { name: this.names.appearance, color: 'default' } } };
    if (path === '/api/connection') {
      const printerProfiles = [{ id: '_default', name: this.names.profile }];
      return { body: { current: { state: 'Operational', printerProfile: '_default' }, options: { printerProfiles } } };
    }
    const asked = decodeURIComponent(path.slice(FILES.length));
    if (asked !== this.path) return NOT_FOUND;
    this.keepFile();
    return { body: this.machine.answer({ source: FILES, parameters: { path: asked } }).body };
  }

  protected override opened(client: WebSocket): void {
    this.send(client, this.machine.greeting()[0]?.body);
  }

  protected override handleMessage(client: WebSocket, message: unknown): void {
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

  /** @param length `null` if the file has not been analysed */
  private keepFile(length: number[] | null = [this.print.script.mm]): void {
    this.machine.files[this.path] ??= { length, seconds: this.print.script.seconds, uploaded: UPLOADED };
  }

  protected handlePrintEvent(event: PrintEvent): void {
    const { machine, print } = this;
    if (print.isRunning || event === 'completed') {
      const printTime = Math.round(print.seconds);
      const printTimeLeft = Math.round(print.script.seconds - print.seconds);
      machine.progress = { ...machine.progress, completion: print.share * 100, printTime, printTimeLeft };
    }
    switch (event) {
      case 'started':
        this.keepFile();
        machine.startPrint(this.path).sendStatus();
        break;
      case 'paused':
        machine.pause().sendStatus();
        break;
      case 'resumed':
        machine.resume().sendStatus();
        break;
      case 'completed':
        machine.completePrint();
        break;
      case 'cancelled':
        machine.cancel();
        break;
      case 'failed':
        machine.fail(print.reason);
        break;
      default:
        (print.state === 'IDLE' ? machine.clear() : machine).sendStatus();
    }
  }

  private push(message: unknown): void {
    const type = memberAt(message, 'event', 'type');
    for (const client of this.clients) {
      const isWanted = type === undefined || (this.wanted.get(client)?.includes(type) ?? true);
      if (this.greeted.has(client) && isWanted) this.send(client, message);
    }
  }

  /** OctoPrint restarts and has forgotten a running print. */
  protected loseState(): void {
    this.session += 1;
    this.print.state = 'IDLE';
    this.machine.clear();
  }
}
