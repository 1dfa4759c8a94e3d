// Holds how much of the log of a camera one health field may read, in how many steps, and at which price of the operation.
import { DAY_MS, HOUR_MS } from '../../values/instant';
import { clamp } from '../../values/page';

/** Without `from`, the log is read from this many hours before `to`. */
export const LOG_HOURS = 24;
/** The default number of steps of a series. */
export const SERIES_POINTS = 200;
export const MAX_SERIES_POINTS = 2000;
export const MAX_GAPS = 100;
/** Summing one day of the log of one camera costs as much as returning this many rows. */
export const ROWS_OF_LOG_DAY = 200;
/** With a record every 30 seconds, a log reaches MAX_LOG_RECORDS in this many days, so a longer range costs no more. */
const MAX_LOG_DAYS = 87;

/** The price of a range of a log, by its days, rounded up. @param from in milliseconds since 1970, like `to` */
export function priceOfLog(from: number | undefined, to = Date.now()): number {
  const begin = from ?? to - LOG_HOURS * HOUR_MS;
  return ROWS_OF_LOG_DAY * clamp(Math.ceil((to - begin) / DAY_MS), 1, MAX_LOG_DAYS);
}

/** The most records of one camera that one field sums, in about 0.2 s. A record every second makes 86,400 a day. */
export const MAX_LOG_RECORDS = 250_000;
