// Holds the limits and defaults of channels that the dashboard shows too; target.service.ts and delivery.store.ts enforce them. The browser
// cannot load those files.

/** How long the replaced secret of a webhook also signs, so that a user can change the receiver meanwhile. target.service.ts enforces this. */
export const FORMER_SECRET_HOURS = 24;
/** How long notifications are kept. A notification with a waiting delivery is kept longer. delivery.store.ts enforces this. */
export const KEPT_DAYS = 30;

/** The events that a new channel gets by default. PRINT_BEGAN is not among them: a busy farm would send too many messages. */
export const FIRST_EVENTS = ['PRINT_ENDED', 'PRINT_WAITS', 'ALERT_RAISED', 'ALERT_CLEARED'] as const;
/** The least severity of the alerts that a new channel gets by default. */
export const FIRST_SEVERITY = 'WARNING';
