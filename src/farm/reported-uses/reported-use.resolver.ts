// What other programs reported as used of a spool, in the GraphQL schema, and the call by which they report it.
import { Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { type Page, readPageRange } from '../../values/page';
import type { RequestTime } from '../../values/request-time';
import type { Context } from '../graph/context';
import { Spool } from '../inventory/inventory.types';
import type { Report, ReportedUseService } from './reported-use.service';
import type { ReportedUseRow, ReportedUseStore } from './reported-use.store';
import { PAGE_OF_REPORTED_USES, ReportedUseConnection, ReportedUsePageArguments } from './reported-use.types';

@Resolver(() => Spool)
export class ReportedUseResolver {
  constructor(
    private readonly store: ReportedUseStore,
    private readonly service: ReportedUseService,
  ) {}

  @FieldResolver(() => ReportedUseConnection, {
    description:
      'What other programs reported as used, the newest first. Reports that do not count are kept for 30 days.',
  })
  reportedUses(
    @Root() { id }: Spool,
    @Args(() => ReportedUsePageArguments) page: ReportedUsePageArguments,
    @Ctx() { deadline }: Context,
  ): Promise<Page<ReportedUseRow>> {
    return this.store.ofSpool(id, readPageRange(page, { rows: true, total: false }, PAGE_OF_REPORTED_USES), deadline);
  }

  /** Only Spoolman's API has this. Returns the id of the spool. */
  report(report: Report, time: RequestTime): Promise<string> {
    return this.service.report(report, time);
  }
}
