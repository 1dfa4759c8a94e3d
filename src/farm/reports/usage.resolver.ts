// The report filamentUsage in the GraphQL schema. REST calls this resolver too.
import { Args, Ctx, createParameterDecorator, Query, Resolver } from 'type-graphql';
import type { Context } from '../graph/context';
import { Costs } from '../graph/costs';
import { link } from '../graph/link';
import { selectedFields } from '../graph/selection';
import { Filament } from '../inventory/filament.types';
import { Material, Printer, Spool } from '../inventory/inventory.types';
import { FilamentUsageArguments } from './usage.inputs';
import type { UsageRow } from './usage.rows';
import type { UsageService } from './usage.service';
import { MAX_USAGE_ROWS } from './usage.store';
import { FilamentUsage } from './usage.types';

/** A report may read all jobs. With 1,000,000 jobs on a database server it takes a second. */
const REPORT_PRICE = 50_000;

/** Losses are calculated only if the request selects them, because they need all jobs of the spools. */
const SelectsLosses = () =>
  createParameterDecorator(({ info }) => selectedFields(info, ['lostGrams', 'lostCost']).length > 0);

@Resolver(() => FilamentUsage)
export class UsageResolver {
  constructor(private readonly service: UsageService) {}

  @Costs({
    size: (given) => ((given.length('groupBy') ?? 0) > 0 ? MAX_USAGE_ROWS : 1),
    price: (given) => REPORT_PRICE + (given.price('filter') ?? 0),
  })
  @Query(() => [FilamentUsage], {
    description:
      'The filament and the cost of ended jobs, as exact sums. A job counts at its completedAt (updatedAt if it has none), a loss at the ' +
      '`at` of its adjustment, a report of another program at its end, for from <= t < to. The report has one row for each group with a ' +
      'job, an adjustment or a counted report of a program, ordered by time, ' +
      'then by name; without groupBy it has one row. Days, weeks (from Monday) and months start in `timeZone`. BAD_USER_INPUT if the ' +
      `report has more than ${MAX_USAGE_ROWS} rows. On the built-in database also BAD_USER_INPUT if the reports of one request would read ` +
      'so many jobs, in so many groups, that other requests would wait for more than half a second.',
  })
  filamentUsage(
    @Args(() => FilamentUsageArguments) given: FilamentUsageArguments,
    @Ctx() context: Context,
    @SelectsLosses() hasLosses: boolean,
  ): Promise<UsageRow[]> {
    return this.service.report(context, given, hasLosses);
  }
}

const describeGroup = (group: string) => ({
  nullable: true,
  description: `The ${group}; null if the report is not grouped by it.`,
});

export const UsagePrinterLink = link(
  FilamentUsage,
  'printer',
  Printer,
  ({ printerId }: UsageRow) => printerId,
  describeGroup('printer'),
);
export const UsageSpoolLink = link(
  FilamentUsage,
  'spool',
  Spool,
  ({ spoolId }: UsageRow) => spoolId,
  describeGroup('spool'),
);
export const UsageMaterialLink = link(
  FilamentUsage,
  'material',
  Material,
  ({ materialId }: UsageRow) => materialId,
  describeGroup('material'),
);
export const UsageFilamentLink = link(FilamentUsage, 'filament', Filament, ({ filamentId }: UsageRow) => filamentId, {
  nullable: true,
  description: 'The filament; null if the report is not grouped by it, and for spools without a filament.',
});
export const USAGE_LINKS = [UsagePrinterLink, UsageSpoolLink, UsageMaterialLink, UsageFilamentLink];
