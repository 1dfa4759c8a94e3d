// Keeps a device connected: reconnects soon after a useful connection and later after each failure. Also holds the connection's clock and
// the time of the last message, which both stay steady when the clock of the computer is set.
import type { SpoolReport } from '../../farm/followed-spools/followed-spools.model';
import type { Reading } from '../../farm/print-rules/print.model';
import { addMs, addSeconds, discardFutureTime, type Instant, instantNow, msBetween } from '../../values/instant';
import { setTimeout } from '../../values/timers';
import { Backoff } from '../../wire/backoff';
import type { Network } from '../../wire/networks';
import type { CameraReading, MachineMessage } from '../machine-adapter';
import type { Connect, Connection, DeviceFault, Target } from '../machine-connection';
import type { Pace } from './database-work';
import type { HeldDevice } from './held-device.store';

export interface LinkParts {
  network: Network;
  /** Returns the secret in clear text; `null` if the device has none. */
  readSecret(device: HeldDevice): string | null | 'SECRET_NOT_READABLE';
  /** Reserves the next moment for a connection of the process. Returns the milliseconds until then. */
  reserveConnectWait(): number;
  pace: Readonly<Pace>;
}

/** Receives the events of the current connection only. A closed connection reports nothing. */
interface LinkListener {
  onDialling(): void;
  onConnected(): void;
  /** @param at the time by the clock of the connection */
  onMessage(message: MachineMessage, at: Instant): void;
  onEnded(fault: DeviceFault): void;
}

export class DeviceLink {
  private connection: Connection | null = null;
  private connectionClock = new ConnectionClock();
  private connectedAt: number | null = null;
  private readonly backoff: Backoff;
  private retry: NodeJS.Timeout | undefined;
  /** The number of connections that have ended. */
  private endedConnections = 0;

  constructor(
    private readonly device: HeldDevice,
    private readonly connectKind: Connect,
    private readonly parts: LinkParts,
    private readonly listener: LinkListener,
  ) {
    this.backoff = new Backoff(parts.pace.reconnectMs);
    // The process that held the device before was connected with the same configuration: a changed device is CONNECTING.
    if (device.state === 'CONNECTED') this.backoff.noteAccepted();
  }

  get current(): Connection | null {
    return this.connection;
  }

  /** The clock of the current connection, or of the last connection if none is open. */
  get clock(): ConnectionClock {
    return this.connectionClock;
  }

  connect(): void {
    this.retry = setTimeout(() => this.dial(), this.parts.reserveConnectWait());
  }

  private dial(): void {
    const { device, listener } = this;
    const secret = this.parts.readSecret(device);
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
        onConnected: () => {
          this.connectedAt = performance.now();
          this.backoff.noteAccepted();
          this.connectionClock = new ConnectionClock();
          listener.onConnected();
        },
        onMessage: (message) => listener.onMessage(message, this.clock.now()),
        onEnded: listener.onEnded,
      },
      this.parts.network,
    );
  }

  /**
   * @param wasUseful whether the connection has reported the state of the machine
   * @param runFirst does what must happen before the wait, and then calls `next`, which starts the wait
   */
  reconnect(wasUseful: boolean, runFirst: (next: () => void) => void): void {
    const lastedMs = wasUseful && this.connectedAt !== null ? performance.now() - this.connectedAt : 0;
    const endedBefore = this.end();
    const wait = this.backoff.nextWait(lastedMs);
    runFirst(() => {
      if (endedBefore === this.endedConnections) this.retry = setTimeout(() => this.connect(), wait);
    });
  }

  /** Reconnects after refused credentials. A user must correct them, unless the machine accepted the same credentials before. */
  reconnectRefused(): void {
    this.end();
    this.retry = setTimeout(() => this.connect(), this.backoff.nextWaitAfterRefusal());
  }

  /** Ends the connection, which then reports nothing more. Returns the number of ended connections. */
  end(): number {
    clearTimeout(this.retry);
    this.connection?.close();
    this.connection = null;
    this.connectedAt = null;
    this.endedConnections += 1;
    return this.endedConnections;
  }
}

/** The two clocks of a computer are read one after the other, so they can differ by a little without having been set. */
const SLACK_MS = 1000;

/** The clock of a connection. Adapters wait by this clock, so that a wait of ten seconds never becomes hours because a clock was set back. */
export class ConnectionClock {
  private readonly startedAtMs: number;
  private readonly steadyStartMs: number;

  /**
   * @param clock the clock of the computer, which a user or a time server may set
   * @param steady a clock that nobody sets
   */
  constructor(
    private readonly clock: () => number = Date.now,
    private readonly steady: () => number = () => performance.now(),
  ) {
    [this.startedAtMs, this.steadyStartMs] = [clock(), steady()];
  }

  now(): Instant {
    return new Date(this.steadyNowMs()).toISOString();
  }

  /** By how much the clock of the computer was set since the connection started; negative if it was set back. */
  setByMs(): number {
    const ms = Math.round(this.clock() - this.steadyNowMs());
    return Math.abs(ms) < SLACK_MS ? 0 : ms;
  }

  private steadyNowMs(): number {
    return this.startedAtMs + this.steady() - this.steadyStartMs;
  }
}

/** Shifts the times of a reading from the connection's clock to the computer's clock, if the latter was set since. */
export function shiftTimes<MachineReading extends Reading | CameraReading>(
  reported: MachineReading,
  ms: number,
): MachineReading {
  if (ms === 0) return reported;
  const moved = <At extends Instant | null>(at: At) => (at === null ? at : (addSeconds(at, ms / 1000) as At));
  const reading = { ...reported, at: moved(reported.at), ...('since' in reported && { since: moved(reported.since) }) };
  if (reading.kind === 'STATUS' || typeof reading.print === 'string') return reading;
  const { startedAt, end } = reading.print;
  const print = { ...reading.print, startedAt: moved(startedAt), end: end && { ...end, at: moved(end.at) } };
  return { ...reading, print } as MachineReading;
}

/** When the machine sent its last message: the instant by the computer's clock, and the time since then by performance.now(). */
export class LastContact {
  private instant: Instant | null;
  /** The same moment by performance.now(); `null` if it is unknown. */
  private steadyMs: number | null;
  private isFromThisProcess = false;

  /** @param stored the last contact in the row of the device */
  constructor(stored: Instant | null) {
    const now = instantNow();
    this.instant = discardFutureTime(stored, now);
    this.steadyMs = this.instant === null ? null : performance.now() - msBetween(this.instant, now);
  }

  noteMessage(): void {
    this.instant = instantNow();
    this.steadyMs = performance.now();
    this.isFromThisProcess = true;
  }

  get at(): Instant | null {
    return this.instant;
  }

  /** How long ago the machine sent its last message; `null` if that is unknown. */
  get agoMs(): number | null {
    return this.steadyMs === null ? null : performance.now() - this.steadyMs;
  }

  /** How long ago this process received the last message of the machine; `null` if it has received none. */
  get agoMsInThisProcess(): number | null {
    return this.isFromThisProcess ? this.agoMs : null;
  }
}

/** Moves the times of a report to the clock of the computer, which may have been set since the connection started. */
export const shiftReport = (report: SpoolReport, ms: number): SpoolReport =>
  ms === 0
    ? report
    : {
        ...report,
        at: addMs(report.at, ms),
        slots: report.slots.map((slot) => ({ ...slot, chosenAt: slot.chosenAt && addMs(slot.chosenAt, ms) })),
      };
