// Declares what a weighing needs to know about running prints: how much of a spool a print has used so far. src/farm/prints implements it.
import type { RequestTime } from '../../values/request-time';

/** `UNKNOWN` if neither the machine nor a slicer's plan has the amounts, or if a user already entered the amounts of the whole job. */
export type UsedSoFar = { grams: string } | 'UNKNOWN';

export interface RunningPrintUsage {
  /** The grams that the job of a print would have of a spool if the print were cancelled now. */
  usedSoFar(printId: string, spoolId: string, time: RequestTime): Promise<UsedSoFar>;
}
