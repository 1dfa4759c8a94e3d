// Corrects the weighings that were made while a print was running and that note nothing of its job: what the print had used by then counts
// before them.
import Decimal from 'decimal.js';
import { findLatest } from '../../values/instant';
import type { RequestTime } from '../../values/request-time';
import type { JobRow } from '../print-jobs/print-job.rows';
import { startOfPrint } from '../print-rules/loaded-spools';
import type { EarlierWeighing, NotedWeighing } from '../stock/earlier-weighings.store';
import { calculateUsedUntil } from './job-amounts.service';
import type { StoredPrint } from './observed-print.rows';
import { cancelNow, endInstantOf, readNewestPrint } from './print-amounts.service';
import type { Prints } from './prints.transaction';

/**
 * Notes the job of a print in the earlier weighings of its spools, after the print got the job or further spools, or after a user entered its
 * end. A weighing stays as it is if nothing shows how much the print had used.
 * @param print with its job and its spools
 */
export async function noteJobInWeighings(
  prints: Prints,
  print: StoredPrint,
  job: JobRow,
  { now }: RequestTime,
): Promise<void> {
  const { weighings: ledger } = prints;
  const spoolIds = await prints.parts.spoolIdsOf(job);
  // Waits for a weighing that does not know the job yet. Later weighings know the job.
  await ledger.holdLedgers(spoolIds);
  const weighings = await ledger.weighingsWithoutJob(job.id, spoolIds, startOfPrint(print), endInstantOf(print));
  if (weighings.length === 0) return;
  const noted = await calculateNoted(prints, print, weighings, findLatest([now, ...weighings.map(({ at }) => at)]));
  if (noted.length > 0) await ledger.noteJob(job.id, noted, now);
}

/** @param now not earlier than any of the weighings, even if they have the time of another gateway whose clock is ahead */
async function calculateNoted(
  prints: Prints,
  print: StoredPrint,
  weighings: readonly EarlierWeighing[],
  now: string,
): Promise<NotedWeighing[]> {
  const newest = print.outcome === 'RUNNING' ? await readNewestPrint(prints, print.id) : print;
  const { spools } = print;
  const ended = newest?.outcome === 'RUNNING' ? await cancelNow(prints, { ...newest, spools }, now) : newest;
  if (ended === null) return [];
  const noted: NotedWeighing[] = [];
  for (const { id, spoolId, at, netGrams, isNoted } of weighings) {
    // A job gets nothing more from a spool that was empty, so all of its grams count before.
    const isEmpty = new Decimal(netGrams).isZero();
    const grams = isEmpty ? null : await calculateUsedUntil(prints, { ...ended, spools }, spoolId, at);
    if (isEmpty || (grams !== null && !(isNoted && new Decimal(grams).isZero()))) noted.push({ id, grams });
  }
  return noted;
}
