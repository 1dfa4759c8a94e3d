// The limits of notification targets, and what a new target gets. The page of a target reads them too.

/** `notificationTargets` answers all targets of a farm at once. */
export const MAX_TARGETS = 100;
/** Chosen for one target. */
export const MAX_TARGET_PRINTERS = 250;
export const MAX_TARGET_NAME = 100;
export const MAX_TARGET_URL = 2000;
/** So long the secret before signs beside a new one. */
export const FORMER_SECRET_HOURS = 24;
/** Notifications are kept for so long after they were noted; one of which a delivery waits, until it no longer does. */
export const KEPT_DAYS = 30;

/** What a new target gets unless something else is said: not every begin of a print. */
export const FIRST_EVENTS = ['PRINT_ENDED', 'PRINT_WAITS', 'ALERT_RAISED', 'ALERT_CLEARED'] as const;
export const FIRST_SEVERITY = 'WARNING';
