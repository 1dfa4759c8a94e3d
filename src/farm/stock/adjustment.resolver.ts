// The ledger of a spool in the graph.
import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Resolver, Root } from 'type-graphql';
import { type Page, pageRange } from '../../values/page';
import type { Context } from '../graph/context';
import { link } from '../graph/link';
import { Id } from '../inventory/inventory.resolver';
import { Spool } from '../inventory/inventory.types';
import { AdjustmentPageArguments, CorrectSpoolInput, PAGE_OF_ADJUSTMENTS, WeighSpoolInput } from './adjustment.inputs';
import type { AdjustmentRow } from './adjustment.rows';
import type { AdjustmentService } from './adjustment.service';
import type { AdjustmentStore } from './adjustment.store';
import { SpoolAdjustment, SpoolAdjustmentConnection } from './adjustment.types';

const Note = () => Arg('note', () => String, { nullable: true, description: 'Why, at most 1000 characters.' });

@Resolver(() => Spool)
export class AdjustmentResolver {
  constructor(
    private readonly service: AdjustmentService,
    private readonly store: AdjustmentStore,
  ) {}

  @FieldResolver(() => SpoolAdjustmentConnection, {
    description: 'Its ledger beside its jobs, newest first: by at, then by when the rows were written.',
  })
  adjustments(
    @Root() { id }: Spool,
    @Args(() => AdjustmentPageArguments) page: AdjustmentPageArguments,
    @Ctx() { deadline }: Context,
  ): Promise<Page<AdjustmentRow>> {
    const range = pageRange(page, { rows: true, total: false }, PAGE_OF_ADJUSTMENTS);
    return this.store.ofSpool(id, range, deadline);
  }

  @Mutation(() => SpoolAdjustment, {
    description:
      'Says what is on a spool now. Jobs that are over count before. Of a job that prints, what it would have of the spool if it were ' +
      'cancelled now counts before, and the rest after. CONFLICT while a job prints from it of which nobody knows how much it has used, ' +
      'but for 0 g, and where the spool has left the slot of the printer since the job began. NOT_FOUND when there is no such spool.',
  })
  weighSpool(
    @Id('spool') id: string,
    @Arg('input', () => WeighSpoolInput, { description: 'What is on it.' }) input: WeighSpoolInput,
    @Ctx() context: Context,
  ): Promise<AdjustmentRow> {
    return this.service.weigh(id, input, context);
  }

  @Mutation(() => SpoolAdjustment, {
    description: 'Adds grams to a spool, or takes some off, by hand. NOT_FOUND when there is no such spool.',
  })
  correctSpool(
    @Id('spool') id: string,
    @Arg('input', () => CorrectSpoolInput, { description: 'The grams, and why.' }) input: CorrectSpoolInput,
    @Ctx() context: Context,
  ): Promise<AdjustmentRow> {
    return this.service.correct(id, input, context);
  }

  @Mutation(() => SpoolAdjustment, {
    description: 'Takes an adjustment back: it counts nothing any more. CONFLICT when it is taken back already.',
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
      'Says that nothing is left of a spool: weighed with 0 g, taken out of its slot, and out of use, in one. One that is empty and out ' +
      'of use already stays as it is. NOT_FOUND when there is no such spool.',
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
  description: 'The spool; null for a caller that may not read.',
});
