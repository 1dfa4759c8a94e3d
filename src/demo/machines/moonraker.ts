// Simulates Klipper with Moonraker: its JSON-RPC in exactly the real form, with objects that change and a history of jobs, and its network.

import type { IncomingMessage } from 'node:http';
import type { WebSocket } from 'ws';
import type { Ask, MachineMessage } from '../../machines/machine-adapter';
import { memberAt } from '../../machines/message-values';
import { PICTURE_SIZE } from './preview-picture';
import { type FakeAnswer, FakeHttpMachine } from './simulated-http';
import type { PrintEvent } from './simulated-print';
import { Simulator, setRealClock } from './simulator';

type Members = Record<string, unknown>;
type Objects = Record<string, Members>;

interface Row {
  job_id: string;
  status: string;
  start_time: number;
  [member: string]: unknown;
}

/** The slicer's figures in a file. */
interface File {
  filament_total?: number;
  filament_weight_total?: number;
  filament_weights?: number[];
  estimated_time?: number;
  slicer?: string;
  thumbnails?: { width: number; height: number; size: number; relative_path: string }[];
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

const READY: Objects = {
  print_stats: STANDBY,
  virtual_sdcard: { progress: 0.0 },
  display_status: { message: null },
  webhooks: { state: 'ready', state_message: 'Printer is ready' },
  toolhead: { extruder: 'extruder' },
  extruder1: { can_extrude: null },
};

/** Moonraker's component for Spoolman. */
interface FakeSpoolman {
  isConnected: boolean;
  /** The number of the active spool. */
  active: number | null;
  /** The answer of the Spoolman to GET /api/v1/info; `null` if it does not answer. */
  info: Members | null;
  /** The calls of clients that set the active spool. */
  posted: (number | null)[];
}

export class Moonraker extends Simulator {
  /** `null` if moonraker.conf has no section [spoolman]. */
  spoolman: FakeSpoolman | null = null;
  /** The objects of Klipper; `null` while Klipper is not connected. */
  objects: Objects | null = { ...READY };
  rows: Row[] = [];
  /** The row of the running print in the history; `null` if Moonraker does not follow the print, because it did not see its start. */
  row: Row | null = null;
  hasHistory = true;
  files: Record<string, File> = {};
  private positions: Record<string, number> = {};
  /** A fraction of a second, because times in the history have seven decimals. */
  protected fraction = 0.000_123_4;

  override answer({ source, parameters }: Ask): MachineMessage {
    const result = (body: unknown) => ({ source, parameters, body });
    const refusal = (code: number, message: string) => ({ ...result({ code, message }), failed: true });
    switch (source) {
      case 'server.info': {
        const isThere = this.objects !== null;
        return result({ klippy_connected: isThere, klippy_state: 'ready', moonraker_version: 'v0.9.3-1' });
      }
      case 'printer.info':
        if (this.objects === null) return refusal(503, 'Klippy Host not connected');
        return result({ state: 'ready', hostname: 'fake', software_version: 'v0.12.0-272' });
      case 'printer.objects.list':
        if (this.objects === null) return refusal(503, 'Klippy Host not connected');
        return result({
          objects: Object.keys(this.objects).filter((name) => name !== 'extruder1' || this.isToolChanger),
        });
      case 'printer.objects.subscribe':
        if (this.objects === null) return refusal(503, 'Klippy Host not connected');
        return result({ eventtime: 1000 + this.clock, status: this.subscribed(parameters['objects']) });
      case 'server.history.list': {
        if (!this.hasHistory) break;
        const { since = 0, start = 0, limit = this.rows.length } = parameters as Record<string, number>;
        const jobs = this.rows.filter(({ start_time }) => start_time > since).reverse();
        return result({ count: jobs.length, jobs: jobs.slice(start, start + limit) });
      }
      case 'server.spoolman.status': {
        if (this.spoolman === null) break;
        const { isConnected, active } = this.spoolman;
        return result({ spoolman_connected: isConnected, pending_reports: [], spool_id: active });
      }
      case 'server.spoolman.proxy': {
        if (this.spoolman === null) break;
        const { isConnected, info } = this.spoolman;
        if (isConnected && info !== null) return result({ response: info, error: null });
        return result({ response: null, error: { status_code: 503, message: 'Spoolman server not available' } });
      }
      case 'server.spoolman.post_spool_id': {
        if (this.spoolman === null) break;
        const { spool_id = null } = parameters as { spool_id?: number | null };
        this.spoolman.posted.push(spool_id);
        this.chooseSpool(spool_id);
        return result({ spool_id });
      }
      case 'server.files.metadata': {
        const file = this.files[parameters['filename'] as string];
        return file === undefined ? refusal(404, 'Metadata not available') : result(file);
      }
    }
    return refusal(-32601, 'Method not found');
  }

  /** Connects Moonraker to a Spoolman, or reports that it is connected again. */
  connectSpoolman(info: Members | null, isConnected = true): this {
    this.spoolman = { active: null, posted: [], ...this.spoolman, info, isConnected };
    return this.send('notify_spoolman_status_changed', [{ spoolman_connected: isConnected }]);
  }

  /** Sets the active spool. Moonraker sends nothing if it is active already. */
  chooseSpool(number: number | null): this {
    if (this.spoolman === null || this.spoolman.active === number) return this;
    this.spoolman.active = number;
    const [used] = (this.row?.['auxiliary_data'] ?? []) as { value: (number | null)[] }[];
    if (used !== undefined && !used.value.includes(number)) used.value.push(number);
    return this.send('notify_active_spool_set', [{ spool_id: number }]);
  }

  /** Sets the variable spool_id of the macro of a tool. */
  setToolSpool(tool: number, number: number | null): this {
    return this.update({ [`gcode_macro T${tool}`]: { spool_id: number } });
  }

  get stats(): Members {
    return this.objects?.['print_stats'] as Members;
  }

  get isToolChanger(): boolean {
    return this.objects?.['extruder1']?.['can_extrude'] !== null;
  }

  private subscribed(objects: unknown): Objects {
    const names = Object.keys((objects ?? this.objects) as object);
    return Object.fromEntries(Object.entries(this.objects as Objects).filter(([name]) => names.includes(name)));
  }

  /** Gives the printer several extruders. Each has its own position, which does not change while another extruder is selected. */
  addExtruders(): this {
    return this.update({ extruder1: { can_extrude: true }, gcode_move: { position: [0, 0, 0, 0] } });
  }

  /**
   * Selects a tool.
   * @param mm the length that was fed since the last message, in the same message
   * @param used the value of filament_used after that
   */
  selectTool(tool: number, mm = 0, used = (this.stats['filament_used'] as number) + mm): this {
    const extruder = tool === 0 ? 'extruder' : `extruder${tool}`;
    const position = (this.positions[extruder] ?? 0) + mm;
    this.positions[extruder] = position;
    const gcode_move = { position: [0, 0, 0, position] };
    return this.pushChange({ print_stats: { filament_used: used }, toolhead: { extruder }, gcode_move });
  }

  /** Adds a unit with several filaments for the only extruder, as Happy Hare reports it. */
  addUnit(...gates: number[]): this {
    return this.update({ mmu: { gate: gates[0] as number, ttg_map: gates, num_toolchanges: 0 } });
  }

  selectGate(gate: number): this {
    const { num_toolchanges } = (this.objects?.['mmu'] ?? {}) as { num_toolchanges: number };
    return this.update({ mmu: { gate, num_toolchanges: num_toolchanges + 1 } });
  }

  update(delta: Objects): this {
    const used = delta['print_stats']?.['filament_used'];
    if (typeof used !== 'number' || !this.isToolChanger) return this.pushChange(delta);
    const extruder = this.objects?.['toolhead']?.['extruder'] as string;
    const position = (this.positions[extruder] ?? 0) + used - ((this.stats['filament_used'] as number) ?? 0);
    // A new print counts its filament from 0. The position of the extruder continues.
    if (used > 0) this.positions[extruder] = position;
    return this.pushChange({ ...delta, gcode_move: { position: [0, 0, 0, this.positions[extruder] ?? 0] } });
  }

  private pushChange(delta: Objects): this {
    const objects = this.objects as Objects;
    for (const [object, members] of Object.entries(delta)) objects[object] = { ...objects[object], ...members };
    return this.send('notify_status_update', [delta, 1000 + this.clock]);
  }

  sendHeartbeat(): this {
    const usage = { time: this.now, cpu_usage: 2.1, memory: 31_000, mem_units: 'kB' };
    return this.send('notify_proc_stat_update', [{ moonraker_stats: usage, websocket_connections: 2 }]);
  }

  /** Starts a print. Moonraker adds the row to its history, then sends the change. */
  startPrint(filename: string): this {
    this.update({
      print_stats: { ...STANDBY, filename, state: 'printing', total_duration: 0.2 },
      virtual_sdcard: { progress: 0.0 },
    });
    return this.hasHistory ? this.addRow(filename) : this;
  }

  addRow(filename: string): this {
    this.row = this.createRow(filename);
    this.rows.push(this.row);
    return this.send('notify_history_changed', [{ action: 'added', job: this.row }]);
  }

  createRow(filename: string): Row {
    return {
      job_id: (this.rows.length + 1).toString(16).toUpperCase().padStart(6, '0'),
      user: 'No User',
      filename,
      status: 'in_progress',
      start_time: this.now + this.fraction,
      end_time: null,
      print_duration: 0.0,
      total_duration: 0.2,
      filament_used: 0.0,
      metadata: this.files[filename] ?? {},
      auxiliary_data:
        this.spoolman === null
          ? []
          : [
              {
                provider: 'spoolman',
                name: 'spool_ids',
                value: this.spoolman.active === null ? [] : [this.spoolman.active],
                description: 'Spool IDs used',
                units: null,
              },
            ],
      exists: true,
    };
  }

  /** Ends the print in print_stats, and in the history if Moonraker follows the print. */
  endPrint(state: 'complete' | 'cancelled' | 'error', status: string, message = ''): this {
    return this.update({ print_stats: { state, message } }).finish(status);
  }

  finish(status: string, { filament_used, total_duration, print_duration } = this.stats): this {
    const { row, now: end_time } = this;
    if (row === null) return this;
    Object.assign(row, { status, end_time, filament_used, total_duration, print_duration });
    this.row = null;
    return this.send('notify_history_changed', [{ action: 'finished', job: row }]);
  }

  /** Stops following the print, as if Moonraker had been killed. The row of the print never changes again. */
  interrupt(): void {
    if (this.row !== null) this.row.status = 'interrupted';
    this.row = null;
  }

  disconnectKlipper(): this {
    this.finish('klippy_disconnect');
    this.objects = null;
    return this.send('notify_klippy_disconnected', []);
  }

  /** Klipper is connected again and has forgotten its print. */
  reconnectKlipper(): this {
    this.objects = { ...READY };
    return this.send('notify_klippy_ready', []);
  }
}

const STATES = {
  IDLE: 'standby',
  PRINTING: 'printing',
  PAUSED: 'paused',
  COMPLETED: 'complete',
  CANCELLED: 'cancelled',
  FAILED: 'error',
};
const STATUSES: Partial<Record<PrintEvent, string>> = {
  completed: 'completed',
  cancelled: 'cancelled',
  failed: 'error',
};

/** The path of the preview picture, below the folder of print files. */
const PICTURE = '.thumbs/preview.png';

const UNAUTHORIZED = { error: { code: -32602, message: 'Unauthorized' } };

/** The network of Moonraker, which decides which clients may send requests and which get messages. */
export class FakeMoonraker extends FakeHttpMachine {
  protected readonly webSocketPath = '/websocket';
  /** The machine without its network. */
  readonly machine = setRealClock(new Moonraker(), ({ source, body }) => this.notify(source, body));
  private readonly identified = new WeakSet<WebSocket>();
  private readonly subscribed = new WeakSet<WebSocket>();

  /** Disconnects Klipper, or connects it again after it has forgotten its print. */
  setKlipperConnected(isThere: boolean): void {
    if (!isThere) return void this.machine.disconnectKlipper();
    this.print.state = 'IDLE';
    this.machine.reconnectKlipper();
  }

  protected answer({ headers }: IncomingMessage, path: string): FakeAnswer {
    if (this.secret !== null && headers['x-api-key'] !== this.secret) return { status: 401, body: UNAUTHORIZED };
    if (path === `/server/files/gcodes/${PICTURE}` && this.picture !== null)
      return { headers: { 'content-type': 'image/png' }, body: this.picture };
    return { status: 404, body: { error: { code: 404, message: 'Not Found', traceback: '' } } };
  }

  protected override handleMessage(client: WebSocket, message: unknown): void {
    const parameters = (memberAt(message, 'params') ?? {}) as Record<string, unknown>;
    const reply = this.reply(client, String(memberAt(message, 'method')), parameters);
    this.send(client, { jsonrpc: '2.0', ...reply, id: memberAt(message, 'id') });
  }

  private reply(client: WebSocket, source: string, parameters: Record<string, unknown>) {
    if (source === 'server.connection.identify') {
      const key = parameters['api_key'];
      if (key !== undefined && key !== this.secret) return UNAUTHORIZED;
      if (key === this.secret || this.secret === null) this.identified.add(client);
      return { result: { connection_id: 1_730_367_696 } };
    }
    if (!this.identified.has(client)) return UNAUTHORIZED;
    const { body, failed } = this.machine.answer({ source, parameters });
    if (failed) return { error: body };
    if (source === 'printer.objects.subscribe') this.subscribed.add(client);
    return { result: body };
  }

  /** Adds finished prints to the history, as if the machine had been used before. */
  addHistory(rows: number, metadata: unknown = this.file()): void {
    const { machine, print } = this;
    for (let number = 0; number < rows; number += 1) {
      machine.rows.push({ ...machine.createRow(print.file), status: 'completed', end_time: machine.now, metadata });
    }
  }

  private file() {
    const { seconds, mm } = this.print.script;
    const side = { width: PICTURE_SIZE, height: PICTURE_SIZE };
    const thumbnails = this.picture && [{ ...side, size: this.picture.length, relative_path: PICTURE }];
    return {
      ...(thumbnails && { thumbnails }),
      estimated_time: seconds,
      filament_total: mm,
      filament_weight_total: 2.95,
      slicer: 'PrusaSlicer',
    };
  }

  private stats() {
    const { state, totalSeconds, seconds, mm, reason } = this.print;
    if (state === 'IDLE') return STANDBY;
    return {
      state: STATES[state],
      total_duration: totalSeconds,
      print_duration: seconds,
      filament_used: mm,
      message: reason,
    };
  }

  protected handlePrintEvent(event: PrintEvent): void {
    const { machine, print } = this;
    if (machine.objects === null) return;
    if (event === 'started') {
      machine.files[print.file] = this.file();
      machine.startPrint(print.file);
    } else
      machine.update({
        print_stats: this.stats(),
        virtual_sdcard: { progress: print.share },
        // The macro of a filament sensor shows its reason on the display.
        display_status: { message: print.state === 'PAUSED' ? print.reason || null : null },
      });
    machine.sendHeartbeat();
    const status = STATUSES[event];
    if (status !== undefined) machine.finish(status);
  }

  private notify(method: string, params: unknown): void {
    for (const client of this.clients) {
      if (!this.identified.has(client)) continue;
      if (method === 'notify_status_update' && !this.subscribed.has(client)) continue;
      this.send(client, { jsonrpc: '2.0', method, params });
    }
  }

  /** Moonraker restarts: Klipper continues to print, and the row of the print is never corrected. */
  protected loseState(): void {
    this.machine.interrupt();
  }
}
