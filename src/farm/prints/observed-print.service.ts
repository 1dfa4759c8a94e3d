// Reads observed prints for the graph, and calculates their spools, their reasons to wait, and what they have used so far.
import Decimal from 'decimal.js';
import { parseGuid } from '../../values/guid';
import type { Page, PageRange } from '../../values/page';
import type { RequestTime } from '../../values/request-time';
import { calculateUsedFilament } from '../print-rules/amounts';
import { areSlotsKnown, pickSpools } from '../print-rules/job-choice';
import { findNeededSlots } from '../print-rules/needed-slots';
import { calculateJobAmounts } from './job-amounts.service';
import { checkPrintFilter } from './observed-print.filter';
import type { ObservedPrintFilter } from './observed-print.inputs';
import type { ObservedPrintRow } from './observed-print.rows';
import {
  explainWait,
  findLeastCertainBasis,
  findWait,
  type LoadedSpools,
  listSlotsToChoose,
  OUTCOME_REASON,
} from './observed-print.status';
import type { FilamentBasis } from './observed-print.types';
import { cancelNow, findFirstSpools, readNewestPrint, selectUnarchived } from './print-amounts.service';
import { hasOnlyOtherSpool, isUnchangedSinceWritten, type WrittenJob } from './print-booking.service';
import type { PrintListStore } from './print-lists.store';
import type { Prints } from './prints.transaction';

export class ObservedPrintService {
  /**
   * @param loadedIn reads the spools in a printer by its id
   * @param parts knows whether a user entered the parts of a job
   */
  constructor(
    private readonly store: PrintListStore,
    private readonly loadedIn: (printerId: string) => Promise<LoadedSpools | null>,
    private readonly parts: Parameters<typeof isUnchangedSinceWritten>[0]['parts'],
    private readonly loads: Pick<Prints, 'loadsBetween' | 'spool'>,
  ) {}

  async byId(id: string): Promise<ObservedPrintRow | null> {
    return this.store.byId.load(parseGuid(id, 'id'));
  }

  async page(filter: ObservedPrintFilter, range: PageRange): Promise<Page<ObservedPrintRow>> {
    return this.store.page(checkPrintFilter(filter), range);
  }

  async pageOf(
    printerId: string,
    filter: ObservedPrintFilter,
    range: PageRange,
    { deadline }: RequestTime,
  ): Promise<Page<ObservedPrintRow>> {
    return this.store.pageOf(printerId, { filter: checkPrintFilter(filter), range }, deadline);
  }

  /** Why the print waits, as a sentence. `null` if it waits for nothing. */
  async explainWait(print: ObservedPrintRow): Promise<string | null> {
    const wait = findWait(print);
    if (wait !== 'SPOOL') return wait && OUTCOME_REASON;
    const [present, loaded] = await Promise.all([this.loadedIn(print.printerId), findFirstSpools(this.loads, print)]);
    const isSlotKnown = print.slotsWithoutSpool !== null || areSlotsKnown(print, loaded);
    return explainWait(print, present ?? NOTHING_LOADED, await this.findKnownSpools(print), isSlotKnown);
  }

  async slotsToChoose(print: ObservedPrintRow): Promise<readonly string[]> {
    return findWait(print) === 'SPOOL' ? listSlotsToChoose(print, await this.findKnownSpools(print)) : [];
  }

  /** The filament of the print by slot, with the spool of each slot. */
  filamentOf(print: ObservedPrintRow): SlotFilament[] | Promise<SlotFilament[]> {
    if (print.jobId !== null || findWait(print) !== 'SPOOL') return addSpools(print, print.spools ?? {});
    return this.findKnownSpools(print).then((spools) => addSpools(print, spools));
  }

  /** By slot, the spools that are already known. The job gets them when a user enters the missing spools. */
  private async findKnownSpools(print: ObservedPrintRow): Promise<Record<string, string>> {
    if (print.spools !== null) return print.spools;
    const loaded = await findFirstSpools(this.loads, print);
    return areSlotsKnown(print, loaded) ? selectUnarchived(this.loads, pickSpools(findNeededSlots(print), loaded)) : {};
  }

  /** How the amounts of a job are known. MANUAL if a user changed more of the job than its texts and its spool. */
  async basisOf(job: WrittenJob): Promise<FilamentBasis> {
    const print = await this.store.byJob.load(job.id);
    const isWritten =
      print !== null &&
      (hasOnlyOtherSpool(job, print) || (await isUnchangedSinceWritten({ parts: this.parts }, job, print)));
    return isWritten ? findLeastCertainBasis(print) : 'MANUAL';
  }
}

/** For a printer that was removed meanwhile. */
const NOTHING_LOADED: LoadedSpools = { isArchived: false, spools: {} };

const addSpools = (print: ObservedPrintRow, spools: Record<string, string>): SlotFilament[] =>
  calculateUsedFilament(print).map((amount) => ({
    ...amount,
    spoolId: amount.spoolId ?? spools[amount.slot] ?? null,
  }));

export type SlotFilament = Omit<ReturnType<typeof calculateUsedFilament>[number], 'spoolId'> & {
  spoolId: string | null;
};

/**
 * The grams that a running print has used of a spool. UNKNOWN if neither the machine nor a plan has them, or if a user entered the amounts
 * that the job will have at its end.
 */
export type UsedSoFar = { grams: string } | 'UNKNOWN';

/** What the job of a print would have of the spool if the print were cancelled now. */
export async function calculateUsedSoFar(
  prints: Prints,
  printId: string,
  spoolId: string,
  { now }: RequestTime,
): Promise<UsedSoFar> {
  const print = await readNewestPrint(prints, printId);
  const job = print?.jobId == null ? null : await prints.jobs.byId(print.jobId);
  if (print === null || job === null) return 'UNKNOWN';
  const isOfJob = (await prints.parts.spoolIdsOf(job)).includes(spoolId);
  if (!(await isUnchangedSinceWritten(prints, job, print))) return isOfJob ? 'UNKNOWN' : { grams: '0' };
  const { parts, isKnown, totals } = await calculateJobAmounts(prints, await cancelNow(prints, print, now), job);
  if (parts === null && !isOfJob) return { grams: '0' };
  if (parts === null) return isKnown ? { grams: totals.gramsDerived } : 'UNKNOWN';
  const partsOfSpool = parts.filter((part) => part.spoolId === spoolId);
  if (partsOfSpool.some(({ filamentBasis }) => filamentBasis === 'UNKNOWN')) return 'UNKNOWN';
  return { grams: Decimal.sum(0, ...partsOfSpool.map((part) => part.gramsDerived)).toFixed() };
}
