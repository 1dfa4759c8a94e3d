// The ledger of a spool as the graph shows it.
import { Field, ID, ObjectType } from 'type-graphql';
import { enumOf } from '../graph/enums';
import { connectionOf } from '../graph/relay-connection';
import { DateTimeScalar, DecimalScalar } from '../graph/scalars';

const AdjustmentKindEnum = enumOf('SpoolAdjustmentKind', 'What a row of a spool’s ledger says.', {
  OPENING: 'What was left when the spool was added; at most one.',
  WEIGHED: 'What was on the spool.',
  CORRECTED: 'A person adds or takes off grams, and says why.',
  LOST: 'Filament that was thrown away: tangled, wet, cut off.',
});
export type AdjustmentKind = keyof typeof AdjustmentKindEnum;

export const CorrectionKindEnum = enumOf('SpoolCorrectionKind', 'How grams are corrected by hand.', {
  CORRECTED: 'Grams are added or taken off.',
  LOST: 'Filament was thrown away.',
});
export type CorrectionKind = keyof typeof CorrectionKindEnum;

@ObjectType({ description: 'That a row of a spool’s ledger was taken back: it counts nothing.', simpleResolvers: true })
class TakenBack {
  @Field(() => DateTimeScalar, { description: 'When.' })
  at!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Name of the API key, or subject of the token; null where nobody needs credentials.',
  })
  by!: string | null;

  @Field(() => String, { nullable: true, description: 'Why; null when it was not said.' })
  note!: string | null;
}

@ObjectType({
  description: 'A row of a spool’s ledger beside its jobs. It is never changed nor removed, only taken back.',
  simpleResolvers: true,
})
export class SpoolAdjustment {
  @Field(() => ID, { description: 'Unique among all adjustments.' })
  id!: string;

  @Field(() => AdjustmentKindEnum, { description: 'What it says.' })
  kind!: AdjustmentKind;

  @Field(() => DateTimeScalar, { description: 'The moment that it is about.' })
  at!: string;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'What was on the spool at that moment, by OPENING and WEIGHED; null for the others.',
  })
  netGrams!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'What the scale showed; null where the net weight was said.',
  })
  grossGrams!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'The weight of the empty spool that was taken off; null where the net weight was said.',
  })
  tareGrams!: string | null;

  @Field(() => DecimalScalar, {
    description:
      'Signed. Of CORRECTED and LOST as it was said. Of OPENING and WEIGHED netGrams less what the books, as they are now, have for that ' +
      'moment: a job that ended before, and is booked or corrected later, changes it, and remainingGrams stays. 0 when taken back.',
  })
  grams!: string;

  @Field(() => DecimalScalar, {
    description: 'Of the amounts of jobs that were PRINTING then: what counts as used before. 0 when there was none.',
  })
  printingGrams!: string;

  @Field(() => String, { nullable: true, description: 'What a person said of it; null for nothing.' })
  note!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Name of the API key, or subject of the token; null where nobody needs credentials.',
  })
  by!: string | null;

  @Field(() => TakenBack, {
    nullable: true,
    description: 'When, by whom and why it was taken back; null: it counts.',
  })
  takenBack!: TakenBack | null;
}

export const SpoolAdjustmentConnection = connectionOf(SpoolAdjustment, 'adjustments');
