// How often a page refetches data for which the gateway sends no changes, for example that a camera or a printer has become silent.

export const POLLING = { pollInterval: 10_000, skipPollAttempt: () => document.hidden };
