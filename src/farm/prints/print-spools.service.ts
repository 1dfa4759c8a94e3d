// What was in the slots of a printer while a print ran.

import type { Instant } from '../../values/instant';
import { firstSpoolsOf, type SlotSpan } from '../print-rules/loaded-spools';
import type { StoredPrint } from './observed-print.rows';
import type { Prints } from './prints.service';

type Fed = Pick<
  StoredPrint,
  'printerId' | 'startedAt' | 'createdAt' | 'outcome' | 'endedAt' | 'seenAt' | 'course' | 'plan' | 'machine'
>;

/**
 * Null while it runs. A print may have ended while no gateway listened: a job that was queued, or a spool that was loaded, after its
 * end is for the next print.
 */
export const endOf = ({ outcome, endedAt, seenAt }: Pick<Fed, 'outcome' | 'endedAt' | 'seenAt'>): Instant | null =>
  outcome === 'RUNNING' ? null : (endedAt ?? seenAt);

export const spansOf = (prints: Pick<Prints, 'spans'>, print: Fed): Promise<SlotSpan[]> =>
  prints.spans(print.printerId, print.startedAt ?? print.createdAt, endOf(print));

/** The spools by slot with which the slots began to feed. A spool that is put in later is none of the past. */
export async function firstSpools(prints: Pick<Prints, 'spans'>, print: Fed): Promise<Map<string, string>> {
  return firstSpoolsOf({ ...print, endedAt: endOf(print) }, await spansOf(prints, print));
}
