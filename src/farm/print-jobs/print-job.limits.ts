// Holds the limits of print jobs that several files or the pages read. print-job.service.ts enforces the lengths of texts.

/** §4: "Default values of PageNumber and PageSize: not shown". Also the default of `first` in GraphQL. */
export const PAGE_OF_JOBS = 20;

/** The longest print name, and the longest text of a search (print-job.filter.ts). */
export const MAX_PRINT_NAME_LENGTH = 1000;
export const MAX_PATH_LENGTH = 4096;
export const MAX_NOTES_LENGTH = 10_000;
/**
 * The total of a search is counted up to this number, because counting takes longer the more jobs there are. print-job.pages.ts enforces it.
 */
export const MAX_COUNTED_JOBS = 10_000;
/**
 * The most parts of one job. parts-of-job.service.ts enforces it for users, and print-rules/division.ts for machines. The constraint
 * print_job_parts_number has the same number; a test compares both.
 */
export const MAX_PARTS = 64;

/** The ranges of members in the terms of JSON Schema, for the OpenAPI document. */
export const PRINT_JOB_RANGES = {
  printName: { maxLength: MAX_PRINT_NAME_LENGTH },
  gcodeFilePath: { maxLength: MAX_PATH_LENGTH },
  notes: { maxLength: MAX_NOTES_LENGTH },
};
