// Follows a Bambu printer from print to print: its state shows that a print has ended, and its codes show how.
import type { End, Reading } from '../../farm/print-rules/print.model';
import { type Instant, msBetween } from '../../values/instant';
import {
  type AdapterOutput,
  buildEndReading,
  buildStateReading,
  createExactEnd,
  isUnfinished,
  MAX_WAIT_MS,
  reportStateOnly,
  withReadings,
} from '../machine-adapter';
import type { MergedState } from './merged-reports';
import { type BambuCommand, formatErrorCode, isCancel, readStatus, type Status, toPlatePath } from './status';
import type { TagMemory } from './tags';
import {
  buildPrintReading,
  getNames,
  isNamedAs,
  type PrintNames,
  readNames,
  startTracking,
  type Tracked,
  updateTracked,
} from './tracked-print';

/** The code of a cancel arrives up to 7 s after the state FAILED. */
const CANCEL_WINDOW_MS = 15_000;
/** After a gap this short, the printer still shows the code of an end. The last contact may be 30 s older than its checkpoint. */
const SHORT_GAP_MS = 60_000;

/** The most names that are remembered. An idle printer shows only a few names, unless it is faulty. */
const MAX_NAMES = 8;

export interface Memory {
  openedAt: Instant;
  lastContactAt: Instant | null;
  /** Whether a print was running at the last contact. */
  ranBefore: boolean;
  report: MergedState;
  /** Whether the reports so far are enough to judge the printer. */
  knowsState: boolean;
  /** Whether the printer was idle at some time in this connection. */
  sawIdle: boolean;
  /** The names that the printer showed since the last print ended. While a new print shows such a name, its own name may still arrive. */
  namesBefore: PrintNames[];
  /** Since when a new print waits for its own name; `null` while no print waits. */
  waitsForNameSince: Instant | null;
  command: BambuCommand | null;
  print: Tracked | null;
  tags: TagMemory;
}

export function trackPrint(memory: Memory, now: Instant): AdapterOutput<Memory> {
  const status = readStatus(memory.report);
  switch (status.state) {
    case null:
      return reportStateOnly(memory, status, 'PRINT_UNKNOWN', now);
    case 'PREPARE':
    case 'RUNNING':
    case 'PAUSE':
      return status.isPrint ? trackPrinting(memory, status, now) : trackIdle(memory, status, now);
    case 'FAILED':
      return trackFailed(memory, status, now);
    case 'FINISH':
      return trackFinished(memory, status, now);
    default:
      return trackIdle(memory, status, now);
  }
}

function trackPrinting(memory: Memory, status: Status, now: Instant): AdapterOutput<Memory> {
  const { print } = memory;
  const isOtherPrint = print?.last.externalId != null && ![null, print.last.externalId].includes(status.externalId);
  // RUNNING after FAILED means that the print was resumed. PREPARE after FAILED is the next print.
  const isNextPrint = print?.failedAt != null && print.hasRun && status.state === 'PREPARE';
  if (isUnfinished(print) && !isNextPrint && !isOtherPrint)
    return continuePrint(memory, status, { ...print, failedAt: null }, now);
  if (isUnfinished(print)) {
    const next = trackPrinting({ ...memory, namesBefore: [], print: { ...print, isOver: true } }, status, now);
    return { ...next, readings: [buildUnknownEnd(status, print, now), ...next.readings] };
  }
  // The names of a print may arrive one message after its state or its id.
  const before = print === null ? memory.namesBefore : [...memory.namesBefore, getNames(print)];
  const isNameUnsure = status.name === null || before.some((names) => isNamedAs(names, status));
  const waitsForNameSince = memory.waitsForNameSince ?? now;
  if (isNameUnsure && msBetween(waitsForNameSince, now) < MAX_WAIT_MS) {
    return reportStateOnly({ ...memory, waitsForNameSince }, status, 'PRINT_UNKNOWN', now);
  }
  const wasSeen = memory.sawIdle || print !== null;
  const command = findCommand(memory, status);
  const startedAt = command?.at ?? (hasJustStarted(memory, status, now) ? now : null);
  const filePath = findPath(memory, status, wasSeen);
  const tracked = startTracking(
    print,
    status,
    filePath,
    wasSeen ? waitsForNameSince : startedAt,
    !wasSeen && command === null,
  );
  return continuePrint({ ...memory, sawIdle: false, waitsForNameSince: null }, status, tracked, now);
}

/** Whether the print must be new, because no print was running at the last contact. */
function hasJustStarted(memory: Memory, { state }: Status, now: Instant): boolean {
  if (memory.lastContactAt === null || memory.ranBefore) return false;
  return state === 'PREPARE' || msBetween(memory.lastContactAt, now) <= SHORT_GAP_MS;
}

/** Finds the command that started this print. */
function findCommand({ command }: Memory, { name }: Status): BambuCommand | null {
  return command !== null && [null, name].includes(command.name) ? command : null;
}

/** Finds the path of the print. P1 and A1 report the plate only in the command, so a print from before this connection is recognized by its name. */
function findPath(memory: Memory, status: Status, wasSeen: boolean): string | null {
  const plate = findCommand(memory, status)?.plate ?? 1;
  if (status.path !== null || plate > 1) return status.path ?? toPlatePath(status.name, plate);
  return memory.ranBefore && !wasSeen ? null : status.file;
}

function continuePrint(memory: Memory, status: Status, print: Tracked, now: Instant): AdapterOutput<Memory> {
  const tracked = updateTracked(print, status, findCommand(memory, status)?.slots ?? null);
  return withReadings({ ...memory, sawIdle: false, print: tracked }, [buildStateReading(status, tracked.last, now)]);
}

function trackFinished(memory: Memory, status: Status, now: Instant): AdapterOutput<Memory> {
  const { print } = memory;
  const ended = rememberIdle(memory, status);
  if (isUnfinished(print)) {
    if (!print.hasRun) return waitForRun(memory, status, print, now);
    if (print.failedAt !== null) return withReadings(ended, [buildUnknownEnd(status, print, now)]);
    return withReadings(ended, [buildEndReading(status, print, createExactEnd('COMPLETED', now), now)]);
  }
  // FINISH stays until the next print, so this is the end of a print from before this connection.
  if (print !== null || memory.sawIdle || !status.isPrint) return reportStateOnly(ended, status, 'NO_PRINT', now);
  const end: End = { ...createExactEnd('COMPLETED', null), estimated: true };
  const shown = buildStateReading(status, { ...buildPrintReading(status), end }, now);
  return withReadings(ended, [shown, buildStateReading(status, 'NO_PRINT', now)]);
}

function trackFailed(memory: Memory, status: Status, now: Instant): AdapterOutput<Memory> {
  const { print } = memory;
  const isLate = print === null && !memory.sawIdle && memory.ranBefore && status.isPrint;
  if (isLate) return waitForCode(memory, status, startTracking(null, status, status.path, null, true), now);
  return isUnfinished(print)
    ? waitForCode(memory, status, print, now)
    : reportStateOnly(rememberIdle(memory, status), status, 'NO_PRINT', now);
}

/** FINISH after PREPARE either belongs to the print before, or the printer refused to print. */
function waitForRun(memory: Memory, status: Status, print: Tracked, now: Instant): AdapterOutput<Memory> {
  const failedAt = print.failedAt ?? now;
  if (msBetween(failedAt, now) >= CANCEL_WINDOW_MS) {
    const reason = 'The printer reported the end of this print, but never started to print';
    return withReadings(rememberIdle(memory, status), [buildUnknownEnd(status, { ...print, failedAt }, now, reason)]);
  }
  return reportStateOnly({ ...memory, print: { ...print, failedAt } }, status, 'PRINT_UNKNOWN', now);
}

function waitForCode(memory: Memory, status: Status, print: Tracked, now: Instant): AdapterOutput<Memory> {
  const { externalId, name } = print.last;
  const updated = updateTracked(print, status, null);
  // Names that arrive now belong to the next print.
  const waiting = { ...updated, last: { ...updated.last, externalId, name }, failedAt: print.failedAt ?? now };
  const next = { ...memory, print: waiting };
  const isCancelled = isCancel(waiting.code);
  if (!isCancelled && msBetween(waiting.failedAt, now) < CANCEL_WINDOW_MS)
    return reportStateOnly(next, status, 'PRINT_UNKNOWN', now);
  const end = decideEnd(memory, waiting, isCancelled);
  return withReadings(rememberIdle(next, status), [buildEndReading(status, waiting, end, now)]);
}

/** Decides how a print ended. Its code has arrived, or the wait for the code has ended. */
function decideEnd(memory: Memory, { failedAt, code, ranBefore }: Tracked, isCancelled: boolean): End {
  const gapMs = memory.lastContactAt === null ? 0 : msBetween(memory.lastContactAt, memory.openedAt);
  const isMissed = ranBefore && gapMs > SHORT_GAP_MS;
  const when = { at: isMissed ? null : failedAt, estimated: ranBefore };
  if (isCancelled) return { ...when, outcome: 'CANCELLED', reason: null };
  if (code !== 0) return { ...when, outcome: 'FAILED', reason: `Error ${formatErrorCode(code)}` };
  // The printer sends the code of a cancel only once. A gateway that connects later does not receive it.
  if (isMissed)
    return { ...when, outcome: null, reason: 'The printer shows that the print did not finish, but not why' };
  return { ...when, outcome: 'FAILED', reason: 'The printer reported no error code. A cancel at a P1 looks the same' };
}

/** Handles a printer that is idle or calibrates. */
function trackIdle(memory: Memory, status: Status, now: Instant): AdapterOutput<Memory> {
  const { print } = memory;
  if (!isUnfinished(print)) return reportStateOnly(rememberIdle(memory, status), status, 'NO_PRINT', now);
  if (print.failedAt !== null) return waitForCode(memory, status, print, now);
  return withReadings(rememberIdle(memory, status), [buildUnknownEnd(status, print, now)]);
}

/** An end without FINISH or FAILED, or with another print so soon that no code arrived. Its outcome is unknown. */
const buildUnknownEnd = (status: Status, print: Tracked, now: Instant, reason: string | null = null): Reading =>
  buildEndReading(status, print, createExactEnd(null, print.failedAt ?? now, reason), now);

function rememberIdle(memory: Memory, status: Status): Memory {
  const { print, namesBefore } = memory;
  const isEnding = isUnfinished(print);
  const isNew = !namesBefore.some((names) => isNamedAs(names, status));
  return {
    ...memory,
    sawIdle: true,
    namesBefore: isEnding
      ? [readNames(status)]
      : isNew
        ? [...namesBefore, readNames(status)].slice(-MAX_NAMES)
        : namesBefore,
    waitsForNameSince: null,
    // The command of the next print may arrive before the next print starts, so it is kept.
    command: isEnding ? null : memory.command,
    print: print === null ? null : { ...print, isOver: true },
  };
}
