// What the process that reports writes at once, so that it holds nobody up: a transaction takes 0.3 s at most.

export const MAX_EVENTS = 200;
export const MAX_DELIVERIES = 5000;

/** Transactions of one look: what waits for its delivery does not wait for all of what a program wrote at once. */
export const MAX_TRANSACTIONS = 20;
