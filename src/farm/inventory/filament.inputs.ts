// The inputs that create and change filaments.
import { Field, ID, InputType, Int } from 'type-graphql';
import { MAX_KEY_LENGTH } from '../../values/text';
import { DecimalScalar } from '../graph/scalars';
import { MAX_COLORS } from './filament.colors';
import { type ColorArrangement, ColorArrangementEnum } from './filament.types';
import { MAX_COMMENT_LENGTH, MAX_TEMPERATURE_C } from './inventory.members';

const NAME = `Name of the product, 1 to ${MAX_KEY_LENGTH} characters. CONFLICT if another filament of the same vendor has this name.`;
const VENDOR = `The seller or maker, at most ${MAX_KEY_LENGTH} characters; an empty text is stored as null.`;
const COLOR =
  'Colour as # and six hexadecimal digits, stored in upper case. If it is missing or null and colorHexes has colours, the first one of them.';
const COLORS =
  `All 2 to ${MAX_COLORS} colours of a filament with several colours, each as # and six or eight hexadecimal digits, stored in upper ` +
  'case. They need a colorArrangement. null or an empty list: the filament has one colour, and no colorArrangement. A new colorHex ' +
  'does not change them.';
const ARRANGEMENT =
  'How the filament has its colours. Only with colorHexes: BAD_USER_INPUT if the filament has one colour.';
const TEMPERATURE = `in degrees Celsius, 0 to ${MAX_TEMPERATURE_C}.`;
const COMMENT = `A note, at most ${MAX_COMMENT_LENGTH} characters; an empty text is stored as null.`;
const WEIGHT = 'Weight of the filament on a new spool, in grams, 0 or more.';
const TARE = 'Weight of the empty spool in grams, 0 or more.';
const PRICE = 'Price of a new spool, 0 or more.';
const ARTICLE = `The article number of the vendor, at most ${MAX_KEY_LENGTH} characters; an empty text is stored as null.`;
const MINIMUM = 'Minimum stock in grams, 0 or more. The filament is low if stock.freeGrams is below it.';

/** The members that may be null. The class is abstract, so the GraphQL schema does not have it as a type. */
@InputType()
class FilamentMembers {
  @Field(() => String, { nullable: true, description: VENDOR })
  vendor?: string | null;

  @Field(() => String, { nullable: true, description: COLOR })
  colorHex?: string | null;

  @Field(() => [String], { nullable: true, description: COLORS })
  colorHexes?: string[] | null;

  @Field(() => ColorArrangementEnum, { nullable: true, description: ARRANGEMENT })
  colorArrangement?: ColorArrangement | null;

  @Field(() => DecimalScalar, { nullable: true, description: TARE })
  tareGrams?: string | null;

  @Field(() => DecimalScalar, { nullable: true, description: PRICE })
  purchasePrice?: string | null;

  @Field(() => String, { nullable: true, description: ARTICLE })
  articleNumber?: string | null;

  @Field(() => DecimalScalar, { nullable: true, description: MINIMUM })
  minimumGrams?: string | null;

  @Field(() => Int, { nullable: true, description: `Temperature of the extruder ${TEMPERATURE}` })
  extruderTempC?: number | null;

  @Field(() => Int, { nullable: true, description: `Temperature of the bed ${TEMPERATURE}` })
  bedTempC?: number | null;

  @Field(() => String, { nullable: true, description: COMMENT })
  comment?: string | null;
}

@InputType({ description: 'A filament to add.' })
export class CreateFilamentInput extends FilamentMembers {
  @Field(() => String, { description: NAME })
  name!: string;

  @Field(() => ID, { description: 'GUID of the material; BAD_USER_INPUT if it is unknown or archived.' })
  materialId!: string;

  @Field(() => DecimalScalar, { description: 'Filament diameter in mm, above 0; usually 1.75 or 2.85.' })
  filamentDiameterMm!: string;

  @Field(() => DecimalScalar, { description: WEIGHT })
  weightTotalGrams!: string;
}

@InputType({
  description:
    'Changes to a filament. Missing members do not change. null removes an optional value; for a required member null changes nothing.',
})
export class UpdateFilamentInput extends FilamentMembers {
  @Field(() => String, { nullable: true, description: NAME })
  name?: string | null;

  @Field(() => ID, {
    nullable: true,
    description: 'GUID of the material. BAD_USER_INPUT if a new material is unknown or archived.',
  })
  materialId?: string | null;

  @Field(() => DecimalScalar, { nullable: true, description: 'Filament diameter in mm, above 0.' })
  filamentDiameterMm?: string | null;

  @Field(() => DecimalScalar, { nullable: true, description: WEIGHT })
  weightTotalGrams?: string | null;
}
