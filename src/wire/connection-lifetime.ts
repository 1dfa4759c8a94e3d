// The lifetime of one connection: connected once, heard in between, ended once, and its resources given back.

import { setTimeout } from '../values/timers';
import type { Limits } from './connection-limits';
import { type ConnectionFault, connectionFaultOf } from './faults';
import { Meter } from './meter';

/** What a connection reports: who is at its other end, what is received, and its end. */
export interface LifetimeListener<Identity, Message> {
  /** Once, before any message. */
  connected(identity: Identity): void;
  heard(message: Message): void;
  /** The connection is over, once; nothing is heard after it. It is not called after `close`. */
  ended(fault: ConnectionFault): void;
}

export class ConnectionLifetime<Identity = unknown, Message = unknown> {
  private readonly abortController = new AbortController();
  private timer: NodeJS.Timeout;
  private hasConnected = false;
  private endFault: ConnectionFault | null = null;
  /** What the other end sends, and what it costs. */
  readonly meter: Meter;

  constructor(
    private readonly listener: LifetimeListener<Identity, Message>,
    limits: Limits,
  ) {
    this.timer = setTimeout(() => this.end('TIMED_OUT'), limits.connectMs);
    this.meter = new Meter(limits, () => this.end('TOO_MUCH_DATA'));
  }

  /** Aborted when the connection is over, however it ended. */
  get signal(): AbortSignal {
    return this.abortController.signal;
  }

  /** Why it is over; null while it is not, and where it was closed here. */
  get fault(): ConnectionFault | null {
    return this.endFault;
  }

  get isConnected(): boolean {
    return this.hasConnected;
  }

  /** Does a part of the work; its failure ends the connection. The listener is not called before this returns. */
  run(work: () => Promise<void>): void {
    Promise.resolve()
      .then(work)
      .catch((error: unknown) => this.end(connectionFaultOf(error)));
  }

  /** Something has answered. @param fault when the machine or receiver itself is not heard in this time */
  extendDeadline(ms: number, fault: ConnectionFault): void {
    clearTimeout(this.timer);
    if (!this.signal.aborted && !this.isConnected) this.timer = setTimeout(() => this.end(fault), ms);
  }

  connected(identity: Identity): void {
    if (this.signal.aborted) return;
    clearTimeout(this.timer);
    this.hasConnected = true;
    this.listener.connected(identity);
  }

  reportMessage(message: Message): void {
    if (!this.signal.aborted) this.runGuarded(() => this.listener.heard(message));
  }

  /** Reads what came from a socket, where a failure would end the process: a message that cannot be read ends its connection. */
  runGuarded(read: () => void): void {
    try {
      this.meter.runCharged(read);
    } catch {
      this.end('PROTOCOL_ERROR');
    }
  }

  end(fault: ConnectionFault): void {
    if (this.signal.aborted) return;
    this.endFault = fault;
    this.close();
    // What closes later is away: it was switched off, or restarts.
    this.listener.ended(fault === 'CLOSED_AT_ONCE' && this.isConnected ? 'NOT_REACHABLE' : fault);
  }

  close(): void {
    clearTimeout(this.timer);
    this.meter.close();
    this.abortController.abort();
  }

  /** Gives something back when the connection is over; at once where it is. */
  onClose(release: () => void): void {
    if (this.signal.aborted) release();
    else this.signal.addEventListener('abort', release, { once: true });
  }
}
