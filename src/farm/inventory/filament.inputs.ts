// The inputs that create and change filaments.
import { Field, ID, InputType } from 'type-graphql';
import { MAX_KEY_LENGTH } from '../../values/text';
import { DecimalScalar } from '../graph/scalars';

const NAME = `Name of the product, 1 to ${MAX_KEY_LENGTH} characters. CONFLICT if another filament of the same vendor has this name.`;
const VENDOR = `The seller or maker, at most ${MAX_KEY_LENGTH} characters; an empty text is stored as null.`;
const COLOR = 'Colour as # and six hexadecimal digits, stored in upper case.';
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

  @Field(() => DecimalScalar, { nullable: true, description: TARE })
  tareGrams?: string | null;

  @Field(() => DecimalScalar, { nullable: true, description: PRICE })
  purchasePrice?: string | null;

  @Field(() => String, { nullable: true, description: ARTICLE })
  articleNumber?: string | null;

  @Field(() => DecimalScalar, { nullable: true, description: MINIMUM })
  minimumGrams?: string | null;
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
