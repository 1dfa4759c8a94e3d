// The clock of one connection to a machine, and when the machine was last heard of: both go evenly, also when the clock of the computer
// is set.
import type { Reading } from '../../farm/print-rules/readings';
import { asEvidence } from '../../values/evidence';
import { type Instant, instantNow, later, msBetween } from '../../values/instant';
import type { CameraReading } from '../machine-adapter';

/** The two clocks of a computer are read one after the other. */
const SLACK_MS = 1000;

/** An adapter waits by it, so that a wait of ten seconds never becomes one of the hours by which a clock was set back. */
export class ConnectionClock {
  private readonly began: number;
  private readonly beganAt: number;

  /** @param clock of the computer, which a person or a time server sets @param steady a clock that is never set */
  constructor(
    private readonly clock: () => number = Date.now,
    private readonly steady: () => number = () => performance.now(),
  ) {
    [this.began, this.beganAt] = [clock(), steady()];
  }

  now(): Instant {
    return new Date(this.evenly()).toISOString();
  }

  /** By how much the clock of the computer was set since the connection began; below 0: back. */
  setByMs(): number {
    const ms = Math.round(this.clock() - this.evenly());
    return Math.abs(ms) < SLACK_MS ? 0 : ms;
  }

  private evenly(): number {
    return this.began + this.steady() - this.beganAt;
  }
}

/** A reading with the times of the connection's clock, moved to a clock that was set since. */
export function movedBy<MachineReading extends Reading | CameraReading>(
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
  private wasHeard = false;

  /** @param stored in the row of the device */
  constructor(stored: Instant | null) {
    const now = instantNow();
    this.instant = asEvidence(stored, now);
    this.steadyMs = this.instant === null ? null : performance.now() - msBetween(this.instant, now);
  }

  heard(): void {
    this.instant = instantNow();
    this.steadyMs = performance.now();
    this.wasHeard = true;
  }

  get at(): Instant | null {
    return this.instant;
  }

  /** null: not known. */
  get agoMs(): number | null {
    return this.steadyMs === null ? null : performance.now() - this.steadyMs;
  }

  /** The last contact in this process; null: this process has heard nothing of the machine. */
  get heardAgoMs(): number | null {
    return this.wasHeard ? this.agoMs : null;
  }
}
