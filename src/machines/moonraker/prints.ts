// Follows print_stats from print to print, and takes ids and missed ends from the history.
import { COUNTER_SLACK_SEC } from '../../farm/print-rules/continuation';
import type { End, Reading } from '../../farm/print-rules/print.model';
import { type Instant, msBetween } from '../../values/instant';
import {
  type AdapterOutput,
  buildEndReadings,
  buildStateReading,
  createEmptyReading,
  createExactEnd,
  isUnfinished,
  MAX_WAIT_MS,
  reportStateOnly,
  withReadings,
} from '../machine-adapter';
import { buildRecordReading, type Job, toRecord } from './history';
import { type EffectiveStatus, findShownOutcome, interpret, type Status } from './status';
import {
  buildPrintReading,
  isShownJob,
  type Memory,
  startTracking,
  type Tracked,
  wasStartSeen,
  withFeeding,
  withHistoryId,
} from './tracked-print';

/** If only Klipper's socket was lost, Moonraker reconnects within seconds. If Klipper is away for longer, its print is lost. */
const KLIPPY_AWAY_MS = 30_000;
const AWAY = { activity: 'ERROR', message: 'Klipper is not connected' } as const;

/** Handles a Klipper that is away. If it does not return, the history shows how its print ended. */
export function trackAway(memory: Memory, now: Instant): AdapterOutput<Memory> {
  const { job, print, awaySince } = memory;
  const unknown = buildStateReading(AWAY, 'PRINT_UNKNOWN', now);
  if (msBetween(awaySince as Instant, now) < KLIPPY_AWAY_MS) return withReadings(memory, [unknown]);
  if (isUnfinished(print) && print.isReported && job?.outcome != null && job.externalId === print.externalId) {
    const { end } = toRecord(job, now, memory.clockOffMs);
    const ended = { ...memory, print: { ...print, isOver: true } };
    return withReadings(ended, [buildStateReading(AWAY, { ...print.last, end }, now), unknown]);
  }
  const endedRecords = memory.hasReportedHistory ? [] : memory.records.filter(({ outcome }) => outcome !== null);
  const records = endedRecords.map((job) => buildRecordReading(job, now, memory.clockOffMs));
  const next = { ...memory, records: [], hasReportedHistory: memory.hasReportedHistory || records.length > 0 };
  return withReadings(next, [...records, unknown]);
}

/** Handles the history at the start of a connection: reports all its records except the print that print_stats shows. */
export function openWithHistory(memory: Memory, now: Instant): AdapterOutput<Memory> {
  const { status, job, records } = memory;
  const effective = interpret(status as Status);
  const isShown = job !== null && isShownJob(effective, job, now, memory.clockOffMs);
  const offMs = ((job?.startedSec ?? 0) + (effective.status.totalSec ?? 0)) * 1000 - Date.parse(now);
  const clockOffMs = isShown && job.isRunning ? offMs : memory.clockOffMs;
  const otherRecords = records.filter(
    (record) => !record.isRunning && !(isShown && record.externalId === job.externalId),
  );
  return withReadings(
    { ...memory, records: [], hasReportedHistory: true, clockOffMs },
    otherRecords.map((record) => buildRecordReading(record, now, clockOffMs)),
  );
}

export function trackPrint(memory: Memory, now: Instant): AdapterOutput<Memory> {
  const effective = interpret(memory.status as Status);
  const { state, status } = effective;
  if (state === 'printing' || state === 'paused') {
    // Without a file, nothing is known about the print yet.
    return status.filename === null
      ? reportStateOnly(memory, effective, 'PRINT_UNKNOWN', now)
      : trackPrinting(memory, effective, status.filename, now);
  }
  if (state === null) return reportStateOnly(memory, effective, 'PRINT_UNKNOWN', now);
  const { print, isIdle } = memory;
  const idle = { ...memory, isIdle: true, idleStatus: status };
  if (isUnfinished(print)) return endPrint(idle, print, effective, now);
  // The print ended before this connection, and print_stats still shows it.
  if (print === null && !isIdle && state !== 'standby') return showEnded(idle, effective, now);
  return reportStateOnly(idle, effective, 'NO_PRINT', now);
}

function trackPrinting(
  memory: Memory,
  effective: EffectiveStatus,
  filename: string,
  now: Instant,
): AdapterOutput<Memory> {
  const total = effective.status.totalSec ?? 0;
  const { print } = memory;
  const isSameFile = print !== null && !memory.isIdle && print.filename === filename;
  // Klipper's counter may fall by a little. Many such falls do not add up, because the greatest value is kept.
  const isContinued = isSameFile && total > print.totalSec - COUNTER_SLACK_SEC;
  if (isContinued && print.isOver) return reportStateOnly(memory, effective, 'NO_PRINT', now);
  const tracked = isContinued
    ? { ...withFeeding(print, effective.status), totalSec: Math.max(total, print.totalSec) }
    : startTracking(memory, filename, total, now);
  const previous = isContinued || !isUnfinished(print) ? memory.previous : print;
  // The file may have been replaced under the same name since the last print.
  const metadata = isContinued ? memory.metadata : null;
  const isAnswered = metadata?.filename === filename;
  const identified = { ...withHistoryId(memory, tracked, now) };
  identified.last = buildPrintReading(identified, effective, isAnswered ? metadata.plan : null);
  const next = { ...memory, metadata, previous, print: identified, isIdle: false };
  const asks = isContinued ? [] : [{ source: 'server.files.metadata', parameters: { filename } }];
  // Moonraker creates the row in its history just after the start.
  const isMissing =
    !isAnswered || (memory.hasHistory === true && identified.externalId === null && wasStartSeen(identified));
  if (!identified.isReported && isMissing && msBetween(identified.firstAt, now) < MAX_WAIT_MS) {
    return withReadings(next, [buildStateReading(effective, 'PRINT_UNKNOWN', now)], asks);
  }
  const ended = previous === null ? [] : endOfPrevious(memory, previous, effective, now);
  const reported = { ...next, previous: null, print: { ...identified, isReported: true } };
  return withReadings(reported, [...ended, buildStateReading(effective, identified.last, now)], asks);
}

/** Whether an ended row has counted further than the print with its id. Then they are two different prints. */
export function isEarlier({ print, status }: Memory, job: Job): boolean {
  if (!isUnfinished(print) || print.externalId !== job.externalId) return false;
  return status?.state === 'printing' && (status.totalSec ?? 0) < job.totalSec - COUNTER_SLACK_SEC;
}

/** Replaces the followed print by another print of the same file, which is running now. */
export function replacePrint(memory: Memory, now: Instant): Memory {
  const { print, job, status } = memory;
  if (print === null) return memory;
  const next = startTracking(memory, print.filename, status?.totalSec ?? 0, now);
  return { ...memory, previous: { ...print, record: job }, print: next };
}

/** Ends a print by its state. The end and NO_PRINT are two readings, because the machine may still show the print. */
function endPrint(memory: Memory, print: Tracked, effective: EffectiveStatus, now: Instant): AdapterOutput<Memory> {
  const { state, status, reason } = effective;
  // In the state "standby", print_stats is empty.
  const isEmpty = state === 'standby';
  const plan = print.last.plan ?? findPlan(memory, print);
  const reading = isEmpty ? print.last : buildPrintReading(withFeeding(print, status), effective, plan);
  const withId = withHistoryId(memory, print, now);
  const finished: Tracked = { ...withId, isOver: true, last: { ...reading, externalId: withId.externalId } };
  const end = isEmpty
    ? findEndInHistory(memory, print, !print.wasCutOff, now)
    : createExactEnd(findShownOutcome(state), now, reason);
  const before = memory.previous === null ? [] : endOfPrevious(memory, memory.previous, effective, now);
  const ended = [...before, ...buildEndReadings(effective, finished, end, now)];
  return withReadings({ ...memory, previous: null, print: finished }, [
    ...ended,
    buildStateReading(effective, 'NO_PRINT', now),
  ]);
}

const findPlan = (memory: Memory, print: Tracked) =>
  memory.metadata?.filename === print.filename ? memory.metadata.plan : null;

/** Ends the print before. print_stats already belongs to the next print, so the amounts come from the history. */
function endOfPrevious(memory: Memory, print: Tracked, effective: EffectiveStatus, now: Instant): Reading[] {
  const { record, last } = print;
  const measured = record === null ? [] : toRecord(record, now, memory.clockOffMs).measured;
  const ended = measured.length === 0 ? print : { ...print, last: { ...last, measured } };
  return buildEndReadings(effective, ended, findEndInHistory(memory, print, false, now), now);
}

/**
 * Finds the end of a print in the history, if print_stats did not show it.
 * @param isCancel whether print_stats changed to "standby" while Klipper was connected, which Moonraker itself treats as a cancel
 */
function findEndInHistory({ job, clockOffMs }: Memory, print: Tracked, isCancel: boolean, now: Instant): End {
  const record = print.record ?? (job?.externalId === print.externalId ? job : null);
  if (record?.outcome != null) return { ...toRecord(record, now, clockOffMs).end, at: now };
  return isCancel ? createExactEnd('CANCELLED', now) : createExactEnd(null, null);
}

function showEnded(memory: Memory, effective: EffectiveStatus, now: Instant): AdapterOutput<Memory> {
  const { job, clockOffMs } = memory;
  const isShown = job !== null && isShownJob(effective, job, now, clockOffMs);
  const record = isShown ? toRecord(job, now, clockOffMs) : createEmptyReading(0);
  const filename = effective.status.filename ?? '';
  const print: Tracked = {
    ...startTracking(memory, filename, effective.status.totalSec ?? 0, now),
    externalId: record.externalId,
    startedAt: record.startedAt,
    startedAtEstimated: record.startedAtEstimated,
    isReported: true,
    isOver: true,
  };
  print.last = buildPrintReading(print, effective, record.plan);
  const end = createExactEnd(findShownOutcome(effective.state), record.end?.at ?? null, effective.reason);
  return withReadings({ ...memory, print }, [
    ...buildEndReadings(effective, print, end, now),
    buildStateReading(effective, 'NO_PRINT', now),
  ]);
}
