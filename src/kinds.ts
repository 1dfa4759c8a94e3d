// What a kind of machine is, for every room: one row each.

/** A machine of which nothing was heard for so many seconds is not heard of any more. */
export const SILENT_AFTER_SEC = 30;
/** A P1P of Bambu says nothing for 128 s while a print begins. */
export const SILENT_AFTER_SEC_OF: Readonly<Record<string, number>> = { BAMBU: 180 };
