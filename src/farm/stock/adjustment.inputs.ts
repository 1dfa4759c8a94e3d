// The inputs of weighings and corrections of a spool.
import { ArgsType, Field, InputType } from 'type-graphql';
import { pageArguments } from '../graph/page-arguments';
import { DecimalScalar } from '../graph/scalars';
import { MAX_BELOW_TARE, MAX_NOTE_LENGTH } from './adjustment.checks';
import { type CorrectionKind, CorrectionKindEnum } from './adjustment.types';

export const PAGE_OF_ADJUSTMENTS = 20;

@ArgsType()
export class AdjustmentPageArguments extends pageArguments(PAGE_OF_ADJUSTMENTS) {}

@InputType({ description: 'A weighing of a spool. Give either grossGrams or netGrams.' })
export class WeighSpoolInput {
  @Field(() => DecimalScalar, {
    nullable: true,
    description: `What the scale shows for the spool with its filament, in grams. The spool or its filament must have tareGrams. A value that is up to ${MAX_BELOW_TARE} g below tareGrams counts as 0 g net.`,
  })
  grossGrams?: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'The weight of the filament without the spool, in grams, 0 or more.',
  })
  netGrams?: string | null;

  @Field(() => String, { nullable: true, description: `A note, at most ${MAX_NOTE_LENGTH} characters.` })
  note?: string | null;
}

@InputType({ description: 'A correction by hand: grams that are added to a spool or removed from it.' })
export class CorrectSpoolInput {
  @Field(() => CorrectionKindEnum, { defaultValue: 'CORRECTED', description: 'The kind of correction.' })
  kind!: CorrectionKind;

  @Field(() => DecimalScalar, { description: 'The grams to add; below 0 to remove them. Not 0, and below 0 for LOST.' })
  grams!: string;

  @Field(() => String, { description: `The reason, 1 to ${MAX_NOTE_LENGTH} characters.` })
  note!: string;
}
