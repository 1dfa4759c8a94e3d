// Holds the limits from which on there is an alert. Pages, descriptions and several statements read the same figures.
import { DAY_MS } from '../../values/instant';

const MINUTE_MS = 60_000;

/** An alert is reported only after it has been active, or gone, for this long. Otherwise a value at a limit would cause many messages. */
export const STEADY_MS = MINUTE_MS;

/** A battery at this percentage or below is low. */
export const LOW_BATTERY_PCT = 15;
/** A battery at this percentage or below is CRITICAL. */
export const EMPTY_BATTERY_PCT = 5;
/** Storage is low if there is room for fewer seconds of video. */
export const LOW_STORAGE_SEC = 600;
/** Storage for this many seconds of video or fewer is CRITICAL. */
export const EMPTY_STORAGE_SEC = 120;
/** A job that has been printing this long without an update is stuck. */
export const STUCK_DAYS = 7;
export const STUCK_MS = STUCK_DAYS * DAY_MS;
/** Prints with an unknown filament use are reported for this long after their end. */
export const UNKNOWN_DAYS = 7;
export const UNKNOWN_MS = UNKNOWN_DAYS * DAY_MS;
/** An answer with this many alerts has 10 MB. */
export const MAX_ALERTS = 20_000;
/** A camera has this long after the start of a print to start recording. */
export const FILM_AFTER_MS = MINUTE_MS;
/** A statement looks for recordings in at most this many days, and in this many records of all cameras together. That takes about 0.2 s. */
export const FILM_DAYS = 7;
export const FILM_RECORDS = 100_000;
/** The end of a battery is predicted by a line through its records of this time, if there are enough records and the level has fallen enough. */
export const BATTERY_LINE_MIN = 30;
export const BATTERY_LINE_MS = BATTERY_LINE_MIN * MINUTE_MS;
export const BATTERY_RECORDS = 4;
export const BATTERY_FALL_PCT = 2;
/** There is no alert if a recording ends at most this long before its print, or at most this share of the remaining print time before. */
export const EARLY_MIN = 5;
export const EARLY_SEC = EARLY_MIN * 60;
export const EARLY_SHARE = 0.1;
