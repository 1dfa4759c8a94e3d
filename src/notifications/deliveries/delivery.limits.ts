// Holds the limit of a delivery: how long it may wait.

/** A delivery that waits for longer is given up, and its target has failed if nothing was delivered meanwhile. */
export const GIVEN_UP_AFTER_HOURS = 72;
