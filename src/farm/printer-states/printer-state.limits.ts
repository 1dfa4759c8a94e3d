// The gateway's own limits of the states of printers.

/** The longest list of printers whose states are watched. */
export const MAX_WATCHED = 1000;
