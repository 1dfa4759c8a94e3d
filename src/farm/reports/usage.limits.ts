// The limits of reports.

/** The most rows of one report, which are some megabytes: 27 years by day, or a year by day of 27 printers. */
export const MAX_USAGE_ROWS = 10_000;
/** A report may read all jobs: among 1,000,000 on a server it takes a second. */
export const REPORT_PRICE = 50_000;
/**
 * The built-in database holds the process while a statement runs. The price of a report is the number of the jobs in its time,
 * times the square of its groups: of 100,000 jobs on one core, by day took 0.2 s, by day and printer 0.8 s, by day, printer,
 * spool and material 1.6 s. This price is half a second.
 */
export const MAX_EMBEDDED_REPORT_PRICE = 250_000;
/** Today and the six days before, in UTC. */
export const DAYS_OF_METRICS = 7;
