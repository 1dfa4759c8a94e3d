// The same print or a new one: whether what a machine shows after a gap is the print that ran before it.
import type { Instant } from '../values/instant';
import type { EndedPrint, HeardPrint } from './observed-print.model';
import { endedAsKnown } from './print-times';
import type { PrintReading } from './readings';

const TOLERANCE_SEC = 120;
/** Counters tell whole seconds, a second late. */
const SLACK_SEC = 2;
/** Progress is told in whole percent. */
const SLACK_PROGRESS = 0.02;

/** In one connection the adapter's number decides; across connections, in this order: id, begin, counter, layers. */
export function isSame(print: HeardPrint, heard: PrintReading, at: Instant): boolean {
  if (print.ordinal !== null && heard.ordinal > 0) return print.ordinal === heard.ordinal;
  if (print.externalId !== null && heard.externalId !== null) return isSameId(print.externalId, heard.externalId);
  if (!isSameFile(print, heard)) return false;
  // A record of the machine's history, for a print whose id was not yet heard.
  const told = heard.externalId !== null && heard.end !== null && !heard.startedAtEstimated ? heard.startedAt : null;
  if (told !== null && print.startedAt !== null) return Math.abs(secondsFrom(print.startedAt, told)) <= TOLERANCE_SEC;
  if (print.counter !== null && heard.counter !== null) return goesOn(print, heard, at);
  return isNoStepBack(print, heard, at);
}

/** The machine counts by itself: its counter went on, and by no more than the time that went by. */
function goesOn(print: HeardPrint, heard: PrintReading, at: Instant): boolean {
  const gap = secondsFrom(print.seenAt, heard.end?.at ?? at);
  const counter = heard.counter?.seconds as number;
  const advance = counter - (print.counter?.seconds as number);
  if (advance < 0 || advance > gap + TOLERANCE_SEC) return false;
  // How long ago it ended is not known.
  if (heard.end !== null && heard.end.at === null) return true;
  // A print that began in the gap cannot have counted for longer than the gap.
  if (counter > gap + TOLERANCE_SEC) return true;
  const mayPause = heard.counter?.countsPauses === false && (print.paused || heard.paused);
  return mayPause || gap - advance <= TOLERANCE_SEC;
}

/** For machines without id and counter. One that shows only how its last print ended shows the end of this one. */
function isNoStepBack(print: HeardPrint, heard: PrintReading, at: Instant): boolean {
  const begunLater = heard.startedAt !== null && heard.startedAt > print.seenAt;
  if (heard.end !== null || begunLater) return !begunLater;
  const layers = step(print.layer, heard.layer);
  if (layers !== 0) return layers > 0;
  // Nothing begins and gets so far at once; what goes back then is a print that is being cancelled, or was slowed down.
  if (Number(print.layer) > 0 && secondsFrom(print.seenAt, at) <= TOLERANCE_SEC) return true;
  if (step(print.progress, heard.progress) < -SLACK_PROGRESS) return false;
  return step(print.remainingSec, heard.remainingSec) <= TOLERANCE_SEC;
}

/** 0 where one of them is not told. */
const step = (from: string | number | null, to: string | number | null): number =>
  from === null || to === null ? 0 : Number(to) - Number(from);

function isSameFile(print: Pick<EndedPrint, 'filePath' | 'name'>, heard: PrintReading): boolean {
  if (print.filePath !== null && heard.filePath !== null) return print.filePath === heard.filePath;
  return heard.name === null || print.name === heard.name;
}

/** Behind a machine's id that was used before, such as one of 16 bits that began again: when the later print began. */
const AGAIN = '~';

const isSameId = (ours: string, heard: string) => ours === heard || ours.startsWith(heard + AGAIN);

/** The id that no earlier print of the device has. */
export function unusedId(id: string, at: Instant, ended: readonly EndedPrint[]): string {
  return ended.some(({ externalId }) => externalId !== null && isSameId(externalId, id)) ? `${id}${AGAIN}${at}` : id;
}

/** The print that is over and of which the machine tells again, as it does at each connect. */
export function endedBefore(ended: readonly EndedPrint[], heard: PrintReading, at: Instant): EndedPrint | undefined {
  const found = ended.findLast((stored) => {
    const print = endedAsKnown(stored, at);
    if (print.externalId !== null && heard.externalId !== null) {
      return isSameId(print.externalId, heard.externalId) && !beganAfter(print, heard, at);
    }
    if (!isSameFile(print, heard) || heard.startedAt === null) return false;
    // A machine prints one thing at a time: what began before the other one ended is the other one.
    if (heard.end === null) return secondsFrom(heard.startedAt, print.endedAt) > SLACK_SEC;
    return print.startedAt !== null && Math.abs(secondsFrom(print.startedAt, heard.startedAt)) <= TOLERANCE_SEC;
  });
  return found && endedAsKnown(found, at);
}

/** Whether a running print of the same id cannot be the one that is over: the machine uses its ids again. */
function beganAfter(print: EndedPrint, { counter, startedAt, end }: PrintReading, at: Instant): boolean {
  const ran = counter?.seconds ?? (startedAt === null ? null : secondsFrom(startedAt, at));
  return end === null && ran !== null && ran < secondsFrom(print.endedAt, at) - TOLERANCE_SEC;
}

const secondsFrom = (from: Instant, to: Instant) => (Date.parse(to) - Date.parse(from)) / 1000;
