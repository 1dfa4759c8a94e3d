// An OctoPrint in the exact shapes of its push socket and of its answers about files, with the order of its events and flags.
import type { Ask, Message } from '../../../src/devices/adapter';
import { copy, RecordedMachine, T0 } from '../recording';

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

export interface OctoFile {
  length: number[] | null;
  last: { date: number; printTime: number; success: boolean } | null;
  /** When it was uploaded, in seconds of the recording. */
  uploaded?: number;
}

const filamentOf = (length: number[]) =>
  Object.fromEntries(length.map((mm, tool) => [`tool${tool}`, { length: mm, volume: mm * 0.0024 }]));

const NOTHING = { completion: null, filepos: null, printTime: null, printTimeLeft: null };
const analysisOf = (length: number[]) => ({ estimatedPrintTime: 865.2, filament: filamentOf(length) });

export class OctoPrintMachine extends RecordedMachine {
  flags: Record<string, boolean> = copy(FLAGS);
  text = 'Operational';
  error = '';
  path: string | null = null;
  /** The printer reads the file from its own card: OctoPrint has neither statistics nor an analysis of it. */
  isOnCard = false;
  progress: Record<string, number | null> = NOTHING;
  files: Record<string, OctoFile> = {};
  clockOff = 0;
  /** Whether somebody asks for what happens. */
  isByUser = true;

  protected greeting(): Message[] {
    const hello = { connected: { version: '1.10.3', plugin_hash: 'f6ee', safe_mode: null, permissions: [] } };
    return [hello, { history: this.current() }].map((body) => ({ source: 'push', body: copy(body) }));
  }

  protected answer() {
    const files = copy(this.files);
    return (ask: Ask): Message => {
      const path = ask.parameters['path'] as string;
      const file = files[path];
      const given = { source: ask.source, parameters: ask.parameters };
      if (file === undefined) return { ...given, body: { error: 'The requested URL was not found' }, failed: true };
      const prints = file.last === null ? undefined : { success: 1, failure: 0, last: file.last };
      return {
        ...given,
        body: {
          ...this.fileOf(path, file.uploaded),
          type: 'machinecode',
          typePath: ['machinecode', 'gcode'],
          ...(file.length === null ? {} : { gcodeAnalysis: analysisOf(file.length) }),
          prints,
        },
      };
    };
  }

  private fileOf(path: string, uploaded = -5000) {
    const name = path.slice(path.lastIndexOf('/') + 1);
    const origin = this.isOnCard ? 'sdcard' : 'local';
    return {
      name,
      display: name,
      path,
      origin,
      size: 1_245_312,
      date: Math.floor(T0 / 1000 + uploaded + this.clockOff),
    };
  }

  private current() {
    const { path, files } = this;
    const file =
      path === null
        ? { name: null, path: null, display: null, origin: null, size: null, date: null }
        : this.fileOf(path, files[path]?.uploaded);
    const length = path === null || this.isOnCard ? null : (files[path]?.length ?? null);
    const filament = length === null ? null : filamentOf(length);
    return {
      state: { text: this.text, flags: this.flags, error: this.error },
      job: {
        file,
        estimatedPrintTime: length === null ? null : 865.2,
        averagePrintTime: null,
        lastPrintTime: null,
        filament,
        user: path === null ? null : 'anna',
      },
      currentZ: null,
      progress: { ...this.progress, printTimeLeftOrigin: null },
      offsets: {},
      resends: { count: 0, transmitted: 120, ratio: 0 },
      serverTime: T0 / 1000 + this.clock + this.clockOff,
      temps: [],
      logs: [],
      messages: [],
      busyFiles: [],
    };
  }

  tick(): this {
    this.push({ source: 'push', body: { current: this.current() } });
    return this;
  }

  /** @param payload beside what all events of a print have */
  event(type: string, payload: Record<string, unknown> = {}): this {
    const { name, path, origin, size } = this.fileOf(this.path as string);
    const user = this.isByUser ? { user: 'anna' } : {};
    return this.say(type, { name, path, origin, size, owner: 'anna', ...user, ...payload });
  }

  private say(type: string, payload: Record<string, unknown>): this {
    this.push({ source: 'push', body: { event: { type, payload } } });
    return this;
  }

  private flag(text: string, ...names: string[]): this {
    this.flags = { ...FLAGS, ready: names.length === 0 };
    this.text = text;
    for (const name of names) this.flags[name] = true;
    return this;
  }

  /** Without a connection to its printer. */
  offline(text: string, error = ''): this {
    this.closed(text, error);
    return this.tick();
  }

  private closed(text: string, error: string): void {
    this.flag(text, 'closedOrError');
    this.flags['operational'] = false;
    Object.assign(this, { error, path: null, isOnCard: false, progress: NOTHING });
  }

  online(): this {
    this.error = '';
    return this.flag('Operational').tick();
  }

  /** @param lag of the event */
  begin(path: string, lag = 0): this {
    this.path = path;
    this.progress = { completion: 0, filepos: 0, printTime: 0, printTimeLeft: null };
    this.flag(this.isOnCard ? 'Starting print from SD' : 'Starting', 'printing').tick();
    this.wait(lag).event('PrintStarted');
    return this.printing();
  }

  beginOnCard(path: string): this {
    this.isOnCard = true;
    return this.begin(path);
  }

  private printing(): this {
    return this.flag(this.isOnCard ? 'Printing from SD' : 'Printing', 'printing');
  }

  /** Prints for so many seconds, a message each ten. @param completion percent at the end */
  print(seconds: number, completion: number): this {
    const { completion: from, printTime } = this.progress as { completion: number; printTime: number };
    for (let gone = 10; gone <= seconds; gone += 10) {
      this.wait(10);
      const done = from + ((completion - from) * gone) / seconds;
      const time = printTime + gone;
      const left = Math.round((seconds - gone) / 2);
      this.progress = { completion: done, filepos: Math.round(done * 12_453), printTime: time, printTimeLeft: left };
      this.tick();
    }
    return this;
  }

  /** The time of a print from the card goes on in the pause: the printer tells its progress all the while. */
  halt(seconds: number): this {
    this.flag('Pausing', 'pausing', 'printing').tick();
    this.event('PrintPaused');
    this.flag('Paused', 'paused');
    const { printTime } = this.progress as { printTime: number };
    for (let gone = 10; gone <= seconds; gone += 10) {
      this.wait(10);
      if (this.isOnCard) this.progress = { ...this.progress, printTime: printTime + gone, printTimeLeft: gone };
      this.tick();
    }
    return this;
  }

  /** The first messages still tell the time with the pause. */
  pause(seconds: number): this {
    const { printTime } = this.progress as { printTime: number };
    this.halt(seconds);
    this.flag('Resuming', 'resuming', 'printing').tick();
    this.event('PrintResumed');
    this.printing().wait(0.5).tick();
    this.progress = { ...this.progress, printTime };
    return this.wait(0.5).tick().wait(-1);
  }

  /** The command "restart", which OctoPrint takes in a pause alone: the same file begins anew, and nothing tells of the first print. */
  startAnew(): this {
    return this.wait(0.5).begin(this.path as string, 0.1);
  }

  private note(success: boolean): void {
    const file = this.isOnCard ? undefined : this.files[this.path as string];
    const date = T0 / 1000 + this.clock + this.clockOff;
    if (file !== undefined) file.last = { date, printTime: this.progress['printTime'] as number, success };
  }

  done(): this {
    this.note(true);
    this.progress = { ...this.progress, completion: 100, printTimeLeft: 0 };
    this.flag('Finishing', 'printing', 'finishing');
    this.event('PrintDone', { time: this.progress['printTime'] });
    this.tick();
    return this.flag('Operational').tick();
  }

  /** @param firmwareError why OctoPrint cancels by itself, and stays connected */
  cancel(firmwareError?: string): this {
    if (firmwareError !== undefined) this.isByUser = false;
    this.wait(0.1).event('PrintCancelling', firmwareError === undefined ? {} : { firmwareError });
    this.wait(0.1).flag('Cancelling', 'cancelling', 'printing').tick();
    return this.cancelled();
  }

  /** The firmware says "start" while it prints. */
  reset(): this {
    this.isByUser = false;
    this.wait(0.1).event('PrintCancelling');
    this.flag('Cancelling', 'cancelling', 'printing');
    return this.cancelled(() => this.wait(0.1).say('PrinterReset', { idle: false }));
  }

  private cancelled(then = () => {}): this {
    this.note(false);
    const time = this.progress['printTime'];
    this.flag('Operational');
    this.progress = { completion: 0, filepos: 0, printTime: null, printTimeLeft: null };
    this.wait(0.1).event('PrintCancelled', { time, position: null });
    then();
    this.wait(0.3);
    this.event('PrintFailed', { time, reason: 'cancelled' });
    return this.tick();
  }

  /** The printer is gone while it prints. */
  fail(error: string): this {
    this.note(false);
    const { path, isOnCard } = this;
    const time = this.progress['printTime'];
    this.closed(error === '' ? 'Offline' : 'Offline after error', error);
    const { name, origin, size } = { ...this.fileOf(path as string), origin: isOnCard ? 'sdcard' : 'local' };
    this.say('PrintFailed', { name, path, origin, size, owner: 'anna', time, reason: 'error', error });
    return this.tick();
  }

  /** A file goes to the card of the printer. */
  send(path: string, seconds: number): this {
    Object.assign(this, { path, isOnCard: true });
    this.progress = { completion: 0, filepos: 0, printTime: 0, printTimeLeft: null };
    this.flag('Sending file to SD', 'printing').tick();
    this.print(seconds, 100);
    Object.assign(this, { path: null, isOnCard: false, progress: NOTHING });
    return this.flag('Operational').tick();
  }

  /** The file that is selected is uploaded anew. */
  replace(path: string): this {
    Object.assign(this.files[path] as OctoFile, { uploaded: this.clock, length: null });
    this.progress = { completion: 0, filepos: 0, printTime: null, printTimeLeft: null };
    return this.tick();
  }

  /** The analysis of a file is there. */
  analysed(path: string, length: number[]): this {
    (this.files[path] as OctoFile).length = length;
    const name = path.slice(path.lastIndexOf('/') + 1);
    return this.say('MetadataAnalysisFinished', { name, path, origin: 'local', result: analysisOf(length) }).tick();
  }

  /** @param seconds a message each ten */
  rest(seconds = 50): this {
    for (let gone = 0; gone < seconds; gone += 10) this.wait(10).tick();
    return this;
  }

  /** The program starts again with nothing selected. */
  restart(seconds: number): this {
    this.down();
    this.wait(seconds);
    Object.assign(this, { path: null, isOnCard: false, progress: NOTHING });
    return this.flag('Operational').up();
  }
}
