// The limits beyond which there is an alert.
import { DAY_MS } from '../../values/instant';

const MINUTE_MS = 60_000;

/** Against flapping: a condition is reported when it has lasted or has been over for so long. */
export const STEADY_MS = MINUTE_MS;

/** Percent, and below. */
export const LOW_BATTERY_PCT = 15;
/** At so many percent, and below, the alert of a low battery is CRITICAL. */
export const EMPTY_BATTERY_PCT = 5;
/** Below so many seconds of video. */
export const LOW_STORAGE_SEC = 600;
/** At so many seconds of video, and below, the alert of low storage is CRITICAL. */
export const EMPTY_STORAGE_SEC = 120;
export const STUCK_DAYS = 7;
export const STUCK_MS = STUCK_DAYS * DAY_MS;
/** Prints whose filament is not known are reported for so long after their end. */
export const UNKNOWN_DAYS = 7;
export const UNKNOWN_MS = UNKNOWN_DAYS * DAY_MS;
/** The answer has 10 MB then. */
export const MAX_ALERTS = 20_000;
/** A print is to be recorded from so long after its begin on. */
export const FILM_AFTER_MS = MINUTE_MS;
/** Whether a print was recorded is looked for in so many days, and in so many records of all cameras together: in some 0.2 s. */
export const FILM_DAYS = 7;
export const FILM_RECORDS = 100_000;
/** The end of a battery is predicted by a line through so long, so many records and so many percent that it has fallen. */
export const BATTERY_LINE_MIN = 30;
export const BATTERY_LINE_MS = BATTERY_LINE_MIN * MINUTE_MS;
export const BATTERY_RECORDS = 4;
export const BATTERY_FALL_PCT = 2;
/** A film may end so many minutes before its print, or so great a share of the time that the print still takes, without an alert. */
export const EARLY_MIN = 5;
export const EARLY_SEC = EARLY_MIN * 60;
export const EARLY_SHARE = 0.1;
