// Holds the limits of alerts that descriptions, messages or pages show too. alert.store.ts and severity.rows.ts enforce most of them.

/**
 * An alert is reported only after it has been active, or resolved, for this long. Otherwise a value at a limit would cause many messages.
 * notifications/events/alert-transitions.ts and silence.store.ts enforce it.
 */
export const STEADY_MS = 60_000;

/** A battery at this percentage or below is low. The pages of cameras show it. */
export const LOW_BATTERY_PCT = 15;
/** A battery at this percentage or below is CRITICAL. */
export const EMPTY_BATTERY_PCT = 5;
/** Storage is low if there is room for fewer seconds of video. */
export const LOW_STORAGE_SEC = 600;
/** Storage for this many seconds of video or fewer is CRITICAL. */
export const EMPTY_STORAGE_SEC = 120;
/** A job that has been printing this long without an update is stuck. */
export const STUCK_DAYS = 7;
/** Prints with an unknown filament use are reported for this long after their end. */
export const UNKNOWN_DAYS = 7;

/**
 * A statement reads the log of at most this many days, and this many records of all cameras together, which takes about 0.2 s. alert.store.ts
 * enforces it for offline cameras, and recording-alerts.rows.ts for recordings.
 */
export const FILM_DAYS = 7;
export const FILM_RECORDS = 100_000;
