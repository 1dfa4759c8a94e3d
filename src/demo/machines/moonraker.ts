// The network of a Klipper behind Moonraker: who may ask, and who is told.
import type { WebSocket } from 'ws';
import { memberAt } from '../../machines/message-values';
import { Moonraker, STANDBY } from '../simulators/moonraker';
import { live } from '../simulators/simulator';
import { FakeHttpMachine } from './http-machine';
import type { Happening } from './print';

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

const UNAUTHORIZED = { error: { code: -32602, message: 'Unauthorized' } };

export class FakeMoonraker extends FakeHttpMachine {
  protected readonly webSocketPath = '/websocket';
  private readonly machine = live(new Moonraker(), ({ source, body }) => this.notify(source, body));
  private readonly identified = new WeakSet<WebSocket>();
  private readonly subscribed = new WeakSet<WebSocket>();

  /** Klipper goes away, or comes back with nothing. */
  klippy(isThere: boolean): void {
    if (!isThere) return void this.machine.leave();
    this.print.state = 'IDLE';
    this.machine.comeBack();
  }

  protected answer() {
    return { status: 404, body: { error: { code: 404, message: 'Not Found', traceback: '' } } };
  }

  protected override hear(client: WebSocket, message: unknown): void {
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

  /** Rows of a machine that was used before. */
  remember(rows: number, metadata: unknown = this.file()): void {
    const { machine, print } = this;
    for (let number = 0; number < rows; number += 1) {
      machine.rows.push({ ...machine.rowOf(print.file), status: 'completed', end_time: machine.now, metadata });
    }
  }

  private file() {
    const { seconds, mm } = this.print.script;
    return { estimated_time: seconds, filament_total: mm, filament_weight_total: 2.95, slicer: 'PrusaSlicer' };
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

  protected happened(happening: Happening): void {
    const { machine, print } = this;
    if (machine.objects === null) return;
    if (happening === 'begun') {
      machine.files[print.file] = this.file();
      machine.begin(print.file);
    } else machine.update({ print_stats: this.stats(), virtual_sdcard: { progress: print.share } });
    machine.beat();
    const status = STATUSES[happening];
    if (status !== undefined) machine.finish(status);
  }

  private notify(method: string, params: unknown): void {
    for (const client of this.clients) {
      if (!this.identified.has(client)) continue;
      if (method === 'notify_status_update' && !this.subscribed.has(client)) continue;
      this.send(client, { jsonrpc: '2.0', method, params });
    }
  }

  /** Klipper goes on, and the row is never mended. */
  protected restarted(): void {
    this.machine.interrupt();
  }
}
