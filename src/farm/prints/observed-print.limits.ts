// The gateway's own limits of observed prints.

export const PAGE_OF_PRINTS = 20;
export const PAGE_OF_SIGHTINGS = 100;
/** The count of a list ends here, because it grows with the number of prints. */
export const MAX_COUNTED = 10_000;
/** A filter that few prints match reads many of them. */
export const WALK_PRICE = 10_000;
/** Of one print, for the cost of its filament: four AMS of four slots. */
export const MAX_SLOTS = 16;

/** The latest prints of one file get amounts which their machine told late, all in one transaction. */
export const MAX_AMENDED = 5;
/** Of one print. */
export const MAX_SIGHTINGS = 1000;
/** Of the latest prints that are over, so many are compared with what a machine shows. */
export const MAX_ENDED = 20;
/** A record takes in the records of so many begins; a machine that begins more often is not believed. */
export const MAX_STARTS = 4;
/** New prints of a device in an hour: no machine makes one a minute. */
export const MAX_NEW_PRINTS = 60;
