// The readings of a printer that wait for the database, and the memory that they take.
import { condensed, isFlood, queued, type Reading } from '../../farm/print-rules/readings';
import { weightOf } from '../../wire/waiting-bytes';

/** A history of 1,000 prints takes 1 MB. */
const MAX_BYTES = 4 << 20;

export class WaitingReadings {
  private waiting: Reading[] = [];
  private readonly weights = new WeakMap<Reading, number>();

  get length(): number {
    return this.waiting.length;
  }

  get bytes(): number {
    return this.waiting.reduce((bytes, reading) => bytes + (this.weights.get(reading) ?? 0), 0);
  }

  /** Whether prints begin and end more often than at an honest machine. */
  get isFlood(): boolean {
    return isFlood(this.waiting);
  }

  get isTooMuch(): boolean {
    return this.isFlood || this.bytes > MAX_BYTES;
  }

  add(reading: Reading): void {
    this.weights.set(reading, weightOf(reading));
    this.waiting = queued(this.waiting, reading);
  }

  next(): Reading | undefined {
    return this.waiting.shift();
  }

  /** Leaves out what only was on the way. False when nothing could be left out. */
  condense(): boolean {
    const before = this.waiting.length;
    this.waiting = condensed(this.waiting);
    return this.waiting.length < before;
  }

  clear(): void {
    this.waiting = [];
  }
}
