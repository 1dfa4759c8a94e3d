// The limits of reports.

/** The most rows of one report, which are some megabytes: 27 years by day, or a year by day of 27 printers. */
export const MAX_USAGE_ROWS = 10_000;
/** A report by time reads some hundred sums. Any other one may read all jobs: among 1,000,000 it takes half a second. */
export const REPORT_PRICE = 50_000;
/** Today and the six days before, in UTC. */
export const DAYS_OF_METRICS = 7;
