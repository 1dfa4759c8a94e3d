// The inputs of filaments.
import { Field, ID, InputType } from 'type-graphql';
import { MAX_KEY_LENGTH } from '../../values/text';
import { DecimalScalar } from '../graph/scalars';

const NAME = `Name of the product, 1 to ${MAX_KEY_LENGTH} characters. CONFLICT when another filament of the vendor has it.`;
const VENDOR = `The seller or maker, at most ${MAX_KEY_LENGTH} characters; the empty text is none.`;
const COLOR = 'Colour as # and six hexadecimal digits, kept in upper case.';
const WEIGHT = 'Weight of the filament on a new spool, in grams, 0 or more.';
const TARE = 'Weight of the empty spool in grams, 0 or more.';
const PRICE = 'Price of a new spool, 0 or more.';
const ARTICLE = `What the vendor calls it in orders, at most ${MAX_KEY_LENGTH} characters; the empty text is none.`;
const MINIMUM = 'It is low when stock.freeGrams is below these grams; 0 or more.';

/** The members that may be null; abstract, so not in the graph by itself. */
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

  @Field(() => ID, { description: 'GUID of the material; BAD_USER_INPUT when there is none, or when it is archived.' })
  materialId!: string;

  @Field(() => DecimalScalar, { description: 'Filament diameter in mm, above 0; usually 1.75 or 2.85.' })
  filamentDiameterMm!: string;

  @Field(() => DecimalScalar, { description: WEIGHT })
  weightTotalGrams!: string;
}

@InputType({
  description:
    'Changes to a filament. Members that are left out stay as they are; null removes what may be null, and leaves the others.',
})
export class UpdateFilamentInput extends FilamentMembers {
  @Field(() => String, { nullable: true, description: NAME })
  name?: string | null;

  @Field(() => ID, {
    nullable: true,
    description: 'GUID of the material. BAD_USER_INPUT when there is none, or when another is archived.',
  })
  materialId?: string | null;

  @Field(() => DecimalScalar, { nullable: true, description: 'Filament diameter in mm, above 0.' })
  filamentDiameterMm?: string | null;

  @Field(() => DecimalScalar, { nullable: true, description: WEIGHT })
  weightTotalGrams?: string | null;
}
