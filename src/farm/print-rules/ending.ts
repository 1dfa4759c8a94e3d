// Decides how and when a print ended.
import type { Instant } from '../../values/instant';
import type { Ending } from './decision';
import type { Counter, End, RunningPrint } from './print.model';

/**
 * The ending as the machine reports it, or UNRESOLVED. A failure is never guessed.
 * @param isSeen whether this connection had reported the print before, so that the print ended just now
 * @param counter the machine's counter at the end; `null` if it has none
 */
export function decideEnding(
  print: RunningPrint,
  end: End,
  at: Instant,
  isSeen: boolean,
  counter: Counter | null = null,
): Ending {
  const outcome = end.outcome ?? 'UNRESOLVED';
  const estimated = () => calculateCountedEnd(print, counter) ?? estimateLatestEnd(print, at);
  const instant = end.at ?? (outcome === 'UNRESOLVED' ? null : isSeen ? at : estimated());
  return {
    outcome,
    at: instant === null ? null : limitBetween(instant, print.startedAt, at),
    estimated: instant !== null && (end.estimated || (end.at === null && !isSeen)),
    reason: end.reason,
  };
}

/** The machine can no longer report the end. A user enters the outcome. */
export const UNRESOLVED: Ending = { outcome: 'UNRESOLVED', at: null, estimated: false, reason: null };

/** The end by the machine's counter, if the counter includes pauses. */
function calculateCountedEnd({ startedAt }: RunningPrint, counter: Counter | null): Instant | null {
  if (startedAt === null || !counter?.countsPauses) return null;
  return new Date(Date.parse(startedAt) + counter.seconds * 1000).toISOString();
}

/** The print cannot have taken longer than the remaining time at the last contact. A pause may have taken any time. */
function estimateLatestEnd({ seenAt, remainingSec, paused }: RunningPrint, at: Instant): Instant {
  if (remainingSec === null || paused) return at;
  return new Date(Math.min(Date.parse(at), Date.parse(seenAt) + remainingSec * 1000)).toISOString();
}

const limitBetween = (instant: Instant, earliest: Instant | null, latest: Instant): Instant => {
  const notLater = instant > latest ? latest : instant;
  return earliest !== null && notLater < earliest ? earliest : notLater;
};
