// The inputs of a spool's ledger.
import { ArgsType, Field, InputType } from 'type-graphql';
import { pageArguments } from '../graph/page-arguments';
import { DecimalScalar } from '../graph/scalars';
import { type CorrectionKind, CorrectionKindEnum } from './adjustment.types';

export const PAGE_OF_ADJUSTMENTS = 20;
export const MAX_NOTE_LENGTH = 1000;
/** In grams: scales and tares differ by as much. */
export const MAX_BELOW_TARE = 10;

@ArgsType()
export class AdjustmentPageArguments extends pageArguments(PAGE_OF_ADJUSTMENTS) {}

@InputType({ description: 'What is on a spool: either grossGrams or netGrams.' })
export class WeighSpoolInput {
  @Field(() => DecimalScalar, {
    nullable: true,
    description: `What the scale shows, in grams. It needs tareGrams of the spool or of its filament, and may be at most ${MAX_BELOW_TARE} g below it, which is 0 g net.`,
  })
  grossGrams?: string | null;

  @Field(() => DecimalScalar, { nullable: true, description: 'The filament alone, in grams, 0 or more.' })
  netGrams?: string | null;

  @Field(() => String, { nullable: true, description: `At most ${MAX_NOTE_LENGTH} characters.` })
  note?: string | null;
}

@InputType({ description: 'Grams that are added to a spool, or taken off, by hand.' })
export class CorrectSpoolInput {
  @Field(() => CorrectionKindEnum, { defaultValue: 'CORRECTED', description: 'How.' })
  kind!: CorrectionKind;

  @Field(() => DecimalScalar, { description: 'Signed, not 0; below 0 for LOST.' })
  grams!: string;

  @Field(() => String, { description: `Why: 1 to ${MAX_NOTE_LENGTH} characters.` })
  note!: string;
}
