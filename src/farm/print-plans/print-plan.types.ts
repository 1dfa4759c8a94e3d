// Plans as the graph answers them.
import { Field, Int, ObjectType } from 'type-graphql';
import { DateTimeScalar } from '../graph/scalars';

/** How long a plan is found by prints. */
export const PLAN_DAYS = 30;

@ObjectType({ description: 'A plan that was recorded.', simpleResolvers: true })
export class RecordedPlan {
  @Field(() => String, { description: 'The name by which prints find it.' })
  name!: string;

  @Field(() => [Int], { description: 'The plates that were recorded.' })
  plates!: number[];

  @Field(() => DateTimeScalar, { description: `When. It is found for ${PLAN_DAYS} days.` })
  recordedAt!: string;
}
