// Calculates what is left on spools now: the remaining grams, less what running prints have used so far. A weighing uses the same figure.
import Decimal from 'decimal.js';
import type { Queryable } from '../../database/queryable';
import { trimZeros } from '../../values/decimal';
import type { RequestTime } from '../../values/request-time';
import { PrintPlanStore } from '../print-plans/print-plan.store';
import { StockStore } from '../stock/stock.store';
import { LeftOnSpoolsStore } from './left-on-spools.store';
import { calculateUsedSoFar } from './observed-print.service';
import { createPrintStores, type Prints } from './prints.transaction';

const Exact = Decimal.clone({ precision: 160 });

export class LeftOnSpools {
  private readonly stock: StockStore;
  private readonly store: LeftOnSpoolsStore;

  constructor(private readonly database: Queryable) {
    this.stock = new StockStore(database);
    this.store = new LeftOnSpoolsStore(database);
  }

  /**
   * The grams that are on spools now, by the ids of the spools; below 0 if more was used than the spool should have held. A spool that does
   * not exist is left out. The number of statements does not depend on the number of spools and of running prints.
   */
  async left(spoolIds: readonly string[], time: RequestTime): Promise<Map<string, string>> {
    const ids = [...new Set(spoolIds)];
    const [grams, jobs] = await Promise.all([
      Promise.all(ids.map((id) => this.stock.gramsOfSpool.load(id))),
      this.store.jobsOnSpools(ids),
    ]);
    const prints = this.createBatchedPrints();
    const usedBySpool = new Map<string, Promise<string | null>[]>();
    for (const { spoolId, printId } of jobs) {
      const used = printId === null ? Promise.resolve(null) : readUsed(prints, printId, spoolId, time);
      usedBySpool.set(spoolId, [...(usedBySpool.get(spoolId) ?? []), used]);
    }
    const left = new Map<string, string>();
    for (const row of grams) {
      if (row === null) continue;
      const used = await Promise.all(usedBySpool.get(row.id) ?? []);
      left.set(row.id, subtractUsed(row, used));
    }
    return left;
  }

  /** Reads the prints of all spools together. */
  private createBatchedPrints(): Prints {
    const prints = createPrintStores(this.database);
    const plans = new PrintPlanStore(this.database);
    const store: Pick<Prints['store'], 'byId' | 'newestFigures'> = {
      byId: (id) => this.store.print.load(id),
      newestFigures: ({ id }) => this.store.figures.load(id),
    };
    return { ...prints, store: store as Prints['store'], newestPlan: (keys) => plans.newestPlanOf.load(keys) };
  }
}

async function readUsed(prints: Prints, printId: string, spoolId: string, time: RequestTime): Promise<string | null> {
  const used = await calculateUsedSoFar(prints, printId, spoolId, time);
  return used === 'UNKNOWN' ? null : used.grams;
}

/** The latest weighing already subtracted what the prints had used by then. Nothing is subtracted if what a print has used is unknown. */
function subtractUsed(
  { remainingGrams, printingGrams }: { remainingGrams: string; printingGrams: string },
  used: readonly (string | null)[],
): string {
  let sinceWeighing = new Exact(printingGrams).neg();
  for (const grams of used) {
    if (grams === null) return remainingGrams;
    sinceWeighing = sinceWeighing.plus(grams);
  }
  return trimZeros(new Exact(remainingGrams).minus(Exact.max(sinceWeighing, 0)).toFixed());
}
