// Reads times with any offset (RFC 3339), writes them in UTC with milliseconds, and decides which stored times can be trusted.
import { BadInput } from '../errors';

const RFC_3339 = /^(\d{4}-\d\d-\d\d)t([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i;

/** A time in the one form that the gateway writes: `2026-11-20T08:30:00.000Z`. */
export type Instant = string;

export const HOUR_MS = 60 * 60 * 1000;
export const DAY_MS = 24 * HOUR_MS;

export const instantNow = (): Instant => new Date().toISOString();

const EARLIEST = Date.parse('0001-01-01T00:00:00Z');

/** Subtracts milliseconds from a time. The result is never before the first year that is allowed. */
export const subtractMs = (instant: Instant, ms: number): Instant =>
  new Date(Math.max(Math.round(Date.parse(instant) - ms), EARLIEST)).toISOString();

export const addMs = (instant: Instant, ms: number): Instant => subtractMs(instant, -ms);
export const addSeconds = (instant: Instant, seconds: number): Instant => addMs(instant, seconds * 1000);

export const msBetween = (from: Instant, to: Instant): number => Date.parse(to) - Date.parse(from);

/** The years have four digits, so the order of the texts is the order of the times. */
export const findEarliest = (instants: readonly Instant[]): Instant => [...instants].sort()[0] as Instant;
export const findLatest = (instants: readonly Instant[]): Instant => [...instants].sort().at(-1) as Instant;

export function parseInstant(value: unknown, member: string): Instant {
  const match = typeof value === 'string' ? RFC_3339.exec(value) : null;
  if (match === null) {
    throw new BadInput('must be a time with an offset (RFC 3339) such as 2026-11-20T08:30:00Z', member);
  }
  const [text, day] = match as unknown as [string, string];
  // Date turns 30 February into a day in March. So a day that Date writes back as another day does not exist.
  const midnight = new Date(`${day}T00:00:00Z`);
  const instant = new Date(text.toUpperCase());
  const possible = !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
  if (!possible || Number.isNaN(instant.getTime())) {
    throw new BadInput('must be a date that exists in the calendar', member);
  }
  const year = instant.getUTCFullYear();
  if (year < 1 || year > 9999) throw new BadInput('must be between the years 0001 and 9999', member);
  return instant.toISOString();
}

/** How much the clocks of two computers of one farm may differ. */
export const CLOCKS_DIFFER_MS = 120_000;

/**
 * Returns a stored time if it can be trusted. A time slightly in the future counts as now. A time further in the future was written by
 * a wrong clock, so the real time is unknown and the result is `null`. database/sql.ts has the same rule in SQL.
 */
export function discardFutureTime(stored: Instant | null, now: Instant): Instant | null {
  if (stored === null || stored <= now) return stored;
  return Date.parse(stored) - Date.parse(now) <= CLOCKS_DIFFER_MS ? now : null;
}
