// Follows OctoPrint from print to print by its flags, which show whether it prints. Its events show how a print starts and ends.
import type { End, FilamentPlan, Reading } from '../../farm/print-rules/print.model';
import { type Instant, msBetween } from '../../values/instant';
import {
  type AdapterOutput,
  buildEndReading,
  buildStateReading,
  createExactEnd,
  getNextOrdinal,
  isUnfinished,
  MAX_WAIT_MS,
  reportStateOnly,
  withReadings,
} from '../machine-adapter';
import { readUnixTime } from '../message-values';
import type { Unplanned } from './late-plan';
import { CONNECTION_CLOSED, type Current, createNamedReading, type LastPrint, NO_SUCCESS, toCounter } from './status';
import { continuePrint, isUnclear, startTracking, type Tracked, WINDOW_MS } from './tracked-print';

export interface Memory {
  openedAt: Instant;
  lastContactAt: Instant | null;
  /** The file whose statistics the gateway has requested: the file of the print that was running at the last contact. */
  askedPath: string | null;
  lastPrint: LastPrint | null;
  /** The file of the print that was running at the last contact. */
  ranPath: string | null;
  knowsState: boolean;
  /** Whether the printer was idle at some time in this connection. */
  sawIdle: boolean;
  clockOffMs: number | null;
  current: Current | null;
  /** When PrintStarted arrived; `null` after the next event. */
  startedAt: Instant | null;
  print: Tracked | null;
  unplanned: Unplanned | null;
}

export function trackPrint(memory: Memory, now: Instant): AdapterOutput<Memory> {
  const { current, lastPrint } = memory;
  const waits = !memory.knowsState && memory.askedPath !== null && msBetween(memory.openedAt, now) < MAX_WAIT_MS;
  if (current === null || waits) return withReadings(memory);
  if (memory.knowsState) return trackFlags(memory, current, now);
  const missed = findMissedPrint(memory, now);
  const late = missed.length > 0 && lastPrint !== null ? rememberUnplanned(lastPrint.path, lastPrint, now) : null;
  const shown = trackFlags({ ...memory, knowsState: true, unplanned: late ?? memory.unplanned }, current, now);
  return { ...shown, readings: [...missed, ...shown.readings] };
}

const trackFlags = (memory: Memory, current: Current, now: Instant) =>
  current.isRunning ? trackPrinting(memory, current, now) : trackIdle(memory, current, now);

/** Finds a print that ended since the last contact in the statistics of its file. */
function findMissedPrint({ lastPrint: last, lastContactAt, clockOffMs }: Memory, now: Instant): Reading[] {
  const endedAt = last === null ? null : readUnixTime(last.date, now, clockOffMs);
  if (last === null || endedAt === null || lastContactAt === null || endedAt <= lastContactAt) return [];
  const end = last.success ? createExactEnd('COMPLETED', endedAt) : createExactEnd(null, endedAt, NO_SUCCESS);
  const print = {
    ...createNamedReading(0, last.path, last.name),
    counter: toCounter(last.printSec),
    plan: last.plan,
    end,
  };
  return [{ kind: 'RECORD', at: now, print }];
}

/** @param filePath null if the file is not stored in OctoPrint */
const rememberUnplanned = (
  filePath: string | null,
  { plan }: { plan: FilamentPlan | null },
  endedAt: Instant,
): Unplanned | null => (filePath === null || plan !== null ? null : { filePath, endedAt, askedAt: null });

function trackIdle(memory: Memory, current: Current, now: Instant): AdapterOutput<Memory> {
  const { print } = memory;
  const idle = { ...memory, sawIdle: true };
  if (isUnfinished(print)) return waitForEvent(idle, current, print, now);
  // The file of the last print stays selected at 100 %, so this is a print from before this connection.
  if (print === null && !memory.sawIdle && current.isComplete && current.path !== null) {
    const named = createNamedReading(1, current.path, current.name);
    const last = { ...named, ...current.facts, counter: toCounter(current.printSec) };
    const date = memory.lastPrint?.path === current.path ? memory.lastPrint.date : null;
    const endedAt = readUnixTime(date, now, memory.clockOffMs);
    const end: End = { ...createExactEnd('COMPLETED', endedAt), estimated: endedAt === null };
    const unplanned =
      memory.unplanned ?? rememberUnplanned(current.isLocal ? current.path : null, last, endedAt ?? now);
    const shown = buildStateReading(current, { ...last, end }, now);
    return withReadings({ ...idle, unplanned }, [shown, buildStateReading(current, 'NO_PRINT', now)]);
  }
  return reportStateOnly(idle, current, 'NO_PRINT', now);
}

function trackPrinting(memory: Memory, current: Current, now: Instant): AdapterOutput<Memory> {
  const { print } = memory;
  const path = current.path ?? print?.path ?? null;
  if (path === null) return reportStateOnly(memory, current, 'PRINT_UNKNOWN', now);
  const isSame = print !== null && print.path === path;
  // The flags show a running print for a moment after the event of its end.
  if (isSame && print.isOver && !memory.sawIdle) return reportStateOnly(memory, current, 'NO_PRINT', now);
  // Only PrintStarted shows that the same file was started again.
  const isContinued = isSame && !print.isOver;
  const next = continuePrint(isContinued ? print : trackUnannounced(memory, current, path, now), current, now);
  const state = { ...current, isPausedByUser: next.isPausedByUser };
  const shown = buildStateReading(
    state,
    next.isWithheld || isUnclear(next, current) ? 'PRINT_UNKNOWN' : next.last,
    now,
  );
  const running = { ...memory, sawIdle: false, print: next };
  if (isContinued || !isUnfinished(print)) return withReadings(running, [shown]);
  const ended = endPrint(memory, print, decideEnd(print, current, now), current, now);
  return withReadings({ ...running, unplanned: ended.memory.unplanned }, [...ended.readings, shown]);
}

function trackUnannounced(memory: Memory, { name, isLocal, printSec }: Current, path: string, now: Instant): Tracked {
  const wasSeen = memory.sawIdle || memory.print !== null;
  // The time of a print from the card that has just continued still includes its pause.
  const isWithheld = !wasSeen && !isLocal;
  const isAnnounced = !wasSeen && Number(printSec) * 1000 >= WINDOW_MS;
  const ordinal = getNextOrdinal(memory.print);
  const isFileOfBefore = memory.ranPath === path;
  return startTracking(
    { ordinal, path, name, isLocal, printSec, wasSeen, isAnnounced, isWithheld, isFileOfBefore },
    now,
  );
}

/** Handles a print that has ended by its flags. The event with its outcome arrives later. */
function waitForEvent(memory: Memory, current: Current, print: Tracked, now: Instant): AdapterOutput<Memory> {
  const goneSince = print.goneSince ?? now;
  // If OctoPrint loses its printer in a pause, no event arrives.
  const isDisconnected = print.pause === 'PAUSED' && (current.isError || current.isOffline);
  if (!isDisconnected && msBetween(goneSince, now) < WINDOW_MS) {
    return reportStateOnly({ ...memory, print: { ...print, goneSince } }, current, 'PRINT_UNKNOWN', now);
  }
  const ended = endPrint(memory, print, decideEnd(print, current, now), current, now);
  return { ...ended, readings: [...ended.readings, buildStateReading(current, 'NO_PRINT', now)] };
}

/** Decides the end of a print if no event reported its outcome. */
export function decideEnd(print: Tracked, current: Pick<Current, 'isError' | 'isOffline' | 'error'>, now: Instant) {
  const { wasCancelling, fault, isLocal } = print;
  const goneAt = print.goneSince ?? now;
  if (fault !== null) return createExactEnd('FAILED', goneAt, fault);
  if (wasCancelling) return createExactEnd('CANCELLED', goneAt);
  // OctoPrint lost its printer in a pause. OctoPrint itself never continues a file after that, but the printer may continue a file from its card.
  return isLocal && (current.isError || current.isOffline)
    ? createExactEnd('FAILED', goneAt, current.error ?? CONNECTION_CLOSED)
    : createExactEnd(null, goneAt);
}

export function endPrint(
  memory: Memory,
  print: Tracked,
  end: End,
  current: Current,
  now: Instant,
): AdapterOutput<Memory> {
  const { path, isLocal, last } = print;
  const unplanned = rememberUnplanned(isLocal ? path : null, last, now);
  const ended = { ...memory, unplanned, print: { ...print, isOver: true } };
  return withReadings(ended, [buildEndReading(current, print, end, now)]);
}
