// The GraphQL types of a spool's ledger.
import { Field, ID, ObjectType } from 'type-graphql';
import { defineEnum } from '../graph/enums';
import { defineConnection } from '../graph/relay-connection';
import { DateTimeScalar, DecimalScalar } from '../graph/scalars';

const AdjustmentKindEnum = defineEnum('SpoolAdjustmentKind', 'The kind of an adjustment.', {
  OPENING: 'The starting weight: what was left on the spool when it was added. A spool has at most one.',
  WEIGHED: 'A weighing: what was on the spool at that time.',
  CORRECTED: 'A user added or removed grams and gave a reason.',
  LOST: 'Filament that was thrown away because it was tangled, wet or cut off.',
});
export type AdjustmentKind = keyof typeof AdjustmentKindEnum;

export const CorrectionKindEnum = defineEnum('SpoolCorrectionKind', 'The kind of a correction by hand.', {
  CORRECTED: 'Grams are added or removed.',
  LOST: 'Filament was thrown away.',
});
export type CorrectionKind = keyof typeof CorrectionKindEnum;

@ObjectType({
  description: 'When, by whom and why an adjustment was undone. It no longer counts.',
  simpleResolvers: true,
})
class TakenBack {
  @Field(() => DateTimeScalar, { description: 'When the adjustment was undone.' })
  at!: string;

  @Field(() => String, {
    nullable: true,
    description: 'The name of the API key or the subject of the token; null if the gateway asks for no credentials.',
  })
  by!: string | null;

  @Field(() => String, { nullable: true, description: 'The reason; null if none was given.' })
  note!: string | null;
}

@ObjectType({
  description:
    'An adjustment of a spool: a weighing, a correction, a starting weight, or filament that was thrown away. Jobs and adjustments together show how much is left. An adjustment is never changed or removed; it can only be undone.',
  simpleResolvers: true,
})
export class SpoolAdjustment {
  @Field(() => ID, { description: 'Unique among all adjustments.' })
  id!: string;

  @Field(() => AdjustmentKindEnum, { description: 'The kind of adjustment.' })
  kind!: AdjustmentKind;

  @Field(() => DateTimeScalar, { description: 'The time for which the adjustment holds.' })
  at!: string;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'The filament on the spool at that time, in grams, for OPENING and WEIGHED; null for the other kinds.',
  })
  netGrams!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'What the scale showed, in grams; null if the net weight was entered.',
  })
  grossGrams!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'The weight of the empty spool that was subtracted, in grams; null if the net weight was entered.',
  })
  tareGrams!: string | null;

  @Field(() => DecimalScalar, {
    description:
      'The grams that the adjustment adds; below 0 if it removes grams. For CORRECTED and LOST, this is the entered value. For OPENING and ' +
      'WEIGHED, it is netGrams less the weight that the jobs and the earlier adjustments lead to. This difference changes when a job that ' +
      'had ended before the weighing is booked or corrected later; remainingGrams does not change then. 0 if the adjustment was undone.',
  })
  grams!: string;

  @Field(() => DecimalScalar, {
    description:
      'The grams that jobs which were PRINTING at that time had already used. They count as used before the weighing. 0 if no job was PRINTING.',
  })
  printingGrams!: string;

  @Field(() => String, { nullable: true, description: 'The note of the user; null if there is none.' })
  note!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The name of the API key or the subject of the token; null if the gateway asks for no credentials.',
  })
  by!: string | null;

  @Field(() => TakenBack, {
    nullable: true,
    description: 'When, by whom and why the adjustment was undone; null while it counts.',
  })
  takenBack!: TakenBack | null;
}

export const SpoolAdjustmentConnection = defineConnection(SpoolAdjustment, 'adjustments');
