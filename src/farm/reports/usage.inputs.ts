// The arguments of reports.
import { ArgsType, Field } from 'type-graphql';
import { DateTimeScalar } from '../graph/scalars';
import { PrintJobFilter } from '../print-jobs/print-job.inputs';
import { type UsageGroup, UsageGroupEnum } from './usage.types';

@ArgsType()
export class FilamentUsageArguments {
  @Field(() => DateTimeScalar, { nullable: true, description: 'Jobs that ended at or after this instant.' })
  from?: string | null;

  @Field(() => DateTimeScalar, { nullable: true, description: 'Jobs that ended before this instant.' })
  to?: string | null;

  @Field(() => [UsageGroupEnum], {
    defaultValue: [],
    description: 'One row for each combination that has a job; without groups one row for all.',
  })
  groupBy!: UsageGroup[];

  @Field(() => String, {
    defaultValue: 'UTC',
    description: 'The time zone in which days, weeks and months begin: an IANA name such as Europe/Berlin.',
  })
  timeZone!: string;

  @Field(() => PrintJobFilter, {
    nullable: true,
    description: 'Only jobs that match.',
  })
  filter?: PrintJobFilter | null;
}
