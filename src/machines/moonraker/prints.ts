// Tracks prints through print_stats, and takes ids and unseen ends from the history.
import { COUNTER_SLACK_SEC } from '../../farm/print-rules/continuation';
import type { End, Reading } from '../../farm/print-rules/print.model';
import { type Instant, msBetween } from '../../values/instant';
import {
  type AdapterOutput,
  emptyReading,
  endReadings,
  MAX_WAIT_MS,
  runs,
  seenEnd,
  stateOnly,
  stateReading,
  withReadings,
} from '../machine-adapter';
import { type Job, recordOf, recordReading } from './history';
import { type EffectiveStatus, outcomeShown, type Status, understood } from './status';
import {
  addHistoryId,
  continueFeeding,
  isStartSeen,
  type Memory,
  printReading,
  showsJob,
  startTracking,
  type Tracked,
} from './tracked-print';

/** If only its socket to Klipper was lost, Moonraker reconnects within seconds. If Klipper is away for longer, its print is lost. */
const KLIPPY_AWAY_MS = 30_000;
const AWAY = { activity: 'ERROR', message: 'Klipper is not connected' } as const;

/** Klipper is not connected. If it does not come back, the history shows how the print ended. */
export function whileAway(memory: Memory, now: Instant): AdapterOutput<Memory> {
  const { job, print, awaySince } = memory;
  const unknown = stateReading(AWAY, 'PRINT_UNKNOWN', now);
  if (msBetween(awaySince as Instant, now) < KLIPPY_AWAY_MS) return withReadings(memory, [unknown]);
  if (runs(print) && print.isReported && job?.outcome != null && job.externalId === print.externalId) {
    const { end } = recordOf(job, now, memory.clockOffMs);
    const over = { ...memory, print: { ...print, isOver: true } };
    return withReadings(over, [stateReading(AWAY, { ...print.last, end }, now), unknown]);
  }
  const ended = memory.isOpen ? [] : memory.records.filter(({ outcome }) => outcome !== null);
  const records = ended.map((record) => recordReading(record, now, memory.clockOffMs));
  const next = { ...memory, records: [], isOpen: memory.isOpen || records.length > 0 };
  return withReadings(next, [...records, unknown]);
}

/** Reports the history at the start of a connection, without the record of the print that is shown. */
export function reportHistory(memory: Memory, now: Instant): AdapterOutput<Memory> {
  const { status, job, records } = memory;
  const effective = understood(status as Status);
  const isShown = job !== null && showsJob(effective, job, now, memory.clockOffMs);
  const offMs = ((job?.startedSec ?? 0) + (effective.status.totalSec ?? 0)) * 1000 - Date.parse(now);
  const clockOffMs = isShown && job.isRunning ? offMs : memory.clockOffMs;
  const others = records.filter((record) => !record.isRunning && !(isShown && record.externalId === job.externalId));
  return withReadings(
    { ...memory, records: [], isOpen: true, clockOffMs },
    others.map((record) => recordReading(record, now, clockOffMs)),
  );
}

export function trackPrint(memory: Memory, now: Instant): AdapterOutput<Memory> {
  const effective = understood(memory.status as Status);
  const { state, status } = effective;
  if (state === 'printing' || state === 'paused') {
    // Without a file name, the print cannot be identified yet.
    return status.filename === null
      ? stateOnly(memory, effective, 'PRINT_UNKNOWN', now)
      : whilePrinting(memory, effective, status.filename, now);
  }
  if (state === null) return stateOnly(memory, effective, 'PRINT_UNKNOWN', now);
  const { print, isIdle } = memory;
  const idle = { ...memory, isIdle: true, idleStatus: status };
  if (runs(print)) return endPrint(idle, print, effective, now);
  // The print ended before this connection and is still shown.
  if (print === null && !isIdle && state !== 'standby') return showEndedPrint(idle, effective, now);
  return stateOnly(idle, effective, 'NO_PRINT', now);
}

function whilePrinting(
  memory: Memory,
  effective: EffectiveStatus,
  filename: string,
  now: Instant,
): AdapterOutput<Memory> {
  const total = effective.status.totalSec ?? 0;
  const { print } = memory;
  const isSameFile = print !== null && !memory.isIdle && print.filename === filename;
  // Klipper's clock may step back a little. The steps do not add up, because the highest value is kept.
  const isContinued = isSameFile && total > print.totalSec - COUNTER_SLACK_SEC;
  if (isContinued && print.isOver) return stateOnly(memory, effective, 'NO_PRINT', now);
  const tracked = isContinued
    ? { ...continueFeeding(print, effective.status), totalSec: Math.max(total, print.totalSec) }
    : startTracking(memory, filename, total, now);
  const previous = isContinued || !runs(print) ? memory.previous : print;
  // The file may have been replaced by another file with the same name.
  const metadata = isContinued ? memory.metadata : null;
  const isAnswered = metadata?.filename === filename;
  const known = { ...addHistoryId(memory, tracked, now) };
  known.last = printReading(known, effective, isAnswered ? metadata.plan : null);
  const next = { ...memory, metadata, previous, print: known, isIdle: false };
  const asks = isContinued ? [] : [{ source: 'server.files.metadata', parameters: { filename } }];
  // Moonraker creates the history row just after the start.
  const isMissing = !isAnswered || (memory.hasHistory === true && known.externalId === null && isStartSeen(known));
  if (!known.isReported && isMissing && msBetween(known.firstSeenAt, now) < MAX_WAIT_MS) {
    return withReadings(next, [stateReading(effective, 'PRINT_UNKNOWN', now)], asks);
  }
  const ended = previous === null ? [] : endOfPrevious(memory, previous, effective, now);
  const reported = { ...next, previous: null, print: { ...known, isReported: true } };
  return withReadings(reported, [...ended, stateReading(effective, known.last, now)], asks);
}

/** Whether an ended row counted further than the tracked print with its id: they are two prints. */
export function isOfEarlierPrint({ print, status }: Memory, job: Job): boolean {
  if (!runs(print) || print.externalId !== job.externalId) return false;
  return status?.state === 'printing' && (status.totalSec ?? 0) < job.totalSec - COUNTER_SLACK_SEC;
}

/** Tracks a new print of the same file instead of the tracked print. */
export function replaceTracked(memory: Memory, now: Instant): Memory {
  const { print, job, status } = memory;
  if (print === null) return memory;
  const next = startTracking(memory, print.filename, status?.totalSec ?? 0, now);
  return { ...memory, previous: { ...print, finishedRow: job }, print: next };
}

/** Ends a print by its state. The end and NO_PRINT are two readings, because the machine may continue to show the ended print. */
function endPrint(memory: Memory, print: Tracked, effective: EffectiveStatus, now: Instant): AdapterOutput<Memory> {
  const { state, status, reason } = effective;
  // In "standby", print_stats is empty.
  const isEmpty = state === 'standby';
  const plan = print.last.plan ?? findPlan(memory, print);
  const reading = isEmpty ? print.last : printReading(continueFeeding(print, status), effective, plan);
  const withId = addHistoryId(memory, print, now);
  const over: Tracked = { ...withId, isOver: true, last: { ...reading, externalId: withId.externalId } };
  const end = isEmpty
    ? endByHistory(memory, print, !print.wasInterrupted, now)
    : seenEnd(outcomeShown(state), now, reason);
  const before = memory.previous === null ? [] : endOfPrevious(memory, memory.previous, effective, now);
  const ended = [...before, ...endReadings(effective, over, end, now)];
  return withReadings({ ...memory, previous: null, print: over }, [...ended, stateReading(effective, 'NO_PRINT', now)]);
}

const findPlan = (memory: Memory, print: Tracked) =>
  memory.metadata?.filename === print.filename ? memory.metadata.plan : null;

/** print_stats already shows the next print, so the amounts come from the history row. */
function endOfPrevious(memory: Memory, print: Tracked, effective: EffectiveStatus, now: Instant): Reading[] {
  const { finishedRow: record, last } = print;
  const measured = record === null ? [] : recordOf(record, now, memory.clockOffMs).measured;
  const ended = measured.length === 0 ? print : { ...print, last: { ...last, measured } };
  return endReadings(effective, ended, endByHistory(memory, print, false, now), now);
}

/**
 * The end by the history, for a print whose end print_stats did not show.
 * @param isCancel print_stats went to "standby" while Klipper was connected, which Moonraker itself treats as a cancel
 */
function endByHistory({ job, clockOffMs }: Memory, print: Tracked, isCancel: boolean, now: Instant): End {
  const record = print.finishedRow ?? (job?.externalId === print.externalId ? job : null);
  if (record?.outcome != null) return { ...recordOf(record, now, clockOffMs).end, at: now };
  return isCancel ? seenEnd('CANCELLED', now) : seenEnd(null, null);
}

function showEndedPrint(memory: Memory, effective: EffectiveStatus, now: Instant): AdapterOutput<Memory> {
  const { job, clockOffMs } = memory;
  const isShown = job !== null && showsJob(effective, job, now, clockOffMs);
  const record = isShown ? recordOf(job, now, clockOffMs) : emptyReading(0);
  const filename = effective.status.filename ?? '';
  const print: Tracked = {
    ...startTracking(memory, filename, effective.status.totalSec ?? 0, now),
    externalId: record.externalId,
    startedAt: record.startedAt,
    startedAtEstimated: record.startedAtEstimated,
    isReported: true,
    isOver: true,
  };
  print.last = printReading(print, effective, record.plan);
  const end = seenEnd(outcomeShown(effective.state), record.end?.at ?? null, effective.reason);
  return withReadings({ ...memory, print }, [
    ...endReadings(effective, print, end, now),
    stateReading(effective, 'NO_PRINT', now),
  ]);
}
