// The limits of print jobs: those of §8 of their document, and further limits of the gateway.

/** §4: "Default values of PageNumber and PageSize: not shown". Also the default of `first` in GraphQL. */
export const PAGE_OF_JOBS = 20;
/** §8: "PageSize … clamped to 1..100". A page of GraphQL may have MAX_PAGE_ROWS. */
export const MAX_PAGE_SIZE = 100;

/** The longest print name, and the longest text of a search. */
export const MAX_PRINT_NAME_LENGTH = 1000;
export const MAX_PATH_LENGTH = 4096;
export const MAX_NOTES_LENGTH = 10_000;
/** The total of a search is counted up to this number, because counting takes longer the more jobs there are. */
export const MAX_COUNTED_JOBS = 10_000;
/**
 * A search may read all jobs. With 300,000 jobs it takes 0.4 s in the built-in database, and 330 searches in one operation blocked the
 * database for 135 s.
 */
export const SEARCH_PRICE = 100_000;
/** An offset costs as much as the rows that it skips, because these rows are read. */
export const MAX_OFFSET_PRICE = 100_000;
/** The most parts of one job. The constraint print_job_parts_number enforces the same number; a test compares both. */
export const MAX_PARTS = 64;

/** The ranges of members in the terms of JSON Schema, for the OpenAPI document. */
export const PRINT_JOB_RANGES = {
  printName: { maxLength: MAX_PRINT_NAME_LENGTH },
  gcodeFilePath: { maxLength: MAX_PATH_LENGTH },
  notes: { maxLength: MAX_NOTES_LENGTH },
};
