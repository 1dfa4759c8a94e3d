// What a print that runs has used of a spool by now.
import Decimal from 'decimal.js';
import type { RequestTime } from '../../values/deadline';
import { amountsFor, endingWith, planned } from './print-amounts.service';
import { isOurs } from './print-booking.service';
import type { Prints } from './prints.context';

/** Grams; ALL that its job has; or UNKNOWN: nobody knows. */
export type UsedSoFar = { grams: string } | 'ALL' | 'UNKNOWN';

/** What its job would have of the spool if it were cancelled now. Amounts that a person said would stay. */
export async function usedSoFar(
  prints: Prints,
  printId: string,
  spoolId: string,
  { now }: RequestTime,
): Promise<UsedSoFar> {
  const print = await prints.rows.byId(printId);
  const job = print?.jobId == null ? null : await prints.jobs.byId(print.jobId);
  if (print === null || job === null) return 'UNKNOWN';
  if (!(await isOurs(prints, job, print))) return 'ALL';
  const plan = await planned(prints, print, print);
  const cancelled = { outcome: 'CANCELLED', at: now, estimated: false, reason: null, filament: [] } as const;
  const { filament } = await endingWith(prints, plan, print, { ...cancelled, filament: [] });
  const ended = { ...print, ...plan.print, outcome: 'CANCELLED', endedAt: now, filament } as const;
  const { parts, isKnown, gramsDerived } = await amountsFor(prints, ended, job);
  if (parts === null) return isKnown ? { grams: gramsDerived } : 'UNKNOWN';
  const own = parts.filter((one) => one.spoolId === spoolId);
  if (own.some(({ filamentBasis }) => filamentBasis === 'UNKNOWN')) return 'UNKNOWN';
  return { grams: Decimal.sum(0, ...own.map((one) => one.gramsDerived)).toFixed() };
}
