// The ledger of a spool in the GraphQL schema: its adjustments, and the mutations that weigh, correct and empty a spool.
import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Resolver, Root } from 'type-graphql';
import { type Page, readPageRange } from '../../values/page';
import type { Context } from '../graph/context';
import { link } from '../graph/link';
import { Id } from '../inventory/inventory.resolver';
import { Spool } from '../inventory/inventory.types';
import { MAX_NOTE_LENGTH } from './adjustment.checks';
import { AdjustmentPageArguments, CorrectSpoolInput, PAGE_OF_ADJUSTMENTS, WeighSpoolInput } from './adjustment.inputs';
import type { AdjustmentRow } from './adjustment.rows';
import type { AdjustmentService } from './adjustment.service';
import type { AdjustmentStore } from './adjustment.store';
import { SpoolAdjustment, SpoolAdjustmentConnection } from './adjustment.types';

const Note = () =>
  Arg('note', () => String, { nullable: true, description: `The reason, at most ${MAX_NOTE_LENGTH} characters.` });

@Resolver(() => Spool)
export class AdjustmentResolver {
  constructor(
    private readonly service: AdjustmentService,
    private readonly store: AdjustmentStore,
  ) {}

  @FieldResolver(() => SpoolAdjustmentConnection, {
    description:
      'The ledger of the spool: all adjustments, newest first (by at, then by the order in which they were written).',
  })
  adjustments(
    @Root() { id }: Spool,
    @Args(() => AdjustmentPageArguments) page: AdjustmentPageArguments,
    @Ctx() { deadline }: Context,
  ): Promise<Page<AdjustmentRow>> {
    const range = readPageRange(page, { rows: true, total: false }, PAGE_OF_ADJUSTMENTS);
    return this.store.ofSpool(id, range, deadline);
  }

  @Mutation(() => SpoolAdjustment, {
    description:
      'Records how much filament is on a spool now. Jobs that have ended count as used before the weighing. A job that is PRINTING is ' +
      'split at the weighing: the grams that the job would get from this spool if it were cancelled now count before, all others after. ' +
      'CONFLICT while a job prints from the spool and nobody knows how much the job has used, also if the spool was taken out of the ' +
      'printer after the job started; 0 g is always accepted. NOT_FOUND if there is no such spool.',
  })
  weighSpool(
    @Id('spool') id: string,
    @Arg('input', () => WeighSpoolInput, { description: 'The weighing.' }) input: WeighSpoolInput,
    @Ctx() context: Context,
  ): Promise<AdjustmentRow> {
    return this.service.weigh(id, input, context);
  }

  @Mutation(() => SpoolAdjustment, {
    description: 'Adds grams to a spool or removes grams from it, by hand. NOT_FOUND if there is no such spool.',
  })
  correctSpool(
    @Id('spool') id: string,
    @Arg('input', () => CorrectSpoolInput, { description: 'The grams and the reason.' }) input: CorrectSpoolInput,
    @Ctx() context: Context,
  ): Promise<AdjustmentRow> {
    return this.service.correct(id, input, context);
  }

  @Mutation(() => SpoolAdjustment, {
    description:
      'Undoes an adjustment. The adjustment stays in the ledger, but no longer counts. CONFLICT if it was already undone. NOT_FOUND if there is no such adjustment.',
  })
  takeBackAdjustment(
    @Arg('id', () => ID, { description: 'The id of the adjustment.' }) id: string,
    @Note() note: string | null | undefined,
    @Ctx() context: Context,
  ): Promise<AdjustmentRow> {
    return this.service.takeBack(id, note, context);
  }

  @Mutation(() => Spool, {
    description:
      'Marks a spool as empty: in one step it is weighed with 0 g, taken out of its slot, and archived. A spool that is already empty ' +
      'and archived does not change. NOT_FOUND if there is no such spool.',
  })
  emptySpool(
    @Id('spool') id: string,
    @Note() note: string | null | undefined,
    @Ctx() context: Context,
  ): Promise<Spool> {
    return this.service.empty(id, note, context);
  }
}

export const AdjustmentSpoolLink = link(SpoolAdjustment, 'spool', Spool, ({ spoolId }: AdjustmentRow) => spoolId, {
  nullable: true,
  description: 'The spool; null for a caller without the right to read.',
});
