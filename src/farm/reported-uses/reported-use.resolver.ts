// What other programs reported as used of a spool, in the GraphQL schema.
import { Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { type Page, readPageRange } from '../../values/page';
import type { Context } from '../graph/context';
import { Spool } from '../inventory/inventory.types';
import type { ReportedUseRow, ReportedUseStore } from './reported-use.store';
import { PAGE_OF_REPORTED_USES, ReportedUseConnection, ReportedUsePageArguments } from './reported-use.types';

@Resolver(() => Spool)
export class ReportedUseResolver {
  constructor(private readonly store: ReportedUseStore) {}

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
}
