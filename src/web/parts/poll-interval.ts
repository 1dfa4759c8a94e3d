// How a page learns what the gateway cannot tell as a change, such as that a camera or a printer grows silent: it asks again.

export const ASKING = { pollInterval: 10_000, skipPollAttempt: () => document.hidden };
