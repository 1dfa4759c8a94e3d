// The GraphQL types of what other programs reported as used of a spool.
import { ArgsType, Field, ObjectType } from 'type-graphql';
import { pageArguments } from '../graph/page-arguments';
import { defineConnection } from '../graph/relay-connection';
import { DateTimeScalar, DecimalScalar } from '../graph/scalars';

export const PAGE_OF_REPORTED_USES = 20;

@ArgsType()
export class ReportedUsePageArguments extends pageArguments(PAGE_OF_REPORTED_USES) {}

@ObjectType({
  description:
    "What another program reported as used of a spool through Spoolman's API: consecutive reports of at most 10 minutes, with at most a " +
    'minute between them. A weighing starts a new ReportedUse.',
  simpleResolvers: true,
})
export class ReportedUse {
  @Field(() => DateTimeScalar, { description: 'The start of the period that the reports cover.' })
  from!: string;

  @Field(() => DateTimeScalar, { description: 'When the last of these reports arrived.' })
  to!: string;

  @Field(() => String, {
    description: 'The name of the API key or the subject of the token of the program, else its address.',
  })
  by!: string;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'The exact sum of the reported millimetres; null if the program reported weights.',
  })
  millimetres!: string | null;

  @Field(() => DecimalScalar, {
    description:
      'The sum in grams. Millimetres are converted by the formula of jobs, with the diameter and the density that the spool had then.',
  })
  grams!: string;

  @Field(() => Boolean, {
    description:
      'Whether the reports are part of usedGrams. false if a print of the farm had the spool at some time of the period: then the print ' +
      'counts. This changes when a job or a print is added, moved, removed or ignored later.',
  })
  counts!: boolean;
}

export const ReportedUseConnection = defineConnection(ReportedUse, 'reported uses');
