// How and when a print ended, and its times when our clock was set: durations stay, and the machine's own count says them best.
import { after, asEvidence, before, CLOCKS_DIFFER_MS, type Instant, msBetween } from '../../values/instant';
import type { Counter, End, EndedPrint, Ending, FollowedPrint, PrintReading, RunningPrint } from './print.model';

/**
 * By its machine, seen or reported later, or UNRESOLVED. A failure is never guessed.
 * @param seen whether the print was heard of in this connection, so that its end happened just now
 * @param counter of the machine at the end; null where it has none
 */
export function decideEnding(
  print: RunningPrint,
  end: End,
  at: Instant,
  seen: boolean,
  counter: Counter | null = null,
): Ending {
  const outcome = end.outcome ?? 'UNRESOLVED';
  const unseen = () => calculateCountedEnd(print, counter) ?? estimateLatestEnd(print, at);
  const instant = end.at ?? (outcome === 'UNRESOLVED' ? null : seen ? at : unseen());
  return {
    outcome,
    at: instant === null ? null : limitBetween(instant, print.startedAt, at),
    estimated: instant !== null && (end.estimated || (end.at === null && !seen)),
    reason: end.reason,
  };
}

/** The machine cannot report the end any more. A person gives the outcome. */
export const UNRESOLVED: Ending = { outcome: 'UNRESOLVED', at: null, estimated: false, reason: null };

/** What the machine counted from the begin to the end. */
function calculateCountedEnd({ startedAt }: RunningPrint, counter: Counter | null): Instant | null {
  if (startedAt === null || !counter?.countsPauses) return null;
  return new Date(Date.parse(startedAt) + counter.seconds * 1000).toISOString();
}

/** It cannot have printed for longer than the machine still wanted. How long a pause took is not known. */
function estimateLatestEnd({ seenAt, remainingSec, paused }: RunningPrint, at: Instant): Instant {
  if (remainingSec === null || paused) return at;
  return new Date(Math.min(Date.parse(at), Date.parse(seenAt) + remainingSec * 1000)).toISOString();
}

const limitBetween = (instant: Instant, from: Instant | null, to: Instant): Instant => {
  const notLater = instant > to ? to : instant;
  return from !== null && notLater < from ? from : notLater;
};

/** What was saved then is to be saved now. */
const LONG_AGO: Instant = '0001-01-01T00:00:00.000Z';

/**
 * The print as it is known when a reading is heard: never later than that. What was written by a clock that was ahead is moved back
 * to where the machine's count, which went on since, puts the last contact.
 */
export function correctFutureTimes(print: FollowedPrint, heard: PrintReading | null, at: Instant): FollowedPrint {
  const [seenAt, savedAt] = [asEvidence(print.seenAt, at), asEvidence(print.savedAt, at)];
  const startedAt = asEvidence(print.startedAt, at);
  const isKnown = seenAt !== null && (startedAt !== null || print.startedAt === null);
  if (isKnown) return { ...print, seenAt, startedAt, savedAt: savedAt ?? LONG_AGO };
  const seen = seenAt ?? before(heard?.end?.at ?? at, countedMsSince(print, heard));
  return { ...print, ...correctStart(print, heard, seen), seenAt: seen, savedAt: LONG_AGO };
}

/** The begin as the machine reports it now, else as it is computed. */
function correctStart(
  print: FollowedPrint,
  heard: PrintReading | null,
  seen: Instant,
): Pick<FollowedPrint, 'startedAt' | 'startedAtEstimated'> {
  if (heard?.startedAt != null && !heard.startedAtEstimated && heard.startedAt <= seen) {
    return { startedAt: heard.startedAt, startedAtEstimated: false };
  }
  if (print.startedAt === null) return print;
  const startedAt = estimateStart(print.startedAt, print, seen);
  return { startedAt, startedAtEstimated: print.startedAtEstimated || startedAt !== print.startedAt };
}

/** @param seen the last contact, which does not lie ahead */
function estimateStart(startedAt: Instant, print: FollowedPrint, seen: Instant): Instant {
  const counted = before(seen, countedMs(print));
  // It began before our clock was ahead.
  if (startedAt <= after(counted, CLOCKS_DIFFER_MS)) return startedAt;
  const moved = after(startedAt, msBetween(print.seenAt, seen));
  // It began by a clock that was ahead, and was last heard of by one that was right.
  return moved > seen ? counted : moved;
}

/**
 * The print after our clock was set forward by so much since it was last heard of. When the machine counted that time too, it
 * went by: the computer slept.
 */
export function shiftAfterClockChange(print: FollowedPrint, heard: PrintReading | null, ms: number): FollowedPrint {
  if (ms < CLOCKS_DIFFER_MS || countedMsSince(print, heard) >= ms - CLOCKS_DIFFER_MS) return print;
  const { startedAt, seenAt } = print;
  return {
    ...print,
    startedAt: startedAt && after(startedAt, ms),
    seenAt: after(seenAt, ms),
    savedAt: LONG_AGO,
  };
}

/**
 * A print that is over, as it is known now. Where its end lies ahead, nothing that runs now is that print, unless what became of
 * it is not known.
 */
export function correctEndedPrint(print: EndedPrint, now: Instant): EndedPrint {
  if (print.endedAt <= now) return print;
  const endedAt = asEvidence(print.endedAt, now) ?? (print.outcome === 'UNRESOLVED' ? now : LONG_AGO);
  return {
    ...print,
    endedAt,
    startedAt: asEvidence(print.startedAt, now),
    seenAt: asEvidence(print.seenAt, now) ?? endedAt,
  };
}

/** Milliseconds that the machine counted since the last contact. */
const countedMsSince = (print: FollowedPrint, heard: PrintReading | null) =>
  heard?.counter && print.counter ? Math.max(0, (heard.counter.seconds - print.counter.seconds) * 1000) : 0;

const countedMs = ({ counter }: FollowedPrint) => (counter?.seconds ?? 0) * 1000;
