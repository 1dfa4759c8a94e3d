// How much the rules believe of a machine.

/** Prints that histories tell in an hour: as many as a machine is asked for that was away for long. */
export const MAX_RECORDS = 1000;

/** Of a job: as many as a person may say (print-job.limits.ts). */
export const MAX_PARTS = 64;
