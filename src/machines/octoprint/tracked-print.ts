// Decides when a print of OctoPrint starts, and what the messages say about the print until it ends.
import type { PrintReading } from '../../farm/print-rules/print.model';
import { addSeconds, type Instant, msBetween } from '../../values/instant';
import { takeBaseName } from '../../values/text';
import type { TrackedPrint } from '../machine-adapter';
import { readName } from '../message-values';
import { type Current, createNamedReading, toCounter } from './status';

/** Events and flags report the same change separately. The second report follows the first within this time. */
export const WINDOW_MS = 2000;

export interface Tracked extends TrackedPrint {
  path: string;
  isLocal: boolean;
  /** Whether PrintStarted has arrived, or will no longer arrive. */
  isAnnounced: boolean;
  /** PAUSED until PrintResumed or PrintStarted reports how the pause ends. */
  pause: 'NONE' | 'PAUSED' | 'RESUMED';
  /** Whether the event of the pause names the user who paused the print. */
  isPausedByUser: boolean;
  /** Whether the print is not reported yet, because it was running already and its time may still include a pause. */
  isWithheld: boolean;
  /** Whether a print of the same file was running at the last contact. */
  isFileOfBefore: boolean;
  /** Since when the flags show that the print is running and not paused. */
  runningSince: Instant | null;
  /** Since when the flags show that the print has ended, while the event with its outcome is missing. */
  goneSince: Instant | null;
  wasCancelling: boolean;
  /** Why OctoPrint itself cancelled the print. */
  fault: string | null;
}

interface Start extends Pick<Tracked, 'path' | 'isLocal' | 'isAnnounced' | 'isWithheld' | 'isFileOfBefore'> {
  ordinal: number;
  name: string | null;
  /** The print time that the machine reports. The print may have started long ago. */
  printSec: number | null;
  /** Whether the gateway saw the start. */
  wasSeen: boolean;
}

export function startTracking(start: Start, now: Instant): Tracked {
  const { ordinal, path, name, isLocal, printSec, wasSeen, isAnnounced, isWithheld, isFileOfBefore } = start;
  return {
    isOver: false,
    path,
    isLocal,
    isAnnounced,
    isWithheld,
    isFileOfBefore,
    pause: isWithheld ? 'RESUMED' : 'NONE',
    isPausedByUser: false,
    runningSince: now,
    goneSince: null,
    wasCancelling: false,
    fault: null,
    last: {
      ...createNamedReading(ordinal, path, name ?? readName(takeBaseName(path))),
      startedAt: wasSeen ? now : isWithheld ? null : addSeconds(now, -(printSec ?? 0)),
      startedAtEstimated: !wasSeen,
    },
  };
}

/** Updates a print that continues by the flags. */
export function continuePrint(print: Tracked, current: Current, now: Instant): Tracked {
  const isMoving = !current.isPaused && !current.isResuming;
  const runningSince = isMoving ? (print.runningSince ?? now) : null;
  const isSettled = runningSince !== null && msBetween(runningSince, now) >= WINDOW_MS;
  const pause = current.isPaused ? 'PAUSED' : isSettled ? 'NONE' : current.isResuming ? 'RESUMED' : print.pause;
  const isWithheld = print.isWithheld && isMoving && !isSettled;
  const next: Tracked = {
    ...print,
    pause,
    isPausedByUser: print.isPausedByUser && pause === 'PAUSED',
    isWithheld,
    runningSince,
    goneSince: null,
    wasCancelling: print.wasCancelling || current.isCancelling,
  };
  // If the print was restarted, these figures do not belong to it.
  if (isUnclear(next, current)) return next;
  // Pauses while no gateway was connected make the print seem younger, so its progress decides whether it is the same print.
  const isTimed = print.isWithheld && !isWithheld && (isMoving || !print.isFileOfBefore);
  const startedAt = isTimed ? addSeconds(now, -(current.printSec ?? 0)) : print.last.startedAt;
  return { ...next, last: { ...buildPrintReading(next, current), startedAt } };
}

/** Whether a paused print prints again, before its event shows if it continues or was restarted. */
export const isUnclear = ({ pause }: Tracked, { isPaused }: Current) => pause === 'PAUSED' && !isPaused;

/** Reads the figures of a print. Figures that fall to 0 after a cancel keep their last value. */
function buildPrintReading({ last, isLocal, pause }: Tracked, current: Current): PrintReading {
  const { facts, printSec, isPaused, name } = current;
  const progressed = Number(facts.progress) > 0;
  // The time of a print from the card keeps counting in a pause, and falls back after the pause.
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
