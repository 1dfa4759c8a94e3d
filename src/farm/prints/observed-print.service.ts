// The lists of observed prints, and what is computed from a print.

import type { RequestTime } from '../../values/deadline';
import { parseGuid } from '../../values/guid';
import type { Page, PageRange } from '../../values/page';
import { checkedFilter } from './observed-print.filter';
import type { ObservedPrintFilter } from './observed-print.inputs';
import type { ObservedPrintRow, SightingRow } from './observed-print.rows';
import { basisOf, reasonOf, type Standing, usedFilamentOf, waitOf } from './observed-print.status';
import type { ObservedPrintStore } from './observed-print.store';
import type { FilamentBasis, PrintWait } from './observed-print.types';
import { isOurs, type Written } from './print-booking.service';

export class ObservedPrintService {
  /** @param standingOf what keeps prints of a printer from their jobs, by its id @param parts those that a person said */
  constructor(
    private readonly store: ObservedPrintStore,
    private readonly standingOf: (printerId: string) => Promise<Standing | null>,
    private readonly parts: Parameters<typeof isOurs>[0]['parts'],
  ) {}

  async byId(id: string): Promise<ObservedPrintRow | null> {
    return this.store.byId.load(parseGuid(id, 'id'));
  }

  ofJob(id: string): Promise<ObservedPrintRow | null> {
    return this.store.byJob.load(id);
  }

  countByOutcome(): Promise<Record<string, number>> {
    return this.store.countByOutcome();
  }

  async page(filter: ObservedPrintFilter, range: PageRange): Promise<Page<ObservedPrintRow>> {
    return this.store.page(checkedFilter(filter), range);
  }

  async pageOf(
    printerId: string,
    filter: ObservedPrintFilter,
    range: PageRange,
    { deadline }: RequestTime,
  ): Promise<Page<ObservedPrintRow>> {
    return this.store.pageOf(printerId, { filter: checkedFilter(filter), range }, deadline);
  }

  sightings(print: ObservedPrintRow, range: PageRange, { deadline }: RequestTime): Promise<Page<SightingRow>> {
    return this.store.sightings(print.id, range, deadline);
  }

  waitOf(print: ObservedPrintRow): PrintWait | null {
    return waitOf(print);
  }

  /** As a sentence; null where the wait itself says all. */
  async reasonOf(print: ObservedPrintRow): Promise<string | null> {
    if (waitOf(print) !== 'SPOOL') return null;
    const standing = await this.standingOf(print.printerId);
    return standing && reasonOf(print, standing);
  }

  /** By slot, with the spool of each slot. */
  filamentOf(print: ObservedPrintRow): SlotFilament[] {
    return usedFilamentOf(print).map((one) => ({ ...one, spoolId: one.spoolId ?? print.spools?.[one.slot] ?? null }));
  }

  /** Whoever changes more of a job than its words wins. */
  async basisOf(job: Written): Promise<FilamentBasis> {
    const print = await this.ofJob(job.id);
    return print !== null && (await isOurs({ parts: this.parts }, job, print)) ? basisOf(print) : 'MANUAL';
  }
}

export type SlotFilament = Omit<ReturnType<typeof usedFilamentOf>[number], 'spoolId'> & { spoolId: string | null };
