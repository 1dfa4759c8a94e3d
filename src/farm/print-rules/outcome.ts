// How and when a print ended: by its machine, seen or reported later, or UNRESOLVED. A failure is never guessed.
import type { Instant } from '../../values/instant';
import type { Ending, RunningPrint } from './print.model';
import type { Counter, End } from './readings';

/**
 * @param seen whether the print was heard of in this connection, so that its end happened just now
 * @param counter of the machine at the end; null where it has none
 */
export function endingOf(
  print: RunningPrint,
  end: End,
  at: Instant,
  seen: boolean,
  counter: Counter | null = null,
): Ending {
  const outcome = end.outcome ?? 'UNRESOLVED';
  const unseen = () => countedEnd(print, counter) ?? latestEnd(print, at);
  const instant = end.at ?? (outcome === 'UNRESOLVED' ? null : seen ? at : unseen());
  return {
    outcome,
    at: instant === null ? null : clamped(instant, print.startedAt, at),
    estimated: instant !== null && (end.estimated || (end.at === null && !seen)),
    reason: end.reason,
  };
}

/** The machine cannot report the end any more. A person gives the outcome. */
export const UNRESOLVED: Ending = { outcome: 'UNRESOLVED', at: null, estimated: false, reason: null };

/** What the machine counted from the begin to the end. */
function countedEnd({ startedAt }: RunningPrint, counter: Counter | null): Instant | null {
  if (startedAt === null || !counter?.countsPauses) return null;
  return new Date(Date.parse(startedAt) + counter.seconds * 1000).toISOString();
}

/** It cannot have gone on for longer than the machine still wanted. */
function latestEnd({ seenAt, remainingSec }: RunningPrint, at: Instant): Instant {
  if (remainingSec === null) return at;
  return new Date(Math.min(Date.parse(at), Date.parse(seenAt) + remainingSec * 1000)).toISOString();
}

const clamped = (instant: Instant, from: Instant | null, to: Instant): Instant => {
  const notLater = instant > to ? to : instant;
  return from !== null && notLater < from ? from : notLater;
};
