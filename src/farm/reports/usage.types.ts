// The GraphQL types of reports of filament.
import { Field, Int, ObjectType } from 'type-graphql';
import { defineEnum } from '../graph/enums';
import { DateTimeScalar, DecimalScalar } from '../graph/scalars';

export const UsageGroupEnum = defineEnum(
  'UsageGroup',
  'The groups of a report; each combination has its own row. Use at most one of DAY, WEEK and MONTH, and any of the others.',
  {
    DAY: 'Each day of the time zone; 23 or 25 hours long when the clock changes.',
    WEEK: 'Each week of the time zone, from Monday.',
    MONTH: 'Each month of the time zone.',
    PRINTER: 'Each printer.',
    SPOOL: 'Each spool.',
    MATERIAL: 'Each material, as the spools have it now.',
    FILAMENT: 'Each filament, as the spools have it now; all spools without a filament are one row.',
  },
);
export type UsageGroup = keyof typeof UsageGroupEnum;

@ObjectType({
  description: 'A row of a report: the filament and the cost of the ended jobs of one group.',
  simpleResolvers: true,
})
export class FilamentUsage {
  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'Start of the day, week or month; null if the report is not grouped by time.',
  })
  from!: string | null;

  @Field(() => Int, { description: 'The number of COMPLETED jobs.' })
  completedJobs!: number;

  @Field(() => DecimalScalar, { description: 'Grams (gramsDerived) of the COMPLETED jobs.' })
  completedGrams!: string;

  @Field(() => DecimalScalar, { description: 'Cost (costPerPrint) of the COMPLETED jobs.' })
  completedCost!: string;

  @Field(() => Int, {
    description:
      'The number of wasted jobs: FAILED jobs, and CANCELLED jobs with a startedAt. A job that was cancelled before it started used ' +
      'nothing and is not counted.',
  })
  wastedJobs!: number;

  @Field(() => DecimalScalar, { description: 'Grams (gramsDerived) of the wasted jobs.' })
  wastedGrams!: string;

  @Field(() => DecimalScalar, { description: 'Cost (costPerPrint) of the wasted jobs.' })
  wastedCost!: string;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'Grams that no job explains: the grams that WEIGHED, CORRECTED and LOST adjustments in the time of the report removed. Below 0 if ' +
      'adjustments added more than they removed. null if the report is grouped by PRINTER or filtered by anything but spoolId, because ' +
      'a loss belongs to no job.',
  })
  lostGrams!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'The cost of lostGrams, by the price and the net weight of the spool when each adjustment was written; 0 without a price. The cost ' +
      'of each adjustment is rounded half to even to 4 decimals. null if lostGrams is null.',
  })
  lostCost!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      "Grams that other programs reported through Spoolman's API and that no print of the farm explains, by the time of the report: the " +
      'exact sum. null where lostGrams is null.',
  })
  reportedGrams!: string | null;
}
