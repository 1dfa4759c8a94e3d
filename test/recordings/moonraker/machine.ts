// A Klipper behind Moonraker, in the exact shapes of its JSON-RPC messages.
import type { Ask, Message } from '../../../src/devices/adapter';
import { copy, RecordedMachine, T0 } from '../recording';

type Objects = Record<string, Record<string, unknown>>;
interface Row {
  job_id: string;
  status: string;
  filename: string;
  start_time: number;
  end_time: number | null;
  total_duration: number;
  print_duration: number;
  filament_used: number;
  metadata: unknown;
  [member: string]: unknown;
}

const STANDBY = {
  filename: '',
  total_duration: 0.0,
  print_duration: 0.0,
  filament_used: 0.0,
  state: 'standby',
  message: '',
  info: { total_layer: null, current_layer: null },
};

export interface File {
  filament_total?: number;
  filament_weight_total?: number;
  filament_weights?: number[];
  estimated_time?: number;
  slicer?: string;
}

export class MoonrakerMachine extends RecordedMachine {
  objects: Objects | null = {
    print_stats: copy(STANDBY),
    virtual_sdcard: { progress: 0.0 },
    display_status: { message: null },
    webhooks: { state: 'ready', state_message: 'Printer is ready' },
    toolhead: { extruder: 'extruder' },
    extruder1: { can_extrude: null },
  };
  rows: Row[] = [];
  /** Whether Moonraker follows the print, as it does when it saw its begin. */
  row: Row | null = null;
  hasHistory = true;
  /** How far the machine's clock is before ours. */
  clockOff = 0;
  files: Record<string, File> = {};

  protected greeting(): Message[] {
    return [];
  }

  protected answer() {
    const objects = copy(this.objects);
    const rows = copy(this.rows);
    const files = copy(this.files);
    const { hasHistory, clock } = this;
    return (ask: Ask): Message => {
      const given = { source: ask.source, parameters: ask.parameters };
      const failed = (code: number, message: string) => ({ ...given, body: { code, message }, failed: true });
      switch (ask.source) {
        case 'printer.objects.subscribe':
          return objects === null
            ? failed(503, 'Klippy Host not connected')
            : { ...given, body: { eventtime: 1000 + clock, status: objects } };
        case 'server.history.list': {
          if (!hasHistory) return failed(-32601, 'Method not found');
          const jobs = rows.filter(({ start_time }) => start_time > (ask.parameters['since'] as number)).reverse();
          return { ...given, body: { count: jobs.length, jobs } };
        }
        default: {
          const file = files[ask.parameters['filename'] as string];
          return file === undefined ? failed(404, 'Metadata not available') : { ...given, body: { ...file } };
        }
      }
    };
  }

  get stats(): Record<string, unknown> {
    return (this.objects as Objects)['print_stats'] as Record<string, unknown>;
  }

  update(delta: Objects): this {
    const objects = this.objects as Objects;
    for (const [object, members] of Object.entries(delta)) objects[object] = { ...objects[object], ...members };
    this.push({ source: 'notify_status_update', body: [delta, 1000 + this.clock] });
    return this;
  }

  beat(): this {
    const usage = { time: T0 / 1000 + this.clock, cpu_usage: 2.1, memory: 31_000, mem_units: 'kB' };
    this.push({ source: 'notify_proc_stat_update', body: [{ moonraker_stats: usage, websocket_connections: 2 }] });
    return this;
  }

  private now(): number {
    return T0 / 1000 + this.clock + this.clockOff;
  }

  /** Moonraker makes the row, then tells. */
  begin(filename: string): this {
    this.update({
      print_stats: { ...STANDBY, filename, state: 'printing', total_duration: 0.2 },
      virtual_sdcard: { progress: 0.0 },
    });
    if (this.hasHistory) this.addRow(filename);
    return this;
  }

  addRow(filename: string): this {
    const row: Row = {
      job_id: (this.rows.length + 1).toString(16).toUpperCase().padStart(6, '0'),
      user: 'No User',
      filename,
      status: 'in_progress',
      start_time: this.now() + 0.1234567,
      end_time: null,
      print_duration: 0.0,
      total_duration: 0.2,
      filament_used: 0.0,
      metadata: this.files[filename] ?? {},
      auxiliary_data: [],
      exists: true,
    };
    this.row = row;
    this.rows.push(row);
    this.push({ source: 'notify_history_changed', body: [{ action: 'added', job: row }] });
    return this;
  }

  /** Prints for so many seconds, a message each ten. @param mm at the end @param progress at the end */
  print(seconds: number, mm: number, progress: number, layer: number | null = null): this {
    const from = { mm: this.stats['filament_used'] as number, total: this.stats['total_duration'] as number };
    const steps = seconds / 10;
    for (let step = 1; step <= steps; step += 1) {
      this.wait(10);
      const used = step === steps ? mm : Math.round((from.mm + ((mm - from.mm) * step) / steps) * 100) / 100;
      const total = from.total + step * 10;
      this.update({
        print_stats: {
          filament_used: used,
          total_duration: total,
          print_duration: Math.max(0, total - 5),
          ...(layer === null ? {} : { info: { total_layer: 50, current_layer: layer } }),
        },
        virtual_sdcard: { progress: (progress * step) / steps },
      });
      this.beat();
    }
    return this;
  }

  pause(seconds: number): this {
    this.update({ print_stats: { state: 'paused' } });
    const total = this.stats['total_duration'] as number;
    for (let gone = 10; gone <= seconds; gone += 10) {
      this.wait(10);
      this.update({ print_stats: { total_duration: total + gone } });
    }
    this.update({ print_stats: { state: 'printing' } });
    return this;
  }

  /** Ends by print_stats, and by the row when Moonraker follows it. */
  end(state: 'complete' | 'cancelled' | 'error', status: string, message = ''): this {
    this.update({ print_stats: { state, message } });
    this.finish(status);
    return this;
  }

  finish(status: string): this {
    this.finishWith(status, this.stats);
    return this;
  }

  finishWith(status: string, stats: Record<string, unknown>): this {
    if (this.row === null) return this;
    const { filament_used, total_duration, print_duration } = stats;
    Object.assign(this.row, { status, end_time: this.now(), filament_used, total_duration, print_duration });
    if (this.link === 'up')
      this.push({ source: 'notify_history_changed', body: [{ action: 'finished', job: this.row }] });
    this.row = null;
    return this;
  }

  /** Klipper goes on while Moonraker is started again. A kill leaves the row as it is; a stop notes a part. */
  restartMoonraker(how: 'killed' | 'stopped', seconds: number): this {
    if (how === 'stopped') this.finish('server_exit');
    this.down();
    if (this.row !== null) this.row.status = 'interrupted';
    this.row = null;
    this.print(seconds, (this.stats['filament_used'] as number) + 100, 0.6);
    this.up();
    return this;
  }

  /** Klipper goes away in mid-print and comes back with nothing. */
  restartKlipper(seconds: number): this {
    this.finish('klippy_disconnect');
    this.objects = null;
    this.push({ source: 'notify_klippy_disconnected', body: [] });
    for (let gone = 0; gone < seconds; gone += 10) {
      this.wait(10);
      this.beat();
    }
    this.objects = {
      print_stats: copy(STANDBY),
      virtual_sdcard: { progress: 0.0 },
      display_status: { message: null },
      webhooks: { state: 'ready', state_message: 'Printer is ready' },
      toolhead: { extruder: 'extruder' },
      extruder1: { can_extrude: null },
    };
    this.push({ source: 'notify_klippy_ready', body: [] });
    return this;
  }

  rest(): this {
    for (let beats = 0; beats < 5; beats += 1) {
      this.wait(10);
      this.beat();
    }
    return this;
  }
}
