// Holds the figures and defaults of notification targets that the dashboard shows too. A browser cannot load the files that enforce them.

/** How long the replaced secret of a webhook also signs, so that the receiver can be changed meanwhile. target.service.ts enforces it. */
export const FORMER_SECRET_HOURS = 24;
/** How long notifications are kept, or until no delivery of the notification waits. delivery.store.ts enforces it. */
export const KEPT_DAYS = 30;

/** The events that a new target gets by default. PRINT_BEGAN is not among them: a busy farm would send too many messages. */
export const FIRST_EVENTS = ['PRINT_ENDED', 'PRINT_WAITS', 'ALERT_RAISED', 'ALERT_CLEARED'] as const;
/** The default of the least severity of alerts that a new target gets. */
export const FIRST_SEVERITY = 'WARNING';
