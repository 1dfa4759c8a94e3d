// What is left of spools and filaments in the graph.
import { FieldResolver, Resolver, Root } from 'type-graphql';
import { withoutZeros } from '../../values/decimal';
import { Requires } from '../graph/rights';
import { DecimalScalar } from '../graph/scalars';
import { Filament } from '../inventory/filament.types';
import { Spool } from '../inventory/inventory.types';
import type { SpoolGrams } from './stock.rows';
import type { StockStore } from './stock.store';
import { FilamentStock } from './stock.types';

@Resolver(() => Spool)
export class SpoolStockResolver {
  constructor(private readonly store: StockStore) {}

  @Requires('read')
  @FieldResolver(() => DecimalScalar, {
    description:
      'Grams of its jobs that are COMPLETED, that FAILED, or were CANCELLED after they had started; and what a weighing found used of ' +
      'a job that is PRINTING (printingGrams).',
  })
  async usedGrams(@Root() spool: Spool): Promise<string> {
    return (await this.gramsOf(spool)).usedGrams;
  }

  @Requires('read')
  @FieldResolver(() => DecimalScalar, {
    description: 'Grams of its jobs that are QUEUED or PRINTING, less what a weighing found used of them.',
  })
  async plannedGrams(@Root() spool: Spool): Promise<string> {
    return (await this.gramsOf(spool)).plannedGrams;
  }

  @Requires('read')
  @FieldResolver(() => DecimalScalar, {
    description:
      'weightTotalGrams less usedGrams plus adjustedGrams, to the digit; below 0 where more was used than the spool was said to hold. ' +
      'The sums of one answer are of one moment.',
  })
  async remainingGrams(@Root() spool: Spool): Promise<string> {
    return (await this.gramsOf(spool)).remainingGrams;
  }

  @Requires('read')
  @FieldResolver(() => DecimalScalar, {
    description:
      'The sum of the grams of its adjustments that are not taken back: what was found on it that no job explains.',
  })
  async adjustedGrams(@Root() spool: Spool): Promise<string> {
    return (await this.gramsOf(spool)).adjustedGrams;
  }

  /** A spool that was removed since it was read had no jobs. */
  async gramsOf({ id, weightTotalGrams }: Spool): Promise<SpoolGrams> {
    const grams = await this.store.gramsOfSpool.load(id);
    return (
      grams ?? {
        id,
        usedGrams: '0',
        plannedGrams: '0',
        adjustedGrams: '0',
        remainingGrams: withoutZeros(weightTotalGrams),
      }
    );
  }
}

/** The stock of a filament that was removed since it was read. */
const NOTHING = { spools: 0, remainingGrams: '0', plannedGrams: '0', freeGrams: '0', isLow: false };

@Resolver(() => Filament)
export class FilamentStockResolver {
  constructor(private readonly store: StockStore) {}

  @FieldResolver(() => FilamentStock, { description: 'Of its spools in use, now.' })
  async stock(@Root() { id }: Filament): Promise<FilamentStock> {
    return (await this.store.stockOfFilament.load(id)) ?? NOTHING;
  }
}
