// Follows PrusaLink from job to job: a job runs, stays as finished until the plate is cleared, or is no longer reported.
import type { End, PrintReading, Reading } from '../../farm/print-rules/print.model';
import { addSeconds, type Instant, msBetween } from '../../values/instant';
import {
  type AdapterOutput,
  buildEndReadings,
  buildStateReading,
  createEmptyReading,
  createExactEnd,
  getNextOrdinal,
  isUnfinished,
  MAX_WAIT_MS,
  reportStateOnly,
  type TrackedPrint,
  withReadings,
} from '../machine-adapter';
import { END_STATES, type Job, NO_REASON, type Status } from './status';

interface Tracked extends TrackedPrint {
  id: number;
  firstAt: Instant;
  isReported: boolean;
  /** Why the printer went into ERROR, if it has not printed since; `null` otherwise. */
  errorReason: string | null;
}

export interface Memory {
  /** The id of the print that was running at the last contact. */
  ranBefore: string | null;
  status: Status | null;
  job: Job | null;
  /** The id for which `/api/v1/job` had no answer. */
  idWithoutJob: number | null;
  print: Tracked | null;
  sawIdle: boolean;
  /** Whether the printer reported a job that was not running at the last contact. Then an end without an id does not belong to the earlier print. */
  sawOtherJob: boolean;
}

export function trackPrint(memory: Memory, now: Instant): AdapterOutput<Memory> {
  const { status, print } = memory;
  if (status === null) return withReadings(memory);
  const { id, state } = status;
  // A question before the print, or a job that heats: the print starts with PRINTING.
  const isBusy = state === 'BUSY' || state === 'ATTENTION' || state === 'ERROR';
  if (id !== null && (isPrinting(status) || (isBusy && (print?.id === id || memory.ranBefore === String(id))))) {
    return trackPrinting(memory, status, id, now);
  }
  if (id !== null && isUnfinished(print) && id !== print.id) {
    return endPrint(memory, status, print, decideUnseenEnd(print, now), now);
  }
  // Without a job, these states say nothing about the print.
  if (state === 'BUSY' || state === 'ATTENTION') {
    return reportStateOnly({ ...memory, sawOtherJob: memory.sawOtherJob || id !== null }, status, 'PRINT_UNKNOWN', now);
  }
  if (state === 'ERROR') {
    const marked = print === null ? null : { ...print, errorReason: status.message ?? NO_REASON };
    return reportStateOnly({ ...memory, print: marked }, status, 'PRINT_UNKNOWN', now);
  }
  return trackIdle({ ...memory, sawIdle: true }, status, memory.sawIdle, now);
}

const isPrinting = ({ state }: Status) => state === 'PRINTING' || state === 'PAUSED';

function trackIdle(memory: Memory, status: Status, wasIdle: boolean, now: Instant): AdapterOutput<Memory> {
  const { print } = memory;
  const { id, state } = status;
  const outcome = END_STATES[state] ?? null;
  if (isUnfinished(print)) {
    const isShown = outcome !== null && (id === null || id === print.id);
    const end = isShown ? createExactEnd(outcome, now) : decideUnseenEnd(print, now);
    return endPrint(memory, status, print, end, now);
  }
  // FINISHED and STOPPED stay until the plate is cleared, so this is the end of a print from before this connection.
  if (outcome !== null && print === null && !wasIdle && !memory.sawOtherJob) {
    const end: End = { ...createExactEnd(outcome, null), estimated: true };
    const last = { ...createEmptyReading(1), externalId: id === null ? null : String(id), end };
    return withReadings(memory, [buildStateReading(status, last, now), buildStateReading(status, 'NO_PRINT', now)]);
  }
  return reportStateOnly(memory, status, 'NO_PRINT', now);
}

/** The end of a print that the printer no longer shows. Only an ERROR before tells how the print ended. */
const decideUnseenEnd = ({ errorReason }: Tracked, now: Instant): End =>
  errorReason === null ? createExactEnd(null, null) : createExactEnd('FAILED', now, errorReason);

function endPrint(memory: Memory, status: Status, print: Tracked, end: End, now: Instant): AdapterOutput<Memory> {
  const readings = buildEndReadings(status, print, end, now);
  return withReadings({ ...memory, print: { ...print, isOver: true } }, [
    ...readings,
    buildStateReading(status, 'NO_PRINT', now),
  ]);
}

function trackPrinting(memory: Memory, status: Status, id: number, now: Instant): AdapterOutput<Memory> {
  const { print, job } = memory;
  const isSame = print?.id === id;
  // The printer reports a job for a moment after its end. This is not a new print with the same id, because all other ids are used first.
  if (isSame && print.isOver) return reportStateOnly(memory, status, 'NO_PRINT', now);
  const tracked = isSame ? print : startTracking(memory, status, id, now);
  const isNamed = job?.id === id;
  const last = buildPrintReading(tracked, status, isNamed ? job : null);
  const waits = !isNamed && memory.idWithoutJob !== id && msBetween(tracked.firstAt, now) < MAX_WAIT_MS;
  const isReported = tracked.isReported || !waits;
  const before: Reading[] =
    isUnfinished(print) && !isSame
      ? buildEndReadings(status, print, { ...decideUnseenEnd(print, now), at: null }, now)
      : [];
  return withReadings(
    {
      ...memory,
      sawIdle: false,
      print: { ...tracked, errorReason: updateErrorReason(tracked, status), last, isReported },
    },
    [...before, buildStateReading(status, isReported ? last : 'PRINT_UNKNOWN', now)],
    isSame || isNamed ? [] : [{ source: '/api/v1/job', parameters: {} }],
  );
}

function updateErrorReason({ errorReason }: Tracked, status: Status): string | null {
  if (isPrinting(status)) return null;
  return status.state === 'ERROR' ? (status.message ?? NO_REASON) : errorReason;
}

function startTracking(memory: Memory, status: Status, id: number, now: Instant): Tracked {
  const wasSeen = memory.sawIdle || memory.print !== null;
  return {
    id,
    firstAt: now,
    isReported: false,
    isOver: false,
    errorReason: null,
    last: {
      ...createEmptyReading(getNextOrdinal(memory.print)),
      externalId: String(id),
      name: `Job ${id}`,
      startedAt: addSeconds(now, -(status.printingSec ?? 0)),
      startedAtEstimated: !wasSeen,
    },
  };
}

function buildPrintReading({ last }: Tracked, status: Status, job: Job | null): PrintReading {
  return {
    ...last,
    name: job?.name ?? last.name,
    filePath: job?.path ?? last.filePath,
    plan: job?.plan ?? last.plan,
    paused: status.state === 'PAUSED' || status.state === 'ATTENTION',
    counter: status.printingSec === null ? last.counter : { seconds: status.printingSec, countsPauses: false },
    progress: status.progress ?? last.progress,
    // The share of the time that the file states with M73.
    progressBasis: 'TIME',
    remainingSec: status.remainingSec,
  };
}
