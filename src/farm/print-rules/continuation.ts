// The same print or a new one: whether what a machine shows after a gap is the print that ran before it. What two rows of one print say together.
import { CLOCKS_DIFFER_MS, type Instant, msBetween } from '../../values/instant';
import { combineCourses } from './course';
import type { EndedPrint, FollowedPrint, PrintReading, RunningPrint } from './print.model';

/** Counters report whole seconds, a second late, and some step back by parts of one: a counter that steps back by less goes on. */
export const COUNTER_SLACK_SEC = 2;

const TOLERANCE_SEC = CLOCKS_DIFFER_MS / 1000;
/** Progress is reported in whole percent. */
const SLACK_PROGRESS = 0.02;

/** In one connection the adapter's number decides; across connections, in this order: id, begin, counter, layers. */
export function isSamePrint(print: FollowedPrint, heard: PrintReading, at: Instant): boolean {
  return isSameForCertain(print, heard, at) ?? (isSameFile(print, heard) && continuesByFigures(print, heard, at));
}

/** null: only its figures can show it. */
function isSameForCertain(print: FollowedPrint, heard: PrintReading, at: Instant): boolean | null {
  if (print.ordinal !== null && heard.ordinal > 0) return print.ordinal === heard.ordinal;
  if (print.externalId !== null && heard.externalId !== null) return isSameId(print.externalId, heard.externalId);
  if (!isSameFile(print, heard)) return false;
  // A record of the machine's history, for a print whose id was not yet heard.
  const begun = heard.externalId !== null && heard.end !== null && !heard.startedAtEstimated ? heard.startedAt : null;
  if (begun !== null && print.startedAt !== null)
    return Math.abs(secondsBetween(print.startedAt, begun)) <= TOLERANCE_SEC;
  return print.counter !== null && heard.counter !== null ? continuesByCounter(print, heard, at) : null;
}

/** The machine counts by itself: its counter went on, and by no more than the time that went by. */
function continuesByCounter(print: FollowedPrint, heard: PrintReading, at: Instant): boolean {
  const gap = secondsBetween(print.seenAt, heard.end?.at ?? at);
  const counter = heard.counter?.seconds as number;
  const advance = counter - (print.counter?.seconds as number);
  if (advance <= -COUNTER_SLACK_SEC || advance > gap + TOLERANCE_SEC) return false;
  // How long ago it ended is not known.
  if (heard.end !== null && heard.end.at === null) return true;
  // A print that began in the gap cannot have counted for longer than the gap.
  if (counter > gap + TOLERANCE_SEC) return true;
  const mayPause = heard.counter?.countsPauses === false && (print.paused || heard.paused);
  return mayPause || gap - advance <= TOLERANCE_SEC;
}

/** For machines without id and counter. One that shows only how its last print ended shows the end of this one. */
function continuesByFigures(print: FollowedPrint, heard: PrintReading, at: Instant): boolean {
  const begunLater = heard.startedAt !== null && heard.startedAt > print.seenAt;
  if (heard.end !== null || begunLater) return !begunLater;
  const layers = difference(print.layer, heard.layer);
  // A counter of layers may start again, as behind a loss of power. A new print has neither its progress nor its time left.
  if (layers !== 0) return layers > 0 || hasComeAsFar(print, heard);
  // Nothing begins and gets so far at once; what goes back then is a print that is being cancelled, or was slowed down.
  if (Number(print.layer) > 0 && secondsBetween(print.seenAt, at) <= TOLERANCE_SEC) return true;
  if (difference(print.progress, heard.progress) < -SLACK_PROGRESS) return false;
  return difference(print.remainingSec, heard.remainingSec) <= TOLERANCE_SEC;
}

type ProgressFigures = Pick<EndedPrint, 'progress' | 'remainingSec'>;

/** Whether both progress and the time left are reported, and go on. */
function hasComeAsFar(print: ProgressFigures, { progress, remainingSec }: ProgressFigures): boolean {
  if ([print.progress, progress, print.remainingSec, remainingSec].includes(null)) return false;
  return (
    difference(print.progress, progress) >= -SLACK_PROGRESS &&
    difference(print.remainingSec, remainingSec) <= TOLERANCE_SEC
  );
}

/** 0 where one of them is not reported. */
const difference = (from: string | number | null, to: string | number | null): number =>
  from === null || to === null ? 0 : Number(to) - Number(from);

function isSameFile(print: Pick<EndedPrint, 'filePath' | 'name'>, heard: PrintReading): boolean {
  if (print.filePath !== null && heard.filePath !== null) return print.filePath === heard.filePath;
  return heard.name === null || print.name === heard.name;
}

/** Behind a machine's id that was used before, such as one of 16 bits that began again: when the later print began. */
export const REUSED_ID_MARK = '~';

const isSameId = (ours: string, heard: string) => ours === heard || ours.startsWith(heard + REUSED_ID_MARK);

/** The id as the machine reports it. */
export const idAsReported = (id: string): string => id.split(REUSED_ID_MARK)[0] as string;

/** The id that no earlier print of the device has. */
export function makeUnusedId(id: string, at: Instant, ended: readonly EndedPrint[]): string {
  return ended.some(({ externalId }) => externalId !== null && isSameId(externalId, id))
    ? `${id}${REUSED_ID_MARK}${at}`
    : id;
}

/** The print that is over, and that the machine reports again, as at each connect. */
export function findEndedPrint(ended: readonly EndedPrint[], heard: PrintReading, at: Instant): EndedPrint | undefined {
  return ended.findLast((print) => {
    if (print.externalId !== null && heard.externalId !== null) return hasSameId(print, heard, at);
    if (!isSameFile(print, heard) || heard.startedAt === null) return false;
    // A machine prints one thing at a time: what began before the other one ended is the other one.
    if (heard.end === null) return secondsBetween(heard.startedAt, print.endedAt) > COUNTER_SLACK_SEC;
    return print.startedAt !== null && Math.abs(secondsBetween(print.startedAt, heard.startedAt)) <= TOLERANCE_SEC;
  });
}

/** The print that is over with the id that the machine now reports for the running one: both are one print. */
export function findEndedDuplicate(
  running: FollowedPrint,
  heard: PrintReading,
  ended: readonly EndedPrint[],
  at: Instant,
): EndedPrint | undefined {
  if (running.externalId !== null || heard.externalId === null) return undefined;
  return ended.findLast((print) => hasSameId(print, heard, at));
}

/** Whether the end that is reported is also that of the running print, and not only of its duplicate. */
export function endsBoth(running: FollowedPrint, heard: PrintReading, duplicate: EndedPrint, at: Instant): boolean {
  if (running.ordinal !== null && running.ordinal === heard.ordinal) return true;
  return duplicate.outcome === 'UNRESOLVED' && isSameForCertain(running, heard, at) === true;
}

/**
 * The last print of a machine without ids and counters, when what runs now is as far as that one came and began so lately that
 * nothing gets so far: after a loss of power some printers rest, and then go on.
 * @param begunAt it did not run before
 */
export function findResumedPrint(
  ended: readonly EndedPrint[],
  heard: PrintReading,
  begunAt: Instant | null,
  at: Instant,
): EndedPrint | undefined {
  const last = ended.at(-1);
  if (last?.outcome !== 'UNRESOLVED' || begunAt === null || heard.end !== null || heard.counter !== null)
    return undefined;
  const isOtherId =
    last.externalId !== null && heard.externalId !== null && !isSameId(last.externalId, heard.externalId);
  if (
    isOtherId ||
    !isSameFile(last, heard) ||
    !hasComeAsFar(last, heard) ||
    Number(last.progress) <= 2 * SLACK_PROGRESS
  ) {
    return undefined;
  }
  return secondsBetween(begunAt, at) < estimatePrintedSeconds(heard) / 2 ? last : undefined;
}

/** How long the machine takes to get as far as it is, by its own figures: no pause is in them. */
const estimatePrintedSeconds = ({ progress, remainingSec }: ProgressFigures) =>
  (Number(remainingSec) * Number(progress)) / (1 - Number(progress));

/** Whether the machine has reported how far it is: a print that is as far as an earlier one shows it with its first figures. */
export const hasProgress = ({ progress, remainingSec }: ProgressFigures) => progress !== null && remainingSec !== null;

/** Whether the machine means this print with an id, and does not use the id again. */
function hasSameId(print: EndedPrint, heard: PrintReading, at: Instant): boolean {
  const isIt = print.externalId !== null && heard.externalId !== null && isSameId(print.externalId, heard.externalId);
  return isIt && !startedLater(print, heard, at);
}

/** Whether a running print of the same id cannot be the one that is over. */
function startedLater(print: EndedPrint, heard: PrintReading, at: Instant): boolean {
  const { counter, startedAt, end } = heard;
  // What rested for a while and goes on is seen to begin again.
  if (print.outcome === 'UNRESOLVED' && counter === null && isSameFile(print, heard)) return false;
  const ran = counter?.seconds ?? (startedAt === null ? null : secondsBetween(startedAt, at));
  return end === null && ran !== null && ran < secondsBetween(print.endedAt, at) - TOLERANCE_SEC;
}

const secondsBetween = (from: Instant, to: Instant) => msBetween(from, to) / 1000;

/** The earlier row says what it was, the later one how far it is. */
export function combineRows<Print extends RunningPrint>(before: RunningPrint, now: Print): Print {
  const begin = before.startedAt === null ? now : before;
  const progressed = now.progress === null ? before : now;
  return {
    ...now,
    externalId: before.externalId ?? now.externalId,
    name: before.name,
    filePath: before.filePath ?? now.filePath,
    startedAt: begin.startedAt,
    startedAtEstimated: begin.startedAtEstimated,
    plan: now.plan ?? before.plan,
    counter: now.counter ?? before.counter,
    progress: progressed.progress,
    progressBasis: progressed.progressBasis,
    layer:
      now.layer === null || before.layer === null ? (now.layer ?? before.layer) : Math.max(now.layer, before.layer),
    layers: now.layers ?? before.layers,
    course: combineCourses(before, now.course),
    measured: now.measured.length > 0 ? now.measured : before.measured,
  };
}
