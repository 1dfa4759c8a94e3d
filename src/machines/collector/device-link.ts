// The connection of a device, made again after each end: soon after a good one, later and later after bad ones. Its clock, and when the
// machine was last heard of: both go evenly, also when the clock of the computer is set.
import type { Reading } from '../../farm/print-rules/print.model';
import { asEvidence, type Instant, instantNow, later, msBetween } from '../../values/instant';
import { setTimeout } from '../../values/timers';
import { Backoff } from '../../wire/backoff';
import type { Network } from '../../wire/networks';
import type { CameraReading, MachineMessage } from '../machine-adapter';
import type { Connect, Connection, DeviceFault, Target } from '../machine-connection';
import type { Pace } from './database-work';
import type { HeldDevice } from './held-device.store';

export interface LinkParts {
  network: Network;
  /** In clear; null: the device has none. */
  secretOf(device: HeldDevice): string | null | 'SECRET_NOT_READABLE';
  /** How long the next connection of the process has to wait. */
  reserveConnectWait(): number;
  pace: Readonly<Pace>;
}

/** Only of the present connection: nothing is heard of one that was closed. */
interface LinkListener {
  onDialling(): void;
  onConnected(): void;
  /** @param at by the clock of the connection */
  onMessage(message: MachineMessage, at: Instant): void;
  onEnded(fault: DeviceFault): void;
}

export class DeviceLink {
  private connection: Connection | null = null;
  private connectionClock = new ConnectionClock();
  private connectedAt: number | null = null;
  private readonly backoff: Backoff;
  private retry: NodeJS.Timeout | undefined;
  /** Connections that are over. */
  private endedConnections = 0;

  constructor(
    private readonly device: HeldDevice,
    private readonly connectKind: Connect,
    private readonly parts: LinkParts,
    private readonly listener: LinkListener,
  ) {
    this.backoff = new Backoff(parts.pace.reconnectMs);
    // By the process that held it before; what is changed is CONNECTING again.
    if (device.state === 'CONNECTED') this.backoff.taken();
  }

  get current(): Connection | null {
    return this.connection;
  }

  /** The clock of the present connection, or of the last one. */
  get clock(): ConnectionClock {
    return this.connectionClock;
  }

  connect(): void {
    this.retry = setTimeout(() => this.dial(), this.parts.reserveConnectWait());
  }

  private dial(): void {
    const { device, listener } = this;
    const secret = this.parts.secretOf(device);
    if (secret === 'SECRET_NOT_READABLE') {
      listener.onEnded(secret);
      return;
    }
    listener.onDialling();
    const { address, serial, username, certificateFingerprint } = device;
    const target: Target = { address, serial, username, secret, certificateFingerprint };
    this.connection = this.connectKind(
      target,
      {
        connected: () => {
          this.connectedAt = performance.now();
          this.backoff.taken();
          this.connectionClock = new ConnectionClock();
          listener.onConnected();
        },
        heard: (message) => listener.onMessage(message, this.clock.now()),
        ended: listener.onEnded,
      },
      this.parts.network,
    );
  }

  /**
   * @param wasUseful whether the connection has shown what the machine does
   * @param runFirst what to wait for first
   */
  reconnect(wasUseful: boolean, runFirst: (next: () => void) => void): void {
    const lastedMs = wasUseful && this.connectedAt !== null ? performance.now() - this.connectedAt : 0;
    const past = this.end();
    const wait = this.backoff.next(lastedMs);
    runFirst(() => {
      if (past === this.endedConnections) this.retry = setTimeout(() => this.connect(), wait);
    });
  }

  /** A person has to mend it, unless the same credentials were taken before. */
  reconnectRefused(): void {
    this.end();
    this.retry = setTimeout(() => this.connect(), this.backoff.refused());
  }

  /** Nothing is heard of it any more. */
  end(): number {
    clearTimeout(this.retry);
    this.connection?.close();
    this.connection = null;
    this.connectedAt = null;
    this.endedConnections += 1;
    return this.endedConnections;
  }
}

/** The two clocks of a computer are read one after the other. */
const SLACK_MS = 1000;

/** An adapter waits by it, so that a wait of ten seconds never becomes one of the hours by which a clock was set back. */
export class ConnectionClock {
  private readonly startedAtMs: number;
  private readonly steadyStartMs: number;

  /** @param clock of the computer, which a person or a time server sets @param steady a clock that is never set */
  constructor(
    private readonly clock: () => number = Date.now,
    private readonly steady: () => number = () => performance.now(),
  ) {
    [this.startedAtMs, this.steadyStartMs] = [clock(), steady()];
  }

  now(): Instant {
    return new Date(this.steadyNowMs()).toISOString();
  }

  /** By how much the clock of the computer was set since the connection began; below 0: back. */
  setByMs(): number {
    const ms = Math.round(this.clock() - this.steadyNowMs());
    return Math.abs(ms) < SLACK_MS ? 0 : ms;
  }

  private steadyNowMs(): number {
    return this.startedAtMs + this.steady() - this.steadyStartMs;
  }
}

/** A reading with the times of the connection's clock, moved to a clock that was set since. */
export function shiftTimes<MachineReading extends Reading | CameraReading>(
  reported: MachineReading,
  ms: number,
): MachineReading {
  if (ms === 0) return reported;
  const moved = <At extends Instant | null>(at: At) => (at === null ? at : (later(at, ms / 1000) as At));
  const reading = { ...reported, at: moved(reported.at), ...('since' in reported && { since: moved(reported.since) }) };
  if (reading.kind === 'STATUS' || typeof reading.print === 'string') return reading;
  const { startedAt, end } = reading.print;
  const print = { ...reading.print, startedAt: moved(startedAt), end: end && { ...end, at: moved(end.at) } };
  return { ...reading, print } as MachineReading;
}

/** An instant by the computer's clock at that time, and the time since by performance.now(). */
export class LastContact {
  private instant: Instant | null;
  /** null: not known. */
  private steadyMs: number | null;
  private isOfThisProcess = false;

  /** @param stored in the row of the device */
  constructor(stored: Instant | null) {
    const now = instantNow();
    this.instant = asEvidence(stored, now);
    this.steadyMs = this.instant === null ? null : performance.now() - msBetween(this.instant, now);
  }

  noteMessage(): void {
    this.instant = instantNow();
    this.steadyMs = performance.now();
    this.isOfThisProcess = true;
  }

  get at(): Instant | null {
    return this.instant;
  }

  /** null: not known. */
  get agoMs(): number | null {
    return this.steadyMs === null ? null : performance.now() - this.steadyMs;
  }

  /** The last contact in this process; null: this process has heard nothing of the machine. */
  get agoMsInThisProcess(): number | null {
    return this.isOfThisProcess ? this.agoMs : null;
  }
}
