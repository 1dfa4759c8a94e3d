// Reports of filament as the graph shows them.
import { Field, Int, ObjectType } from 'type-graphql';
import { enumOf } from '../graph/enums';
import { DateTimeScalar, DecimalScalar } from '../graph/scalars';

export const UsageGroupEnum = enumOf(
  'UsageGroup',
  'The groups of a report; each has a row of its own. At most one of DAY, WEEK and MONTH, with any of the others.',
  {
    DAY: 'Each day of the time zone; 23 or 25 hours long when its clock changes.',
    WEEK: 'Each week of the time zone, from Monday.',
    MONTH: 'Each month of the time zone.',
    PRINTER: 'Each printer.',
    SPOOL: 'Each spool.',
    MATERIAL: 'Each material that the spools have now.',
    FILAMENT: 'Each filament that the spools have now; those without one are one row.',
  },
);
export type UsageGroup = keyof typeof UsageGroupEnum;

@ObjectType({
  description: 'The filament and the cost of the ended jobs of one group of a report.',
  simpleResolvers: true,
})
export class FilamentUsage {
  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'Begin of the day, week or month; null when the report is not grouped by one.',
  })
  from!: string | null;

  @Field(() => Int, { description: 'Number of the jobs that are COMPLETED.' })
  completedJobs!: number;

  @Field(() => DecimalScalar, { description: 'Grams (gramsDerived) of the jobs that are COMPLETED.' })
  completedGrams!: string;

  @Field(() => DecimalScalar, { description: 'Cost (costPerPrint) of the jobs that are COMPLETED.' })
  completedCost!: string;

  @Field(() => Int, {
    description:
      'Number of the jobs that FAILED, and of those that were CANCELLED and have a startedAt. A job that was cancelled ' +
      'before it started used nothing and is not counted.',
  })
  wastedJobs!: number;

  @Field(() => DecimalScalar, { description: 'Grams (gramsDerived) of the wasted jobs.' })
  wastedGrams!: string;

  @Field(() => DecimalScalar, { description: 'Cost (costPerPrint) of the wasted jobs.' })
  wastedCost!: string;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'Grams that no job explains: less the grams of WEIGHED, CORRECTED and LOST whose at is in the time of the report; below 0 ' +
      'where more was found than lost. null when the report is grouped by PRINTER, or filtered by anything but spoolId: they are of no job.',
  })
  lostGrams!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'lostGrams by price and weight of the spool when each row of its ledger was written, 0 without a price; each rounded half to ' +
      'even to 4 decimals. null where lostGrams is.',
  })
  lostCost!: string | null;
}
