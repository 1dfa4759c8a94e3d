// The print that OctoPrint is heard to run: when it begins, and what its messages say of it until it ends.
import type { PrintReading } from '../../farm/print-rules/print.model';
import { type Instant, later, msBetween } from '../../values/instant';
import { baseNameOf } from '../../values/text';
import type { TrackedPrint } from '../machine-adapter';
import { readName } from '../message-values';
import { type Current, namedReading, toCounter } from './status';

/** Events and flags come by two ways: what one of them says, the other one says within this time. */
export const WINDOW_MS = 2000;

export interface Tracked extends TrackedPrint {
  path: string;
  isLocal: boolean;
  /** Whether PrintStarted was heard, or is not to come any more. */
  isAnnounced: boolean;
  /** PAUSED until PrintResumed or PrintStarted says what becomes of the pause. */
  pause: 'NONE' | 'PAUSED' | 'RESUMED';
  /** It was running already, and its time may still count a pause: nothing is reported of it so far. */
  isWithheld: boolean;
  /** A print of its file ran at the last contact. */
  isFileOfBefore: boolean;
  /** Since when the flags say that it runs and does not pause. */
  runningSince: Instant | null;
  /** Since when the flags say that it is over, while the event with its outcome is missing. */
  goneSince: Instant | null;
  wasCancelling: boolean;
  /** Why OctoPrint cancelled it by itself. */
  fault: string | null;
}

interface Start extends Pick<Tracked, 'path' | 'isLocal' | 'isAnnounced' | 'isWithheld' | 'isFileOfBefore'> {
  ordinal: number;
  name: string | null;
  /** By its machine, which may have printed it for long. */
  printSec: number | null;
  /** Whether it was heard to begin. */
  wasSeen: boolean;
}

export function startTracking(begin: Start, now: Instant): Tracked {
  const { ordinal, path, name, isLocal, printSec, wasSeen, isAnnounced, isWithheld, isFileOfBefore } = begin;
  return {
    isOver: false,
    path,
    isLocal,
    isAnnounced,
    isWithheld,
    isFileOfBefore,
    pause: isWithheld ? 'RESUMED' : 'NONE',
    runningSince: now,
    goneSince: null,
    wasCancelling: false,
    fault: null,
    last: {
      ...namedReading(ordinal, path, name ?? readName(baseNameOf(path))),
      startedAt: wasSeen ? now : isWithheld ? null : later(now, -(printSec ?? 0)),
      startedAtEstimated: !wasSeen,
    },
  };
}

/** What the flags say of a print that goes on. */
export function continuePrint(print: Tracked, current: Current, now: Instant): Tracked {
  const isMoving = !current.isPaused && !current.isResuming;
  const runningSince = isMoving ? (print.runningSince ?? now) : null;
  const isSettled = runningSince !== null && msBetween(runningSince, now) >= WINDOW_MS;
  const pause = current.isPaused ? 'PAUSED' : isSettled ? 'NONE' : current.isResuming ? 'RESUMED' : print.pause;
  const isWithheld = print.isWithheld && isMoving && !isSettled;
  const next: Tracked = {
    ...print,
    pause,
    isWithheld,
    runningSince,
    goneSince: null,
    wasCancelling: print.wasCancelling || current.isCancelling,
  };
  // It may be begun anew: then these are not its figures.
  if (isUnclear(next, current)) return next;
  // Pauses while no gateway listened make it seem younger, so its progress decides whether it is the same print.
  const isTimed = print.isWithheld && !isWithheld && (isMoving || !print.isFileOfBefore);
  const startedAt = isTimed ? later(now, -(current.printSec ?? 0)) : print.last.startedAt;
  return { ...next, last: { ...printReading(next, current), startedAt } };
}

/** It paused and prints again. Its event says whether it goes on or begins anew. */
export const isUnclear = ({ pause }: Tracked, { isPaused }: Current) => pause === 'PAUSED' && !isPaused;

/** What falls to nothing when a print is cancelled stays as it was. */
function printReading({ last, isLocal, pause }: Tracked, current: Current): PrintReading {
  const { facts, printSec, isPaused, name } = current;
  const progressed = Number(facts.progress) > 0;
  // The time of a print from the card runs on in a pause, and falls back behind it.
  const isTimed = isLocal || pause === 'NONE';
  return {
    ...last,
    name: last.name ?? name,
    progress: progressed ? facts.progress : last.progress,
    progressBasis: progressed ? facts.progressBasis : last.progressBasis,
    remainingSec: isTimed ? facts.remainingSec : last.remainingSec,
    plan: facts.plan ?? last.plan,
    counter: isTimed ? (toCounter(printSec) ?? last.counter) : last.counter,
    paused: isPaused,
  };
}
