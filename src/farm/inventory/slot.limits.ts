// The gateway's own limits of slots.

/** A printer without a device has it, and it is meant where no slot is named. */
export const FIRST_SLOT = 'tool:0';
/** Of one printer. slots.sql has the number for all other programs; a test compares them. */
export const MAX_SLOTS_OF_PRINTER = 64;
export const PAGE_OF_LOADS = 20;
