// Offers the summary of the farm in GraphQL. The services of each folder count their own objects.
import { Ctx, Query, Resolver } from 'type-graphql';
import type { Context } from '../graph/context';
import { FarmSummary } from './summary.types';

/** The functions that count the objects of each folder. */
interface Counts {
  camerasByLiveness(now: string): Promise<Record<string, number>>;
  inventory(): Promise<Pick<FarmSummary, 'printers' | 'spools' | 'filaments' | 'materials'>>;
  jobsByStatus(): Promise<Record<string, number>>;
  busyPrinters(): Promise<number>;
}

@Resolver()
export class SummaryResolver {
  constructor(private readonly counts: Counts) {}

  @Query(() => FarmSummary, {
    description: 'The numbers of the objects of the farm, for a first page.',
  })
  async farm(@Ctx() { now }: Context): Promise<FarmSummary> {
    const [byLiveness, inventory, byStatus, printersBusy] = await Promise.all([
      this.counts.camerasByLiveness(now),
      this.counts.inventory(),
      this.counts.jobsByStatus(),
      this.counts.busyPrinters(),
    ]);
    const jobsByStatus = Object.entries(byStatus).map(([status, jobs]) => ({ status, jobs }));
    const [cameras, camerasLive, jobs] = [totalOf(byLiveness), byLiveness['LIVE'] ?? 0, totalOf(byStatus)];
    return { cameras, camerasLive, ...inventory, printersBusy, jobs, jobsByStatus };
  }
}

const totalOf = (counts: Record<string, number>) => Object.values(counts).reduce((sum, count) => sum + count, 0);
