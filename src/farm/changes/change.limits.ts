// The limits of the feed.
export const CHANGES_PER_PAGE = 100;
export const MAX_CHANGES_PER_PAGE = 1000;
/** The longest list of a filter. */
export const MAX_FILTER_ITEMS = 1000;

/** A page is looked for among so many changes. With a filter that few changes match it may be empty: `hasNextPage` says so. */
export const MAX_CHANGES_EXAMINED = 20_000;
