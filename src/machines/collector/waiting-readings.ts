// Holds the readings of a printer that wait for the database, and decides which of them a newer reading replaces and how many are too many.
import { MAX_RECORDS, type Reading } from '../../farm/print-rules/print.model';
import { estimateBytes } from '../../wire/waiting-bytes';

/** A history of 1,000 prints takes 1 MB. */
const MAX_BYTES = 4 << 20;

export class WaitingReadings {
  private waiting: Reading[] = [];
  /** The reading that was evaluated last; undefined if there was none. */
  private lastEvaluated: Reading | undefined;
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
    this.weights.set(reading, estimateBytes(reading));
    this.waiting = addToQueue(this.waiting, reading, this.lastEvaluated);
  }

  next(): Reading | undefined {
    const next = this.waiting.shift();
    this.lastEvaluated = next ?? this.lastEvaluated;
    return next;
  }

  /** Drops states between the start and the end of prints. Returns false if nothing could be dropped. */
  condense(): boolean {
    const before = this.waiting.length;
    this.waiting = condenseQueue(this.waiting);
    return this.waiting.length < before;
  }

  clear(): void {
    this.waiting = [];
    this.lastEvaluated = undefined;
  }
}

/** If this many readings wait, only the newest state of a print is kept, even if the print pauses and continues in between. */
const MAX_WAITING = 40;
/** The starts and ends of a hundred prints, which is a day of short prints without the database. */
const MAX_STATES = 200;

/**
 * Adds a reading to the queue. A state in which only figures are new replaces the state before, so that a machine with 1,000 messages a
 * second causes no more evaluations than any other. The first state with figures is kept, because it shows whether a print continues an
 * earlier print.
 * @param lastEvaluated the reading before the waiting readings
 */
export function addToQueue(waiting: readonly Reading[], next: Reading, lastEvaluated?: Reading): Reading[] {
  const last = waiting.at(-1);
  const before = waiting.at(-2) ?? lastEvaluated;
  const isFull = waiting.length >= MAX_WAITING;
  const isFirst = last === undefined || before === undefined || !canReplace(before, last, false);
  if (last !== undefined && (isFull || !isFirst) && canReplace(last, next, isFull))
    return [...waiting.slice(0, -1), next];
  return isFull ? [...condenseQueue(waiting), next] : [...waiting, next];
}

/** Keeps the first and the last state of each print, all records, and the newest state. */
function condenseQueue(waiting: readonly Reading[]): Reading[] {
  const kept: Reading[] = [];
  for (const [index, reading] of waiting.entries()) {
    const next = waiting[index + 1];
    if (next === undefined || mustKeep(kept.at(-1), reading, next)) kept.push(reading);
  }
  return kept;
}

/** @param before the last reading before this one that is kept */
function mustKeep(before: Reading | undefined, reading: Reading, next: Reading): boolean {
  if (reading.kind !== 'STATE') return true;
  if (reading.print === 'PRINT_UNKNOWN') return false;
  const running = before === undefined ? null : findRunningOrdinal(before);
  // An idle state matters if a print was running, or may have been.
  if (reading.print === 'NO_PRINT') return before?.kind !== 'STATE' || running !== null;
  const { ordinal, end } = reading.print;
  return end !== null || running !== ordinal || findShownOrdinal(next) !== ordinal;
}

/** The number of the print in a state; `null` if there is none. */
const findShownOrdinal = (reading: Reading) =>
  reading.kind === 'STATE' && typeof reading.print === 'object' ? reading.print.ordinal : null;
const findRunningOrdinal = (reading: Reading) =>
  typeof reading.print === 'object' && reading.print.end === null ? findShownOrdinal(reading) : null;

/** Whether more readings wait than a real machine reports. Prints that start and end many times a second cannot be merged. */
export function isFlood(waiting: readonly Reading[]): boolean {
  if (waiting.length <= MAX_STATES) return false;
  const states = waiting.filter(({ kind }) => kind === 'STATE').length;
  return states > MAX_STATES || waiting.length - states > MAX_RECORDS;
}

function canReplace(last: Reading, next: Reading, isFull: boolean): boolean {
  if (last.kind !== 'STATE' || next.kind !== 'STATE') return false;
  if (last.activity !== next.activity && !isFull) return false;
  if (typeof last.print === 'string' || typeof next.print === 'string') return last.print === next.print;
  if (last.print.slot !== next.print.slot && !isFull) return false;
  return last.print.ordinal === next.print.ordinal && last.print.end === null && next.print.end === null;
}
