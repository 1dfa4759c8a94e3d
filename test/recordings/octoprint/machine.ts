// An OctoPrint in the exact shapes of its push socket and of its answers about files.
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
}

const filamentOf = (length: number[]) =>
  Object.fromEntries(length.map((mm, tool) => [`tool${tool}`, { length: mm, volume: mm * 0.0024 }]));

export class OctoPrintMachine extends RecordedMachine {
  flags: Record<string, boolean> = copy(FLAGS);
  text = 'Operational';
  path: string | null = null;
  progress: Record<string, number | null> = { completion: null, filepos: null, printTime: null, printTimeLeft: null };
  files: Record<string, OctoFile> = {};
  clockOff = 0;

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
          ...this.fileOf(path),
          type: 'machinecode',
          typePath: ['machinecode', 'gcode'],
          ...(file.length === null
            ? {}
            : { gcodeAnalysis: { estimatedPrintTime: 865.2, filament: filamentOf(file.length) } }),
          prints,
        },
      };
    };
  }

  private fileOf(path: string) {
    const name = path.slice(path.lastIndexOf('/') + 1);
    return { name, display: name, path, origin: 'local', size: 1_245_312, date: T0 / 1000 - 5000 };
  }

  private current() {
    const { path, files } = this;
    const file =
      path === null
        ? { name: null, path: null, display: null, origin: null, size: null, date: null }
        : this.fileOf(path);
    const length = path === null ? null : (files[path]?.length ?? null);
    const filament = length === null ? null : filamentOf(length);
    return {
      state: { text: this.text, flags: this.flags, error: '' },
      job: {
        file,
        estimatedPrintTime: path === null ? null : 865.2,
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

  event(type: string, payload: Record<string, unknown> = {}): this {
    const { name, path, origin, size } = this.fileOf(this.path as string);
    const body = { event: { type, payload: { name, path, origin, size, owner: 'anna', user: 'anna', ...payload } } };
    this.push({ source: 'push', body });
    return this;
  }

  private flag(...names: string[]): void {
    this.flags = { ...FLAGS, ready: names.length === 0 };
    for (const name of names) this.flags[name] = true;
  }

  begin(path: string): this {
    this.path = path;
    this.progress = { completion: 0, filepos: 0, printTime: 0, printTimeLeft: null };
    this.flag('printing');
    this.text = 'Starting';
    this.tick();
    this.event('PrintStarted');
    this.text = 'Printing';
    return this;
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

  pause(seconds: number): this {
    this.flag('paused');
    this.text = 'Paused';
    this.event('PrintPaused');
    for (let gone = 0; gone < seconds; gone += 10) {
      this.wait(10);
      this.tick();
    }
    this.flag('printing');
    this.text = 'Printing';
    this.event('PrintResumed');
    return this;
  }

  private note(success: boolean): void {
    const file = this.files[this.path as string] as OctoFile;
    const date = T0 / 1000 + this.clock + this.clockOff;
    file.last = { date, printTime: this.progress['printTime'] as number, success };
  }

  done(): this {
    this.note(true);
    this.progress = { ...this.progress, completion: 100, printTimeLeft: 0 };
    this.flag('printing', 'finishing');
    this.event('PrintDone', { time: this.progress['printTime'] });
    this.tick();
    this.flag();
    this.text = 'Operational';
    this.tick();
    return this;
  }

  cancel(): this {
    this.flag('cancelling');
    this.text = 'Cancelling';
    this.tick();
    this.note(false);
    const time = this.progress['printTime'];
    this.flag();
    this.text = 'Operational';
    this.progress = { completion: 0, filepos: 0, printTime: null, printTimeLeft: null };
    this.event('PrintCancelled', { time, position: null });
    this.wait(0.3);
    this.event('PrintFailed', { time, reason: 'cancelled' });
    this.tick();
    return this;
  }

  fail(error: string): this {
    this.note(false);
    const time = this.progress['printTime'];
    this.flag('error', 'closedOrError');
    this.flags['operational'] = false;
    this.text = `Error: ${error}`;
    this.event('PrintFailed', { time, reason: 'error', error });
    this.progress = { completion: null, filepos: null, printTime: null, printTimeLeft: null };
    this.tick();
    return this;
  }

  rest(): this {
    for (let ticks = 0; ticks < 5; ticks += 1) {
      this.wait(10);
      this.tick();
    }
    return this;
  }

  /** The program starts again with nothing selected. */
  restart(seconds: number): this {
    this.down();
    this.wait(seconds);
    this.path = null;
    this.progress = { completion: null, filepos: null, printTime: null, printTimeLeft: null };
    this.flag();
    this.text = 'Operational';
    this.up();
    return this;
  }
}
