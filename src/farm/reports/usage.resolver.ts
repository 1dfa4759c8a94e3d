// Reports of filament in the graph. REST calls these resolvers too.
import { Args, Ctx, Query, Resolver } from 'type-graphql';
import type { Context } from '../graph/context';
import { Costs } from '../graph/costs';
import { link } from '../graph/link';
import { Material, Printer, Spool } from '../inventory/inventory.types';
import { FilamentUsageArguments } from './usage.inputs';
import type { UsageRow } from './usage.rows';
import type { UsageService } from './usage.service';
import { MAX_USAGE_ROWS } from './usage.store';
import { FilamentUsage } from './usage.types';

/** A report may read all jobs: among 1,000,000 on a server it takes a second. */
export const REPORT_PRICE = 50_000;

@Resolver(() => FilamentUsage)
export class UsageResolver {
  constructor(private readonly service: UsageService) {}

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
}

const ofGroup = (group: string) => ({
  nullable: true,
  description: `The ${group}; null when the report is not grouped by it.`,
});

export const UsagePrinterLink = link(
  FilamentUsage,
  'printer',
  Printer,
  ({ printerId }: UsageRow) => printerId,
  ofGroup('printer'),
);
export const UsageSpoolLink = link(FilamentUsage, 'spool', Spool, ({ spoolId }: UsageRow) => spoolId, ofGroup('spool'));
export const UsageMaterialLink = link(
  FilamentUsage,
  'material',
  Material,
  ({ materialId }: UsageRow) => materialId,
  ofGroup('material'),
);
export const USAGE_LINKS = [UsagePrinterLink, UsageSpoolLink, UsageMaterialLink];
