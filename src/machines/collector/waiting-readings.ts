// Decides which readings of a printer wait while the database is busy: which a newer reading replaces, and how many are too many.
import { MAX_RECORDS, type Reading } from '../../farm/print-rules/print.model';
import { weightOf } from '../../wire/waiting-bytes';

/** A history of 1,000 prints takes 1 MB. */
const MAX_BYTES = 4 << 20;

export class WaitingReadings {
  private waiting: Reading[] = [];
  /** The reading that was taken last. `undefined` before the first one. */
  private taken: Reading | undefined;
  private readonly weights = new WeakMap<Reading, number>();

  get length(): number {
    return this.waiting.length;
  }

  get bytes(): number {
    return this.waiting.reduce((bytes, reading) => bytes + (this.weights.get(reading) ?? 0), 0);
  }

  /** Whether prints start and end more often than on a real machine. */
  get isFlood(): boolean {
    return isFlood(this.waiting);
  }

  get isTooMuch(): boolean {
    return this.isFlood || this.bytes > MAX_BYTES;
  }

  add(reading: Reading): void {
    this.weights.set(reading, weightOf(reading));
    this.waiting = addWaiting(this.waiting, reading, this.taken);
  }

  next(): Reading | undefined {
    const next = this.waiting.shift();
    this.taken = next ?? this.taken;
    return next;
  }

  /** Leaves out intermediate states. `false` if nothing could be left out. */
  condense(): boolean {
    const before = this.waiting.length;
    this.waiting = condense(this.waiting);
    return this.waiting.length < before;
  }

  clear(): void {
    this.waiting = [];
    this.taken = undefined;
  }
}

/** If a print pauses and continues more often than can be written, only its newest state is kept beyond this number. */
const MAX_WAITING = 40;
/** The starts and ends of a hundred prints: a day of short prints while the database is away. */
const MAX_STATES = 200;

/**
 * Adds a reading to the waiting ones. A state that only has new figures replaces the state before it, so that a machine that reports 1,000
 * times a second causes no more evaluations than any other. The first state with figures stays, because it shows whether a print continues
 * an earlier one.
 * @param taken the reading before the waiting ones
 */
export function addWaiting(waiting: readonly Reading[], next: Reading, taken?: Reading): Reading[] {
  const last = waiting.at(-1);
  const before = waiting.at(-2) ?? taken;
  const isFull = waiting.length >= MAX_WAITING;
  const isFirst = last === undefined || before === undefined || !isNewer(before, last, false);
  if (last !== undefined && (isFull || !isFirst) && isNewer(last, next, isFull)) return [...waiting.slice(0, -1), next];
  return isFull ? [...condense(waiting), next] : [...waiting, next];
}

/** Keeps the first and the last state of each print, all records, and the newest state. */
function condense(waiting: readonly Reading[]): Reading[] {
  const kept: Reading[] = [];
  for (const [place, reading] of waiting.entries()) {
    const next = waiting[place + 1];
    if (next === undefined || isNews(kept.at(-1), reading, next)) kept.push(reading);
  }
  return kept;
}

/** @param before the last reading that is kept */
function isNews(before: Reading | undefined, reading: Reading, next: Reading): boolean {
  if (reading.kind !== 'STATE') return true;
  if (reading.print === 'PRINT_UNKNOWN') return false;
  const running = before === undefined ? null : runningOf(before);
  // An idle printer is news only if a print was running, or may have been running.
  if (reading.print === 'NO_PRINT') return before?.kind !== 'STATE' || running !== null;
  const { ordinal, end } = reading.print;
  return end !== null || running !== ordinal || ordinalOf(next) !== ordinal;
}

/** The number of the print that a state reports. `null` if it reports none. */
const ordinalOf = (reading: Reading) =>
  reading.kind === 'STATE' && typeof reading.print === 'object' ? reading.print.ordinal : null;
const runningOf = (reading: Reading) =>
  typeof reading.print === 'object' && reading.print.end === null ? ordinalOf(reading) : null;

/** Whether more readings wait than a real machine reports. Prints that start and end many times a second cannot be merged. */
export function isFlood(waiting: readonly Reading[]): boolean {
  if (waiting.length <= MAX_STATES) return false;
  const states = waiting.filter(({ kind }) => kind === 'STATE').length;
  return states > MAX_STATES || waiting.length - states > MAX_RECORDS;
}

function isNewer(last: Reading, next: Reading, isFull: boolean): boolean {
  if (last.kind !== 'STATE' || next.kind !== 'STATE') return false;
  if (last.activity !== next.activity && !isFull) return false;
  if (typeof last.print === 'string' || typeof next.print === 'string') return last.print === next.print;
  if (last.print.slot !== next.print.slot && !isFull) return false;
  return last.print.ordinal === next.print.ordinal && last.print.end === null && next.print.end === null;
}
