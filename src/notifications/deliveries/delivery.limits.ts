// Holds how long a delivery may wait. retries.ts enforces it; it stands here because the messages that retries.ts imports state it too.

/** A delivery that waits longer is given up. Its target has failed if nothing was delivered to it meanwhile. */
export const GIVEN_UP_AFTER_HOURS = 72;
