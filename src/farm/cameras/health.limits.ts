// The limits of the health of a camera: how much of its log one field may read, in how many steps, and at which price.
import { DAY_MS, HOUR_MS } from '../../values/instant';
import { clamp } from '../../values/page';

/** Without `from`, the log is read from so many hours before `to` on. */
export const LOG_HOURS = 24;
/** Steps of a series. */
export const SERIES_POINTS = 200;
export const MAX_SERIES_POINTS = 2000;
export const MAX_GAPS = 100;
/** Adding up a day of the log of one camera costs as much as answering so many rows. */
export const ROWS_OF_LOG_DAY = 200;
/** A record every 30 seconds makes MAX_LOG_RECORDS in these days. */
const MAX_LOG_DAYS = 87;

/** The price of the days of a log between two instants (ms since 1970), days that have begun too. */
export function priceOfLog(from: number | undefined, to = Date.now()): number {
  const begin = from ?? to - LOG_HOURS * HOUR_MS;
  return ROWS_OF_LOG_DAY * clamp(Math.ceil((to - begin) / DAY_MS), 1, MAX_LOG_DAYS);
}

/** Records of one camera that one field adds up, in some 0.2 s. A record every second makes 86,400 a day. */
export const MAX_LOG_RECORDS = 250_000;
