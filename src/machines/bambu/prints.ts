// Follows a Bambu printer from print to print: its state says that a print is over, its codes say how.
import type { End, Reading } from '../../farm/print-rules/print.model';
import { type Instant, msBetween } from '../../values/instant';
import {
  type AdapterOutput,
  endReading,
  exactEnd,
  isUnfinished,
  MAX_WAIT_MS,
  stateOnly,
  stateReading,
  withReadings,
} from '../machine-adapter';
import type { MergedState } from './merged-reports';
import { type BambuCommand, formatErrorCode, isCancel, readStatus, type Status, toPlatePath } from './status';
import {
  isNamedAs,
  namesInStatus,
  namesOfPrint,
  type PrintNames,
  printReading,
  startTracking,
  type Tracked,
  updateTracked,
} from './tracked-print';

/** The code of a cancel comes up to 7 s after FAILED. */
const CANCEL_WINDOW_MS = 15_000;
/** A code that came in so short a gap is still shown. The last contact may be 30 s older than the checkpoint says. */
const SHORT_GAP_MS = 60_000;

/** A printer at rest that names more has a fault. */
const MAX_NAMES = 8;

export interface Memory {
  openedAt: Instant;
  lastContactAt: Instant | null;
  /** Whether a print ran at the last contact. */
  ranBefore: boolean;
  report: MergedState;
  /** Whether enough was heard. */
  knowsState: boolean;
  /** Whether this connection has shown the printer at rest. */
  sawIdle: boolean;
  /** What it named since the print before ended. A print that is named so may get its own name yet. */
  namesBefore: PrintNames[];
  /** Since when a new print waits for its name. */
  waitsForNameSince: Instant | null;
  command: BambuCommand | null;
  print: Tracked | null;
}

export function trackPrint(memory: Memory, now: Instant): AdapterOutput<Memory> {
  const status = readStatus(memory.report);
  switch (status.state) {
    case null:
      return stateOnly(memory, status, 'PRINT_UNKNOWN', now);
    case 'PREPARE':
    case 'RUNNING':
    case 'PAUSE':
      return status.isPrint ? whilePrinting(memory, status, now) : whileIdle(memory, status, now);
    case 'FAILED':
      return whileFailed(memory, status, now);
    case 'FINISH':
      return whileFinished(memory, status, now);
    default:
      return whileIdle(memory, status, now);
  }
}

function whilePrinting(memory: Memory, status: Status, now: Instant): AdapterOutput<Memory> {
  const { print } = memory;
  const isOther = print?.last.externalId != null && ![null, print.last.externalId].includes(status.externalId);
  // FAILED and then RUNNING: it was resumed. PREPARE is the next one.
  const isNext = print?.failedAt != null && print.hasRun && status.state === 'PREPARE';
  if (isUnfinished(print) && !isNext && !isOther)
    return continuePrint(memory, status, { ...print, failedAt: null }, now);
  if (isUnfinished(print)) {
    const next = whilePrinting({ ...memory, namesBefore: [], print: { ...print, isOver: true } }, status, now);
    return { ...next, readings: [unknownEnd(status, print, now), ...next.readings] };
  }
  // Its names may come a message later than its state, or than its id.
  const before = print === null ? memory.namesBefore : [...memory.namesBefore, namesOfPrint(print)];
  const isStale = status.name === null || before.some((one) => isNamedAs(one, status));
  const waitsForNameSince = memory.waitsForNameSince ?? now;
  if (isStale && msBetween(waitsForNameSince, now) < MAX_WAIT_MS) {
    return stateOnly({ ...memory, waitsForNameSince }, status, 'PRINT_UNKNOWN', now);
  }
  const seen = memory.sawIdle || print !== null;
  const command = findCommand(memory, status);
  const begunAt = command?.at ?? (hasJustStarted(memory, status, now) ? now : null);
  const filePath = findPath(memory, status, seen);
  const tracked = startTracking(print, status, filePath, seen ? waitsForNameSince : begunAt, !seen && command === null);
  return continuePrint({ ...memory, sawIdle: false, waitsForNameSince: null }, status, tracked, now);
}

/** Nothing ran at the last contact, so it cannot be old. */
function hasJustStarted(memory: Memory, { state }: Status, now: Instant): boolean {
  if (memory.lastContactAt === null || memory.ranBefore) return false;
  return state === 'PREPARE' || msBetween(memory.lastContactAt, now) <= SHORT_GAP_MS;
}

/** The command that this print was begun with. */
function findCommand({ command }: Memory, { name }: Status): BambuCommand | null {
  return command !== null && [null, name].includes(command.name) ? command : null;
}

/** P1 and A1 report the plate in the command alone, so that a print which ran before is known by its name. */
function findPath(memory: Memory, status: Status, seen: boolean): string | null {
  const plate = findCommand(memory, status)?.plate ?? 1;
  if (status.path !== null || plate > 1) return status.path ?? toPlatePath(status.name, plate);
  return memory.ranBefore && !seen ? null : status.file;
}

function continuePrint(memory: Memory, status: Status, print: Tracked, now: Instant): AdapterOutput<Memory> {
  const tracked = updateTracked(print, status, findCommand(memory, status)?.slots ?? null);
  return withReadings({ ...memory, sawIdle: false, print: tracked }, [stateReading(status, tracked.last, now)]);
}

function whileFinished(memory: Memory, status: Status, now: Instant): AdapterOutput<Memory> {
  const { print } = memory;
  const over = rememberRest(memory, status);
  if (isUnfinished(print)) {
    if (!print.hasRun) return waitForRun(memory, status, print, now);
    if (print.failedAt !== null) return withReadings(over, [unknownEnd(status, print, now)]);
    return withReadings(over, [endReading(status, print, exactEnd('COMPLETED', now), now)]);
  }
  // It stays until the next print: the end of a print that ran before this connection.
  if (print !== null || memory.sawIdle || !status.isPrint) return stateOnly(over, status, 'NO_PRINT', now);
  const end: End = { ...exactEnd('COMPLETED', null), estimated: true };
  const shown = stateReading(status, { ...printReading(status), end }, now);
  return withReadings(over, [shown, stateReading(status, 'NO_PRINT', now)]);
}

function whileFailed(memory: Memory, status: Status, now: Instant): AdapterOutput<Memory> {
  const { print } = memory;
  const isLate = print === null && !memory.sawIdle && memory.ranBefore && status.isPrint;
  if (isLate) return waitForCode(memory, status, startTracking(null, status, status.path, null, true), now);
  return isUnfinished(print)
    ? waitForCode(memory, status, print, now)
    : stateOnly(rememberRest(memory, status), status, 'NO_PRINT', now);
}

/** FINISH behind PREPARE is that of the print before, or the printer refused the print. */
function waitForRun(memory: Memory, status: Status, print: Tracked, now: Instant): AdapterOutput<Memory> {
  const failedAt = print.failedAt ?? now;
  if (msBetween(failedAt, now) >= CANCEL_WINDOW_MS) {
    const reason = 'The printer reported an end, and did not begin to print before';
    return withReadings(rememberRest(memory, status), [unknownEnd(status, { ...print, failedAt }, now, reason)]);
  }
  return stateOnly({ ...memory, print: { ...print, failedAt } }, status, 'PRINT_UNKNOWN', now);
}

function waitForCode(memory: Memory, status: Status, print: Tracked, now: Instant): AdapterOutput<Memory> {
  const { externalId, name } = print.last;
  const heard = updateTracked(print, status, null);
  // Names that come now are those of the next print.
  const waiting = { ...heard, last: { ...heard.last, externalId, name }, failedAt: print.failedAt ?? now };
  const next = { ...memory, print: waiting };
  const cancelled = isCancel(waiting.code);
  if (!cancelled && msBetween(waiting.failedAt, now) < CANCEL_WINDOW_MS)
    return stateOnly(next, status, 'PRINT_UNKNOWN', now);
  const end = decideEnd(memory, waiting, cancelled);
  return withReadings(rememberRest(next, status), [endReading(status, waiting, end, now)]);
}

/** @param print whose code is known, or was waited for */
function decideEnd(memory: Memory, { failedAt, code, ranBefore }: Tracked, cancelled: boolean): End {
  const gapMs = memory.lastContactAt === null ? 0 : msBetween(memory.lastContactAt, memory.openedAt);
  const isMissed = ranBefore && gapMs > SHORT_GAP_MS;
  const when = { at: isMissed ? null : failedAt, estimated: ranBefore };
  if (cancelled) return { ...when, outcome: 'CANCELLED', reason: null };
  if (code !== 0) return { ...when, outcome: 'FAILED', reason: `Error ${formatErrorCode(code)}` };
  // The printer sends the code of a cancel once. A gateway that connects later has not heard it.
  if (isMissed) return { ...when, outcome: null, reason: 'The printer shows that it did not finish, not why' };
  return { ...when, outcome: 'FAILED', reason: 'The printer reported no code: a cancel at a P1 looks the same' };
}

/** At rest, or with a calibration. */
function whileIdle(memory: Memory, status: Status, now: Instant): AdapterOutput<Memory> {
  const { print } = memory;
  if (!isUnfinished(print)) return stateOnly(rememberRest(memory, status), status, 'NO_PRINT', now);
  if (print.failedAt !== null) return waitForCode(memory, status, print, now);
  return withReadings(rememberRest(memory, status), [unknownEnd(status, print, now)]);
}

/** Without FINISH or FAILED, or with another print so soon that no code came. */
const unknownEnd = (status: Status, print: Tracked, now: Instant, reason: string | null = null): Reading =>
  endReading(status, print, exactEnd(null, print.failedAt ?? now, reason), now);

function rememberRest(memory: Memory, status: Status): Memory {
  const { print, namesBefore } = memory;
  const isEnding = isUnfinished(print);
  const isNew = !namesBefore.some((one) => isNamedAs(one, status));
  return {
    ...memory,
    sawIdle: true,
    namesBefore: isEnding
      ? [namesInStatus(status)]
      : isNew
        ? [...namesBefore, namesInStatus(status)].slice(-MAX_NAMES)
        : namesBefore,
    waitsForNameSince: null,
    // The next command may be heard before the print after this one begins.
    command: isEnding ? null : memory.command,
    print: print === null ? null : { ...print, isOver: true },
  };
}
