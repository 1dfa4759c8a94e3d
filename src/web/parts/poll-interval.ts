// How often a page asks again for what the gateway sends no change of, such as that a camera or a printer grows silent.

export const POLLING = { pollInterval: 10_000, skipPollAttempt: () => document.hidden };
