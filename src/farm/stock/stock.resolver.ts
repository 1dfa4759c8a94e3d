// The grams of spools and the stock of filaments in the GraphQL schema.
import { FieldResolver, Resolver, Root } from 'type-graphql';
import { roundGrams, trimZeros } from '../../values/decimal';
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
      'Grams that were used: by jobs that are COMPLETED or FAILED, by jobs that were CANCELLED after they had started, and by a job that is ' +
      'PRINTING before the latest weighing (printingGrams). Also what other programs reported as used (reportedGrams).',
  })
  async usedGrams(@Root() spool: Spool): Promise<string> {
    return (await this.gramsOf(spool)).usedGrams;
  }

  @Requires('read')
  @FieldResolver(() => DecimalScalar, {
    description:
      "The part of usedGrams that other programs reported through Spoolman's API and that no print of the farm explains. usedGrams has the " +
      'exact sum; this is the sum rounded half to even to 2 decimals.',
  })
  async reportedGrams(@Root() spool: Spool): Promise<string> {
    return roundGrams((await this.gramsOf(spool)).reportedGrams);
  }

  @Requires('read')
  @FieldResolver(() => DecimalScalar, {
    description:
      'Grams that jobs which are QUEUED or PRINTING will still use: their grams, less what they had used at the latest weighing.',
  })
  async plannedGrams(@Root() spool: Spool): Promise<string> {
    return (await this.gramsOf(spool)).plannedGrams;
  }

  @Requires('read')
  @FieldResolver(() => DecimalScalar, {
    description:
      'Grams left: exactly weightTotalGrams less usedGrams plus adjustedGrams. Below 0 if jobs used more than the spool should have held. ' +
      'All sums of one answer are read at the same moment.',
  })
  async remainingGrams(@Root() spool: Spool): Promise<string> {
    return (await this.gramsOf(spool)).remainingGrams;
  }

  @Requires('read')
  @FieldResolver(() => DecimalScalar, {
    description:
      'The sum of the grams of all adjustments that were not undone: what weighings and corrections found that no job explains.',
  })
  async adjustedGrams(@Root() spool: Spool): Promise<string> {
    return (await this.gramsOf(spool)).adjustedGrams;
  }

  /** A spool that was removed after it was read has no sums. It had no jobs, so all of its filament is left. */
  async gramsOf({ id, weightTotalGrams }: Spool): Promise<SpoolGrams> {
    const grams = await this.store.gramsOfSpool.load(id);
    return (
      grams ?? {
        id,
        usedGrams: '0',
        reportedGrams: '0',
        printingGrams: '0',
        plannedGrams: '0',
        adjustedGrams: '0',
        remainingGrams: trimZeros(weightTotalGrams),
      }
    );
  }
}

/** The stock of a filament that was removed after it was read. */
const NOTHING = { spools: 0, remainingGrams: '0', plannedGrams: '0', freeGrams: '0', isLow: false };

@Resolver(() => Filament)
export class FilamentStockResolver {
  constructor(private readonly store: StockStore) {}

  @FieldResolver(() => FilamentStock, { description: 'The stock now: sums over the spools that are not archived.' })
  async stock(@Root() { id }: Filament): Promise<FilamentStock> {
    return (await this.store.stockOfFilament.load(id)) ?? NOTHING;
  }
}
