// Holds the lifetime of one connection: it connects once, receives messages, ends once, and then releases its resources.

import { setTimeout } from '../values/timers';
import type { Limits } from './connection-limits';
import { type ConnectionFault, toConnectionFault } from './faults';
import { Meter } from './meter';

/** What a connection reports to its owner. */
export interface LifetimeListener<Identity, Message> {
  /** Is called once, before any message, with the identity of the other end. */
  onConnected(identity: Identity): void;
  onMessage(message: Message): void;
  /** Is called once, unless the owner called `close`. No message follows. */
  onEnded(fault: ConnectionFault): void;
}

export class ConnectionLifetime<Identity = unknown, Message = unknown> {
  private readonly abortController = new AbortController();
  private timer: NodeJS.Timeout;
  private hasConnected = false;
  private endFault: ConnectionFault | null = null;
  /** Counts what the other end sends, and what it costs the process. */
  readonly meter: Meter;

  constructor(
    private readonly listener: LifetimeListener<Identity, Message>,
    limits: Limits,
  ) {
    this.timer = setTimeout(() => this.end('TIMED_OUT'), limits.connectMs);
    this.meter = new Meter(limits, () => this.end('TOO_MUCH_DATA'));
  }

  /** Is aborted when the connection has ended, for whatever reason. */
  get signal(): AbortSignal {
    return this.abortController.signal;
  }

  /** Why the connection ended; `null` while it is open, and if its owner closed it. */
  get fault(): ConnectionFault | null {
    return this.endFault;
  }

  get isConnected(): boolean {
    return this.hasConnected;
  }

  /** Runs a part of the work. A failure ends the connection. The listener is never called before this method returns. */
  run(work: () => Promise<void>): void {
    Promise.resolve()
      .then(work)
      .catch((error: unknown) => this.end(toConnectionFault(error)));
  }

  /**
   * Gives the connection more time, because something has answered.
   * @param fault ends the connection if the machine or receiver itself does not report in this time
   */
  extendDeadline(ms: number, fault: ConnectionFault): void {
    clearTimeout(this.timer);
    if (!this.signal.aborted && !this.isConnected) this.timer = setTimeout(() => this.end(fault), ms);
  }

  connected(identity: Identity): void {
    if (this.signal.aborted) return;
    clearTimeout(this.timer);
    this.hasConnected = true;
    this.listener.onConnected(identity);
  }

  reportMessage(message: Message): void {
    if (!this.signal.aborted) this.runGuarded(() => this.listener.onMessage(message));
  }

  /** Handles data of a socket. An error in a socket's event would end the process, so here it ends the connection instead. */
  runGuarded(read: () => void): void {
    try {
      read();
    } catch {
      this.end('PROTOCOL_ERROR');
    }
  }

  end(fault: ConnectionFault): void {
    if (this.signal.aborted) return;
    this.endFault = fault;
    this.close();
    // A machine that closes a working connection was switched off or restarts.
    this.listener.onEnded(fault === 'CLOSED_AT_ONCE' && this.isConnected ? 'NOT_REACHABLE' : fault);
  }

  close(): void {
    clearTimeout(this.timer);
    this.meter.close();
    this.abortController.abort();
  }

  /** Releases a resource when the connection ends, or immediately if it has already ended. */
  onClose(release: () => void): void {
    if (this.signal.aborted) release();
    else this.signal.addEventListener('abort', release, { once: true });
  }
}
