// The limits beyond which there is an alert.
import { DAY_MS } from '../values/instant';

/** Percent, and below. */
export const LOW_BATTERY_PCT = 15;
/** Below so many seconds of video. */
export const LOW_STORAGE_SEC = 600;
export const STUCK_DAYS = 7;
export const STUCK_MS = STUCK_DAYS * DAY_MS;
/** Prints whose filament is not known are told of for so long after their end. */
export const UNKNOWN_DAYS = 7;
export const UNKNOWN_MS = UNKNOWN_DAYS * DAY_MS;
/** The answer has 10 MB then. */
export const MAX_ALERTS = 20_000;
