// The limits of notification targets and of their deliveries.
import { FAILED_AFTER_HOURS } from '../farm/alerts/alert.limits';
import { HOUR_MS } from '../values/instant';

/** Of a farm. `notificationTargets` answers all of them at once. */
export const MAX_TARGETS = 100;
/** Chosen for one target. */
export const MAX_TARGET_PRINTERS = 250;
export const MAX_TARGET_NAME = 100;
export const MAX_TARGET_URL = 2000;
export const PAGE_OF_DELIVERIES = 20;
/** Tests that one process does at a time. Each takes a socket for as long as its request may take. */
export const MAX_TARGET_TESTS = 10;

/** What a new target gets unless something else is said: not every begin of a print. */
export const FIRST_EVENTS = ['PRINT_ENDED', 'PRINT_WAITS', 'ALERT_RAISED', 'ALERT_CLEARED'] as const;
export const FIRST_SEVERITY = 'WARNING';

/** The bytes of a webhook's own secret, as Standard Webhooks 1.0 has them, and of one that is made. */
export const MIN_SECRET_BYTES = 24;
export const MAX_SECRET_BYTES = 64;
export const SECRET_BYTES = 32;
/** So long the secret before signs beside a new one. */
export const FORMER_SECRET_HOURS = 24;
export const FORMER_SECRET_MS = FORMER_SECRET_HOURS * HOUR_MS;

/** A delivery that waits for longer is given up. Its target may have failed by then, and the alert of that says the same time. */
export const GIVEN_UP_HOURS = FAILED_AFTER_HOURS;
export const KEPT_DAYS = 30;
/** A receiver may ask for a pause for so long. */
export const MAX_PAUSE_SEC = 3600;
