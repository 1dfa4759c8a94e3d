// The arguments of the report filamentUsage.
import { ArgsType, Field } from 'type-graphql';
import { DateTimeScalar } from '../graph/scalars';
import { PrintJobFilter } from '../print-jobs/print-job.inputs';
import { type UsageGroup, UsageGroupEnum } from './usage.types';

@ArgsType()
export class FilamentUsageArguments {
  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'Only jobs that ended and losses that were found at or after this instant.',
  })
  from?: string | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'Only jobs that ended and losses that were found before this instant.',
  })
  to?: string | null;

  @Field(() => [UsageGroupEnum], {
    defaultValue: [],
    description:
      'The groups of the report: one row for each combination with a job or a loss. Without groups, one row for all.',
  })
  groupBy!: UsageGroup[];

  @Field(() => String, {
    defaultValue: 'UTC',
    description: 'The time zone in which days, weeks and months start: an IANA name such as Europe/Berlin.',
  })
  timeZone!: string;

  @Field(() => PrintJobFilter, {
    nullable: true,
    description: 'Only jobs that match.',
  })
  filter?: PrintJobFilter | null;
}
