// The gateway's own limits of observed prints.

/** The count of a list ends here, because it grows with the number of prints. */
export const MAX_COUNTED = 10_000;
/** A filter that few prints match reads many of them. */
export const WALK_PRICE = 10_000;
/** Of one print, for the cost of its filament: four AMS of four slots. */
export const MAX_SLOTS = 16;
