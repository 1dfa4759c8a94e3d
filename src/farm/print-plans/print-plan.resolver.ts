// Plans in the graph.
import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import type { Context } from '../graph/context';
import type { PrintPlanService } from './print-plan.service';
import { PLAN_DAYS, RecordedPlan, RecordPlanInput } from './print-plan.types';

@Resolver()
export class PrintPlanResolver {
  constructor(private readonly service: PrintPlanService) {}

  @Mutation(() => RecordedPlan, {
    description:
      'Records what a slicer says of a file, all plates or none. A print whose printer reports no amounts gets the newest plan ' +
      `of the last ${PLAN_DAYS} days with its file name and plate. The plan that is there already is replaced, so a retry is safe; a ` +
      'print that has begun with it keeps it. BAD_USER_INPUT names each member at fault.',
  })
  recordPlan(
    @Arg('input', () => RecordPlanInput, { description: 'The plan.' }) input: RecordPlanInput,
    @Ctx() context: Context,
  ): Promise<RecordedPlan> {
    return this.service.record(input, context);
  }
}
