// The limits of the filming of jobs.

/** The price of a job, whatever its records: a print of a night has some 1,000 of them. */
export const PRICE_OF_FILMING = 200;
/** Status records that one request reads, of all its jobs: up to 0.8 s, and 2.5 s of the built-in database. */
export const MAX_FILM_RECORDS = 250_000;
/** Of them, those of one statement: the built-in database answers nothing else for 0.4 s. */
export const RECORDS_OF_STATEMENT = 40_000;
export const MAX_FILM_GAPS = 100;
export const MAX_WATCHES = 1000;
/** A camera is seldom moved. */
export const PRICED_WATCHES = 10;
