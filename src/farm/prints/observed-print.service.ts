// The lists of observed prints, and what is computed from a print.
import Decimal from 'decimal.js';
import { parseGuid } from '../../values/guid';
import type { Page, PageRange } from '../../values/page';
import type { RequestTime } from '../../values/request-time';
import { calculateUsedFilament, neededSlots } from '../print-rules/amounts';
import { areSlotsKnown, pickSpools } from '../print-rules/job-choice';
import { withNewerFigures } from '../print-rules/newest-figures';
import { checkPrintFilter } from './observed-print.filter';
import type { ObservedPrintFilter } from './observed-print.inputs';
import type { ObservedPrintRow, StoredPrint } from './observed-print.rows';
import {
  basisOf,
  explainWait,
  findWait,
  type LoadedSpools,
  OUTCOME_REASON,
  slotsToChoose,
} from './observed-print.status';
import type { FilamentBasis } from './observed-print.types';
import {
  addSlicedPlan,
  calculateEnding,
  calculateJobAmounts,
  findFirstSpools,
  selectUnarchived,
} from './print-amounts.service';
import { isUnchangedSinceWritten, type WrittenJob } from './print-booking.service';
import type { PrintListStore } from './print-lists.store';
import type { Prints } from './prints.transaction';

export class ObservedPrintService {
  /** @param standingOf what keeps prints of a printer from their jobs, by its id @param parts those that a person said */
  constructor(
    private readonly store: PrintListStore,
    private readonly standingOf: (printerId: string) => Promise<LoadedSpools | null>,
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

  /** Why it waits, as a sentence; null where it waits for nothing. */
  async explainWait(print: ObservedPrintRow): Promise<string | null> {
    const wait = findWait(print);
    if (wait !== 'SPOOL') return wait && OUTCOME_REASON;
    const [standing, loaded] = await Promise.all([
      this.standingOf(print.printerId),
      findFirstSpools(this.loads, print),
    ]);
    const isSlotKnown = print.lacking !== null || areSlotsKnown(print, loaded);
    return explainWait(print, standing ?? NOTHING_LOADED, await this.knownSpools(print), isSlotKnown);
  }

  async slotsToChoose(print: ObservedPrintRow): Promise<readonly string[]> {
    return findWait(print) === 'SPOOL' ? slotsToChoose(print, await this.knownSpools(print)) : [];
  }

  /** By slot, with the spool of each slot. */
  filamentOf(print: ObservedPrintRow): SlotFilament[] | Promise<SlotFilament[]> {
    if (print.jobId !== null || findWait(print) !== 'SPOOL') return addSpools(print, print.spools ?? {});
    return this.knownSpools(print).then((spools) => addSpools(print, spools));
  }

  /** The spools that are known already: the job of a waiting print gets them when a person says the other ones. */
  private async knownSpools(print: ObservedPrintRow): Promise<Record<string, string>> {
    if (print.spools !== null) return print.spools;
    const loaded = await findFirstSpools(this.loads, print);
    return areSlotsKnown(print, loaded) ? selectUnarchived(this.loads, pickSpools(neededSlots(print), loaded)) : {};
  }

  /** MANUAL where a person changed more of the job than its texts. */
  async basisOf(job: WrittenJob): Promise<FilamentBasis> {
    const print = await this.store.byJob.load(job.id);
    return print !== null && (await isUnchangedSinceWritten({ parts: this.parts }, job, print))
      ? basisOf(print)
      : 'MANUAL';
  }
}

/** Of a printer that was removed since. */
const NOTHING_LOADED: LoadedSpools = { isArchived: false, spools: {} };

const addSpools = (print: ObservedPrintRow, spools: Record<string, string>): SlotFilament[] =>
  calculateUsedFilament(print).map((one) => ({ ...one, spoolId: one.spoolId ?? spools[one.slot] ?? null }));

export type SlotFilament = Omit<ReturnType<typeof calculateUsedFilament>[number], 'spoolId'> & {
  spoolId: string | null;
};

/** The grams that a print has used. UNKNOWN: neither the machine nor a plan says them, or a person said what the job will have in the end. */
export type UsedSoFar = { grams: string } | 'UNKNOWN';

/** What its job would have of the spool if it were cancelled now. */
export async function calculateUsedSoFar(
  prints: Prints,
  printId: string,
  spoolId: string,
  { now }: RequestTime,
): Promise<UsedSoFar> {
  const print = await readNewestPrint(prints, printId);
  const job = print?.jobId == null ? null : await prints.jobs.byId(print.jobId);
  if (print === null || job === null) return 'UNKNOWN';
  if (!(await isUnchangedSinceWritten(prints, job, print))) return 'UNKNOWN';
  const planned = await addSlicedPlan(prints, print, print);
  const cancelled = { outcome: 'CANCELLED', at: now, estimated: false, reason: null } as const;
  const { filament } = await calculateEnding(prints, planned, print, cancelled);
  const ended = { ...print, ...planned.print, outcome: 'CANCELLED', endedAt: now, filament } as const;
  const { parts, isKnown, totals } = await calculateJobAmounts(prints, ended, job);
  if (parts === null) return isKnown ? { grams: totals.gramsDerived } : 'UNKNOWN';
  const own = parts.filter((one) => one.spoolId === spoolId);
  if (own.some(({ filamentBasis }) => filamentBasis === 'UNKNOWN')) return 'UNKNOWN';
  return { grams: Decimal.sum(0, ...own.map((one) => one.gramsDerived)).toFixed() };
}

/** A running print with what its machine reported since the row was saved. */
async function readNewestPrint({ store }: Pick<Prints, 'store'>, id: string): Promise<StoredPrint | null> {
  const print = await store.byId(id);
  return print?.outcome === 'RUNNING' ? withNewerFigures(print, await store.newestFigures(print)) : print;
}
