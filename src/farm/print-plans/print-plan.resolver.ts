// The mutation recordPlan in the GraphQL schema.
import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import type { Context } from '../graph/context';
import type { PrintPlanService } from './print-plan.service';
import { PLAN_DAYS, RecordedPlan, RecordPlanInput } from './print-plan.types';

@Resolver()
export class PrintPlanResolver {
  constructor(private readonly service: PrintPlanService) {}

  @Mutation(() => RecordedPlan, {
    description:
      'Records the plan of a slicer for a file, for all its plates or for none. A print whose printer reports no amounts uses the newest ' +
      `plan of the last ${PLAN_DAYS} days with its file name and plate. A new plan replaces the stored plan of the same name and plate, so ` +
      'a retry is safe; a print that started with the old plan keeps it. BAD_USER_INPUT names each faulty member.',
  })
  recordPlan(
    @Arg('input', () => RecordPlanInput, { description: 'The plan.' }) input: RecordPlanInput,
    @Ctx() context: Context,
  ): Promise<RecordedPlan> {
    return this.service.record(input, context);
  }
}
