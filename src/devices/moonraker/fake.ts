// A Klipper behind Moonraker that speaks as one does.
import type { WebSocket } from 'ws';
import { memberAt as at } from '../bounds';
import type { Happening } from '../fake/print';
import { FakeHttpMachine } from '../fake/server';

const STATES = {
  IDLE: 'standby',
  PRINTING: 'printing',
  PAUSED: 'paused',
  COMPLETED: 'complete',
  CANCELLED: 'cancelled',
  FAILED: 'error',
};
const STATUSES: Partial<Record<Happening, string>> = {
  completed: 'completed',
  cancelled: 'cancelled',
  failed: 'error',
};

interface Row {
  job_id: string;
  filename: string;
  status: string;
  start_time: number;
  end_time: number | null;
  total_duration: number;
  print_duration: number;
  filament_used: number;
  metadata: unknown;
}

type Reply = { result: unknown } | { error: { code: number; message: string } };
const refuse = (code: number, message: string): Reply => ({ error: { code, message } });

export class FakeMoonraker extends FakeHttpMachine {
  protected readonly webSocketPath = '/websocket';
  private rows: Row[] = [];
  private isKlippyThere = true;
  private readonly identified = new WeakSet<WebSocket>();
  private readonly subscribed = new WeakSet<WebSocket>();

  /** Klipper goes away, or comes back with an empty print_stats. */
  klippy(isThere: boolean): void {
    this.isKlippyThere = isThere;
    if (isThere) this.print.state = 'IDLE';
    this.notify(isThere ? 'notify_klippy_ready' : 'notify_klippy_disconnected');
  }

  protected opened(): void {}

  protected answer() {
    return { status: 404, body: { error: { code: 404, message: 'Not Found', traceback: '' } } };
  }

  protected hear(client: WebSocket, message: unknown): void {
    const reply = this.reply(client, String(at(message, 'method')), at(message, 'params'));
    this.send(client, { jsonrpc: '2.0', ...reply, id: at(message, 'id') });
  }

  private reply(client: WebSocket, method: string, params: unknown): Reply {
    if (method === 'server.connection.identify') {
      const key = at(params, 'api_key');
      if (key !== undefined && key !== this.secret) return refuse(-32602, 'Unauthorized');
      if (key === this.secret || this.secret === null) this.identified.add(client);
      return { result: { connection_id: 1_730_367_696 } };
    }
    if (!this.identified.has(client)) return refuse(-32602, 'Unauthorized');
    switch (method) {
      case 'server.info':
        return {
          result: { klippy_connected: this.isKlippyThere, klippy_state: 'ready', moonraker_version: 'v0.9.3-1' },
        };
      case 'printer.info':
        if (!this.isKlippyThere) return refuse(503, 'Klippy Host not connected');
        return { result: { state: 'ready', hostname: 'fake', software_version: 'v0.12.0-272' } };
      case 'printer.objects.subscribe':
        if (!this.isKlippyThere) return refuse(503, 'Klippy Host not connected');
        this.subscribed.add(client);
        return { result: { eventtime: 1000.5, status: this.objects() } };
      case 'server.history.list':
        return { result: this.history(params) };
      case 'server.files.metadata':
        return { result: this.metadata() };
      default:
        return refuse(-32601, 'Method not found');
    }
  }

  /** Rows of a machine that was used before. */
  remember(rows: number, metadata: unknown = this.metadata()): void {
    for (let number = 0; number < rows; number += 1) {
      // Of as many digits as Moonraker's clock.
      const now = Date.now() / 1000 + 0.000_123_4;
      this.rows.push({ ...this.row(), status: 'completed', end_time: now, start_time: now, metadata });
    }
  }

  private history(params: unknown) {
    const [since, start, limit] = ['since', 'start', 'limit'].map((name) => Number(at(params, name) ?? 0));
    const found = this.rows.filter(({ start_time }) => start_time > (since as number)).reverse();
    return { count: found.length, jobs: found.slice(start, (start as number) + (limit as number)) };
  }

  private metadata() {
    const { seconds, mm } = this.print.script;
    return { estimated_time: seconds, filament_total: mm, filament_weight_total: 2.95, slicer: 'PrusaSlicer' };
  }

  private stats() {
    const { print } = this;
    const isIdle = print.state === 'IDLE';
    return {
      filename: isIdle ? '' : print.file,
      state: STATES[print.state],
      total_duration: isIdle ? 0 : print.totalSeconds,
      print_duration: isIdle ? 0 : print.seconds,
      filament_used: isIdle ? 0 : print.mm,
      message: print.reason,
      info: { total_layer: null, current_layer: null },
    };
  }

  private objects() {
    return {
      print_stats: this.stats(),
      virtual_sdcard: { progress: this.print.share },
      display_status: { message: null },
      webhooks: { state: 'ready', state_message: 'Printer is ready' },
      toolhead: { extruder: 'extruder' },
      extruder1: { can_extrude: null },
    };
  }

  private row(): Row {
    const { print } = this;
    return {
      job_id: (this.rows.length + 1).toString(16).toUpperCase().padStart(6, '0'),
      filename: print.file,
      status: 'in_progress',
      start_time: print.startedMs / 1000 + 0.000_123_4,
      end_time: null,
      total_duration: 0.2,
      print_duration: 0,
      filament_used: 0,
      metadata: this.metadata(),
    };
  }

  protected happened(happening: Happening): void {
    const { print } = this;
    if (!this.isKlippyThere) return;
    this.notify('notify_status_update', [
      { print_stats: this.stats(), virtual_sdcard: { progress: print.share } },
      1000 + print.totalSeconds,
    ]);
    this.notify('notify_proc_stat_update', [{ moonraker_stats: { time: Date.now() / 1000, cpu_usage: 2.1 } }]);
    if (happening === 'begun') {
      this.rows.push(this.row());
      this.notify('notify_history_changed', [{ action: 'added', job: this.rows.at(-1) }]);
    }
    const status = STATUSES[happening];
    const row = this.rows.at(-1);
    if (status === undefined || row?.status !== 'in_progress') return;
    Object.assign(row, { status, end_time: Date.now() / 1000, filament_used: print.mm });
    Object.assign(row, { total_duration: print.totalSeconds, print_duration: print.seconds });
    this.notify('notify_history_changed', [{ action: 'finished', job: row }]);
  }

  private notify(method: string, params: unknown[] = []): void {
    for (const client of this.clients) {
      if (!this.identified.has(client)) continue;
      if (method === 'notify_status_update' && !this.subscribed.has(client)) continue;
      this.send(client, { jsonrpc: '2.0', method, params });
    }
  }

  /** Klipper goes on, and the row is never mended. */
  protected restarted(): void {
    const row = this.rows.at(-1);
    if (row?.status === 'in_progress') row.status = 'interrupted';
  }
}
