// Follows a Bambu printer from print to print: its state says that a print is over, its codes say how.
import type { End, Reading } from '../../farm/print-rules/print.model';
import { type Instant, msBetween } from '../../values/instant';
import {
  type AdapterOutput,
  endReading,
  MAX_WAIT_MS,
  runs,
  seenEnd,
  stateOnly,
  stateReading,
  withReadings,
} from '../machine-adapter';
import type { MergedState } from './merged-reports';
import { type BambuCommand, errorCodeText, isCancel, pathOfPlate, type Status, statusOf } from './status';
import {
  began,
  continued,
  isNamedAs,
  type Named,
  namesIn,
  namesOfPrint,
  printReading,
  type Tracked,
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
  isOpen: boolean;
  /** Whether this connection has shown the printer at rest. */
  sawIdle: boolean;
  /** What it named since the print before ended. A print that is named so may get its own name yet. */
  before: Named[];
  /** Since when a new print waits for its name. */
  heldSince: Instant | null;
  command: BambuCommand | null;
  print: Tracked | null;
}

export function trackPrint(memory: Memory, now: Instant): AdapterOutput<Memory> {
  const status = statusOf(memory.report);
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
  if (runs(print) && !isNext && !isOther) return goOn(memory, status, { ...print, failedAt: null }, now);
  if (runs(print)) {
    const next = whilePrinting({ ...memory, before: [], print: { ...print, isOver: true } }, status, now);
    return { ...next, readings: [endWithoutCode(status, print, now), ...next.readings] };
  }
  // Its names may come a message later than its state, or than its id.
  const before = print === null ? memory.before : [...memory.before, namesOfPrint(print)];
  const isStale = status.name === null || before.some((one) => isNamedAs(one, status));
  const heldSince = memory.heldSince ?? now;
  if (isStale && msBetween(heldSince, now) < MAX_WAIT_MS) {
    return stateOnly({ ...memory, heldSince }, status, 'PRINT_UNKNOWN', now);
  }
  const seen = memory.sawIdle || print !== null;
  const command = commandFor(memory, status);
  const begunAt = command?.at ?? (justBegan(memory, status, now) ? now : null);
  const filePath = pathFor(memory, status, seen);
  const tracked = began(print, status, filePath, seen ? heldSince : begunAt, !seen && command === null);
  return goOn({ ...memory, sawIdle: false, heldSince: null }, status, tracked, now);
}

/** Nothing ran at the last contact, so it cannot be old. */
function justBegan(memory: Memory, { state }: Status, now: Instant): boolean {
  if (memory.lastContactAt === null || memory.ranBefore) return false;
  return state === 'PREPARE' || msBetween(memory.lastContactAt, now) <= SHORT_GAP_MS;
}

/** The command that this print was begun with. */
function commandFor({ command }: Memory, { name }: Status): BambuCommand | null {
  return command !== null && [null, name].includes(command.name) ? command : null;
}

/** P1 and A1 report the plate in the command alone, so that a print which ran before is known by its name. */
function pathFor(memory: Memory, status: Status, seen: boolean): string | null {
  const plate = commandFor(memory, status)?.plate ?? 1;
  if (status.path !== null || plate > 1) return status.path ?? pathOfPlate(status.name, plate);
  return memory.ranBefore && !seen ? null : status.file;
}

function goOn(memory: Memory, status: Status, print: Tracked, now: Instant): AdapterOutput<Memory> {
  const tracked = continued(print, status, commandFor(memory, status)?.slots ?? null);
  return withReadings({ ...memory, sawIdle: false, print: tracked }, [stateReading(status, tracked.last, now)]);
}

function whileFinished(memory: Memory, status: Status, now: Instant): AdapterOutput<Memory> {
  const { print } = memory;
  const over = atRest(memory, status);
  if (runs(print)) {
    if (!print.hasRun) return waitForRun(memory, status, print, now);
    if (print.failedAt !== null) return withReadings(over, [endWithoutCode(status, print, now)]);
    return withReadings(over, [endReading(status, print, seenEnd('COMPLETED', now), now)]);
  }
  // It stays until the next print: the end of a print that ran before this connection.
  if (print !== null || memory.sawIdle || !status.isPrint) return stateOnly(over, status, 'NO_PRINT', now);
  const end: End = { ...seenEnd('COMPLETED', null), estimated: true };
  const shown = stateReading(status, { ...printReading(status), end }, now);
  return withReadings(over, [shown, stateReading(status, 'NO_PRINT', now)]);
}

function whileFailed(memory: Memory, status: Status, now: Instant): AdapterOutput<Memory> {
  const { print } = memory;
  const isLate = print === null && !memory.sawIdle && memory.ranBefore && status.isPrint;
  if (isLate) return waitForCode(memory, status, began(null, status, status.path, null, true), now);
  return runs(print)
    ? waitForCode(memory, status, print, now)
    : stateOnly(atRest(memory, status), status, 'NO_PRINT', now);
}

/** FINISH behind PREPARE is that of the print before, or the printer refused the print. */
function waitForRun(memory: Memory, status: Status, print: Tracked, now: Instant): AdapterOutput<Memory> {
  const failedAt = print.failedAt ?? now;
  if (msBetween(failedAt, now) >= CANCEL_WINDOW_MS) {
    const reason = 'The printer reported an end, and did not begin to print before';
    return withReadings(atRest(memory, status), [endWithoutCode(status, { ...print, failedAt }, now, reason)]);
  }
  return stateOnly({ ...memory, print: { ...print, failedAt } }, status, 'PRINT_UNKNOWN', now);
}

function waitForCode(memory: Memory, status: Status, print: Tracked, now: Instant): AdapterOutput<Memory> {
  const { externalId, name } = print.last;
  const heard = continued(print, status, null);
  // Names that come now are those of the next print.
  const waiting = { ...heard, last: { ...heard.last, externalId, name }, failedAt: print.failedAt ?? now };
  const next = { ...memory, print: waiting };
  const cancelled = isCancel(waiting.code);
  if (!cancelled && msBetween(waiting.failedAt, now) < CANCEL_WINDOW_MS)
    return stateOnly(next, status, 'PRINT_UNKNOWN', now);
  const end = endByCode(memory, waiting, cancelled);
  return withReadings(atRest(next, status), [endReading(status, waiting, end, now)]);
}

/** @param print whose code is known, or was waited for */
function endByCode(memory: Memory, { failedAt, code, wasLate }: Tracked, cancelled: boolean): End {
  const gapMs = memory.lastContactAt === null ? 0 : msBetween(memory.lastContactAt, memory.openedAt);
  const isMissed = wasLate && gapMs > SHORT_GAP_MS;
  const when = { at: isMissed ? null : failedAt, estimated: wasLate };
  if (cancelled) return { ...when, outcome: 'CANCELLED', reason: null };
  if (code !== 0) return { ...when, outcome: 'FAILED', reason: `Error ${errorCodeText(code)}` };
  // The printer sends the code of a cancel once. A gateway that connects later has not heard it.
  if (isMissed) return { ...when, outcome: null, reason: 'The printer shows that it did not finish, not why' };
  return { ...when, outcome: 'FAILED', reason: 'The printer reported no code: a cancel at a P1 looks the same' };
}

/** At rest, or with a calibration. */
function whileIdle(memory: Memory, status: Status, now: Instant): AdapterOutput<Memory> {
  const { print } = memory;
  if (!runs(print)) return stateOnly(atRest(memory, status), status, 'NO_PRINT', now);
  if (print.failedAt !== null) return waitForCode(memory, status, print, now);
  return withReadings(atRest(memory, status), [endWithoutCode(status, print, now)]);
}

/** Without FINISH or FAILED, or with another print so soon that no code came. */
const endWithoutCode = (status: Status, print: Tracked, now: Instant, reason: string | null = null): Reading =>
  endReading(status, print, seenEnd(null, print.failedAt ?? now, reason), now);

function atRest(memory: Memory, status: Status): Memory {
  const { print, before } = memory;
  const isEnding = runs(print);
  const isNew = !before.some((one) => isNamedAs(one, status));
  return {
    ...memory,
    sawIdle: true,
    before: isEnding ? [namesIn(status)] : isNew ? [...before, namesIn(status)].slice(-MAX_NAMES) : before,
    heldSince: null,
    // The next command may be heard before the print after this one begins.
    command: isEnding ? null : memory.command,
    print: print === null ? null : { ...print, isOver: true },
  };
}
