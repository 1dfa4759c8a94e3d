// Corrects the weighings that were made while a print was running and had no job yet: what the print had used by then counts before them.
import Decimal from 'decimal.js';
import type { RequestTime } from '../../values/request-time';
import type { JobRow } from '../print-jobs/print-job.rows';
import { startOfPrint } from '../print-rules/loaded-spools';
import { calculateUsedUntil } from './job-amounts.service';
import type { StoredPrint } from './observed-print.rows';
import { cancelNow, endInstantOf, readNewestPrint } from './print-amounts.service';
import type { Prints } from './prints.transaction';

/**
 * Notes the job of a print in the earlier weighings of its spools, after the print got the job or further spools. A weighing stays as it is if nothing shows how much the print had used.
 * The job holds locks on its spools, so no weighing is written meanwhile that does not know the job.
 * @param print with its job and its spools
 */
export async function noteJobInWeighings(
  prints: Prints,
  print: StoredPrint,
  job: JobRow,
  { now }: RequestTime,
): Promise<void> {
  const spoolIds = await prints.parts.spoolIdsOf(job);
  const until = endInstantOf(print) ?? now;
  const weighings = await prints.weighings.weighingsWithoutJob(job.id, spoolIds, startOfPrint(print), until);
  if (weighings.length === 0) return;
  const newest = print.outcome === 'RUNNING' ? await readNewestPrint(prints, print.id) : print;
  const { spools } = print;
  const ended = newest?.outcome === 'RUNNING' ? await cancelNow(prints, { ...newest, spools }, now) : newest;
  if (ended === null) return;
  for (const { id, spoolId, at, netGrams } of weighings) {
    // A job gets nothing more from a spool that was empty, so all of its grams count before.
    if (new Decimal(netGrams).isZero()) await prints.weighings.noteJob(id, job.id, null, now);
    else {
      const used = await calculateUsedUntil(prints, { ...ended, spools }, spoolId, at);
      if (used !== null) await prints.weighings.noteJob(id, job.id, used, now);
    }
  }
}
