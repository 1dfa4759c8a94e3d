// Decides whether the print that a machine shows after a gap is the print that ran before the gap, or a new one.
import { CLOCKS_DIFFER_MS, type Instant, msBetween } from '../../values/instant';
import { combineCourses } from './course';
import type { EndedPrint, FollowedPrint, PrintReading, RunningPrint } from './print.model';

/**
 * Counters report whole seconds, a second late, and some step back by a part of a second. A counter that steps back by less than this still
 * counts the same print.
 */
export const COUNTER_SLACK_SEC = 2;

const TOLERANCE_SEC = CLOCKS_DIFFER_MS / 1000;
/** Machines report progress in whole percent. */
const PROGRESS_SLACK = 0.02;

/** Within one connection, the ordinal of the adapter decides. Across connections, the first known one of these decides: id, start, counter, layers. */
export function isSamePrint(print: FollowedPrint, reading: PrintReading, at: Instant): boolean {
  return isSameForCertain(print, reading, at) ?? (isSameFile(print, reading) && continuesByFigures(print, reading, at));
}

/** `null` if only the figures of the print can decide. */
function isSameForCertain(print: FollowedPrint, reading: PrintReading, at: Instant): boolean | null {
  if (print.ordinal !== null && reading.ordinal > 0) return print.ordinal === reading.ordinal;
  if (print.externalId !== null && reading.externalId !== null) return isSameId(print.externalId, reading.externalId);
  if (!isSameFile(print, reading)) return false;
  // The reading is a record of the machine's history, and the machine has not reported the id of the print before.
  const isRecord = reading.externalId !== null && reading.end !== null && !reading.startedAtEstimated;
  if (isRecord && reading.startedAt !== null && print.startedAt !== null)
    return Math.abs(secondsBetween(print.startedAt, reading.startedAt)) <= TOLERANCE_SEC;
  return print.counter !== null && reading.counter !== null ? continuesByCounter(print, reading, at) : null;
}

/** Decides by the machine's own counter: for the same print it has grown, but by no more than the time that has passed. */
function continuesByCounter(print: FollowedPrint, reading: PrintReading, at: Instant): boolean {
  const gap = secondsBetween(print.seenAt, reading.end?.at ?? at);
  const counter = reading.counter?.seconds as number;
  const advance = counter - (print.counter?.seconds as number);
  if (advance <= -COUNTER_SLACK_SEC || advance > gap + TOLERANCE_SEC) return false;
  // Nobody knows how long ago the print ended.
  if (reading.end !== null && reading.end.at === null) return true;
  // A print that started in the gap cannot have counted for longer than the gap.
  if (counter > gap + TOLERANCE_SEC) return true;
  const mayPause = reading.counter?.countsPauses === false && (print.paused || reading.paused);
  return mayPause || gap - advance <= TOLERANCE_SEC;
}

/** Decides for machines without ids and counters. If such a machine shows the end of a print, it is the end of this print. */
function continuesByFigures(print: FollowedPrint, reading: PrintReading, at: Instant): boolean {
  const startedAfterContact = reading.startedAt !== null && reading.startedAt > print.seenAt;
  if (reading.end !== null || startedAfterContact) return !startedAfterContact;
  const layers = calculateDifference(print.layer, reading.layer);
  // A layer counter may start again, for example after a power loss. A new print has neither the progress nor the remaining time.
  if (layers !== 0) return layers > 0 || hasComeAsFar(print, reading);
  // No new print comes this far within the tolerance. The print is being cancelled, or it was slowed down.
  if (Number(print.layer) > 0 && secondsBetween(print.seenAt, at) <= TOLERANCE_SEC) return true;
  if (calculateDifference(print.progress, reading.progress) < -PROGRESS_SLACK) return false;
  return calculateDifference(print.remainingSec, reading.remainingSec) <= TOLERANCE_SEC;
}

type ProgressFigures = Pick<EndedPrint, 'progress' | 'remainingSec'>;

/** Whether both progress and remaining time are reported and continue. */
function hasComeAsFar(print: ProgressFigures, { progress, remainingSec }: ProgressFigures): boolean {
  if ([print.progress, progress, print.remainingSec, remainingSec].includes(null)) return false;
  return (
    calculateDifference(print.progress, progress) >= -PROGRESS_SLACK &&
    calculateDifference(print.remainingSec, remainingSec) <= TOLERANCE_SEC
  );
}

/** 0 if one of the values is not reported. */
const calculateDifference = (from: string | number | null, to: string | number | null): number =>
  from === null || to === null ? 0 : Number(to) - Number(from);

function isSameFile(print: Pick<EndedPrint, 'filePath' | 'name'>, reading: PrintReading): boolean {
  if (print.filePath !== null && reading.filePath !== null) return print.filePath === reading.filePath;
  return reading.name === null || print.name === reading.name;
}

/** Separates a reused id from the start of its print, because a machine may use an id again, for example after a 16-bit number overflowed. */
export const REUSED_ID_MARK = '~';

const isSameId = (stored: string, reported: string) =>
  stored === reported || stored.startsWith(reported + REUSED_ID_MARK);

/** The id as the machine reports it. */
export const removeReuseMark = (id: string): string => id.split(REUSED_ID_MARK)[0] as string;

/** An id that no earlier print of the device has. */
export function makeUnusedId(id: string, at: Instant, ended: readonly EndedPrint[]): string {
  return ended.some(({ externalId }) => externalId !== null && isSameId(externalId, id))
    ? `${id}${REUSED_ID_MARK}${at}`
    : id;
}

/** The ended print that the machine reports again, for example at each connect. */
export function findEndedPrint(
  ended: readonly EndedPrint[],
  reading: PrintReading,
  at: Instant,
): EndedPrint | undefined {
  return ended.findLast((print) => {
    if (print.externalId !== null && reading.externalId !== null) return hasSameId(print, reading, at);
    if (!isSameFile(print, reading) || reading.startedAt === null) return false;
    // A machine prints one thing at a time. So a print that started before the end of the ended print is the ended print itself.
    if (reading.end === null) return secondsBetween(reading.startedAt, print.endedAt) > COUNTER_SLACK_SEC;
    return print.startedAt !== null && Math.abs(secondsBetween(print.startedAt, reading.startedAt)) <= TOLERANCE_SEC;
  });
}

/** The ended print with the id that the machine now reports for the running print: both are one print. */
export function findEndedDuplicate(
  running: FollowedPrint,
  reading: PrintReading,
  ended: readonly EndedPrint[],
  at: Instant,
): EndedPrint | undefined {
  if (running.externalId !== null || reading.externalId === null) return undefined;
  return ended.findLast((print) => hasSameId(print, reading, at));
}

/** Whether the reported end is the end of the running print too, and not only of its duplicate. */
export function endsBoth(running: FollowedPrint, reading: PrintReading, duplicate: EndedPrint, at: Instant): boolean {
  if (running.ordinal !== null && running.ordinal === reading.ordinal) return true;
  return duplicate.outcome === 'UNRESOLVED' && isSameForCertain(running, reading, at) === true;
}

/**
 * The last print, if the print that is running now continues it, for machines without counters. After a power loss, some printers stop for a
 * while and then continue. The print that is running now is such a continuation if it is as far as the last print was, although it seems to
 * have started too recently to be that far.
 * @param startedAt the earliest time at which the print that is running now can have started
 */
export function findResumedPrint(
  ended: readonly EndedPrint[],
  reading: PrintReading,
  startedAt: Instant | null,
  at: Instant,
): EndedPrint | undefined {
  const last = ended.at(-1);
  if (last?.outcome !== 'UNRESOLVED' || startedAt === null || reading.end !== null || reading.counter !== null)
    return undefined;
  const hasOtherId =
    last.externalId !== null && reading.externalId !== null && !isSameId(last.externalId, reading.externalId);
  if (hasOtherId || !isSameFile(last, reading) || !hasComeAsFar(last, reading)) return undefined;
  if (Number(last.progress) <= 2 * PROGRESS_SLACK) return undefined;
  return secondsBetween(startedAt, at) < estimatePrintedSeconds(reading) / 2 ? last : undefined;
}

/** How long the machine has printed by its own figures, without pauses. */
const estimatePrintedSeconds = ({ progress, remainingSec }: ProgressFigures) =>
  (Number(remainingSec) * Number(progress)) / (1 - Number(progress));

/** Whether the machine has reported how far the print is. Its first figures show whether the print continues an earlier one. */
export const hasProgress = ({ progress, remainingSec }: ProgressFigures) => progress !== null && remainingSec !== null;

/** Whether the reading has the id of this ended print, and the machine does not use the id for a new print. */
function hasSameId(print: EndedPrint, reading: PrintReading, at: Instant): boolean {
  const isIdSame =
    print.externalId !== null && reading.externalId !== null && isSameId(print.externalId, reading.externalId);
  return isIdSame && !hasStartedLater(print, reading, at);
}

/** Whether a running print with the same id cannot be the ended print. */
function hasStartedLater(print: EndedPrint, reading: PrintReading, at: Instant): boolean {
  const { counter, startedAt, end } = reading;
  // A print that stopped for a while and continues looks like a print that starts again.
  if (print.outcome === 'UNRESOLVED' && counter === null && isSameFile(print, reading)) return false;
  const printed = counter?.seconds ?? (startedAt === null ? null : secondsBetween(startedAt, at));
  return end === null && printed !== null && printed < secondsBetween(print.endedAt, at) - TOLERANCE_SEC;
}

const secondsBetween = (from: Instant, to: Instant) => msBetween(from, to) / 1000;

/** Combines two rows of one print: the earlier row has its name and start, the later row has how far it is. */
export function combineRows<Print extends RunningPrint>(before: RunningPrint, now: Print): Print {
  const withStart = before.startedAt === null ? now : before;
  const withProgress = now.progress === null ? before : now;
  return {
    ...now,
    externalId: before.externalId ?? now.externalId,
    name: before.name,
    filePath: before.filePath ?? now.filePath,
    startedAt: withStart.startedAt,
    startedAtEstimated: withStart.startedAtEstimated,
    plan: now.plan ?? before.plan,
    counter: now.counter ?? before.counter,
    progress: withProgress.progress,
    progressBasis: withProgress.progressBasis,
    layer:
      now.layer === null || before.layer === null ? (now.layer ?? before.layer) : Math.max(now.layer, before.layer),
    layers: now.layers ?? before.layers,
    course: combineCourses(before, now.course),
    measured: now.measured.length > 0 ? now.measured : before.measured,
  };
}
