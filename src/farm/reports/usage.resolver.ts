// Reports of filament in the graph. REST calls these resolvers too.
import { Args, Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import type { Context } from '../graph/context';
import { Costs } from '../graph/costs';
import { Requires } from '../graph/rights';
import { DecimalScalar } from '../graph/scalars';
import { Material, Printer, Spool } from '../inventory/inventory.types';
import { FilamentUsageArguments } from './usage.inputs';
import { MAX_USAGE_ROWS, REPORT_PRICE } from './usage.limits';
import type { UsageRow } from './usage.rows';
import type { UsageService } from './usage.service';
import { FilamentUsage } from './usage.types';

const ofGroup = (group: string) =>
  ({ nullable: true, description: `The ${group}; null when the report is not grouped by it.` }) as const;

/** Finds the objects that a report has groups for. */
interface UsageLookUps {
  printer(id: string): Promise<Printer | null>;
  spool(id: string): Promise<Spool | null>;
  material(id: string): Promise<Material | null>;
}

@Resolver(() => FilamentUsage)
export class UsageResolver {
  constructor(
    private readonly service: UsageService,
    private readonly lookUps: UsageLookUps,
  ) {}

  @Costs({
    size: (given) => ((given.length('groupBy') ?? 0) > 0 ? MAX_USAGE_ROWS : 1),
    price: (given) => REPORT_PRICE + (given.price('filter') ?? 0),
  })
  @Query(() => [FilamentUsage], {
    description:
      'The filament and the cost of ended jobs, added up exactly. A job counts at its completedAt (updatedAt where it has none), in ' +
      'from <= t < to. One row for each group that has a job, ordered by time, then by name; without groupBy one row. Days, ' +
      'weeks (from Monday) and months begin in `timeZone`. BAD_USER_INPUT when the report has more than ' +
      `${MAX_USAGE_ROWS} rows; on the built-in database also when the reports of one request would read so many jobs, in so ` +
      'many groups, that others would wait for more than half a second.',
  })
  filamentUsage(
    @Args(() => FilamentUsageArguments) given: FilamentUsageArguments,
    @Ctx() context: Context,
  ): Promise<UsageRow[]> {
    return this.service.usageFor(context, given);
  }

  @FieldResolver(() => Printer, ofGroup('printer'))
  async printer(@Root() { printerId }: UsageRow): Promise<Printer | null> {
    return printerId === null ? null : this.lookUps.printer(printerId);
  }

  @FieldResolver(() => Spool, ofGroup('spool'))
  async spool(@Root() { spoolId }: UsageRow): Promise<Spool | null> {
    return spoolId === null ? null : this.lookUps.spool(spoolId);
  }

  @FieldResolver(() => Material, ofGroup('material'))
  async material(@Root() { materialId }: UsageRow): Promise<Material | null> {
    return materialId === null ? null : this.lookUps.material(materialId);
  }
}

@Resolver(() => Spool)
export class SpoolUsageResolver {
  constructor(private readonly service: UsageService) {}

  @Requires('read')
  @FieldResolver(() => DecimalScalar, {
    description: 'Grams of its jobs that are COMPLETED, that FAILED, or were CANCELLED after they had started.',
  })
  async usedGrams(@Root() spool: Spool): Promise<string> {
    return (await this.service.ofSpool(spool)).usedGrams;
  }

  @Requires('read')
  @FieldResolver(() => DecimalScalar, { description: 'Grams of its jobs that are QUEUED or PRINTING.' })
  async plannedGrams(@Root() spool: Spool): Promise<string> {
    return (await this.service.ofSpool(spool)).plannedGrams;
  }

  @Requires('read')
  @FieldResolver(() => DecimalScalar, {
    description: 'weightTotalGrams less usedGrams; below 0 where more was used than the spool was said to hold.',
  })
  async remainingGrams(@Root() spool: Spool): Promise<string> {
    return (await this.service.ofSpool(spool)).remainingGrams;
  }
}
