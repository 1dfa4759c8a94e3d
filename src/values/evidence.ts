// The one rule of stored times: a time later than now is no evidence, because the clock that wrote it was ahead.
import type { Instant } from './instant';

/** The clocks of two computers of one farm may differ by so much. */
export const CLOCKS_DIFFER_MS = 120_000;

/** A stored time as far as it is evidence, and never later than now; null: the time is not known. The same in SQL is `evidence`. */
export function asEvidence(stored: Instant | null, now: Instant): Instant | null {
  if (stored === null || stored <= now) return stored;
  return Date.parse(stored) - Date.parse(now) <= CLOCKS_DIFFER_MS ? now : null;
}
