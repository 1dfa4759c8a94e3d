// The limits of print jobs: from §8 of their document, and the gateway's own.

/** §4: "Default values of PageNumber and PageSize: not shown"; the default of the graph's `first` too. */
export const PAGE_OF_JOBS = 20;
/** §8: "PageSize … clamped to 1..100". A page of the graph may have MAX_PAGE_ROWS. */
export const MAX_PAGE_SIZE = 100;

/** The longest print name, and the longest text of a search. */
export const MAX_PRINT_NAME_LENGTH = 1000;
export const MAX_PATH_LENGTH = 4096;
export const MAX_NOTES_LENGTH = 10_000;
/** The count of a search ends here, because it grows with the number of jobs. */
export const MAX_COUNTED_JOBS = 10_000;
/**
 * A search may read all jobs: among 300,000 it takes 0.4 s in the built-in database, and 330 searches in one operation held
 * it for 135 s.
 */
export const SEARCH_PRICE = 100_000;
/** An offset reads the rows that it skips. */
export const MAX_OFFSET_PRICE = 100_000;
/** Of one job. The number of a part is below it, also by the constraint print_job_parts_number; a test compares them. */
export const MAX_PARTS = 64;

/** The ranges of members, in the words of JSON Schema, for the description of REST. */
export const PRINT_JOB_RANGES = {
  printName: { maxLength: MAX_PRINT_NAME_LENGTH },
  gcodeFilePath: { maxLength: MAX_PATH_LENGTH },
  notes: { maxLength: MAX_NOTES_LENGTH },
};
