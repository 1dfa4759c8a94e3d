// The inputs of printers, spools and materials.
import { ArgsType, Field, ID, InputType } from 'type-graphql';
import { MAX_KEY_LENGTH } from '../../values/text';
import { OffsetArguments, pageArguments } from '../graph/page-arguments';
import { DecimalScalar } from '../graph/scalars';
import type { Material, Printer, Spool } from './inventory.types';

export const PAGE_OF_INVENTORY = 50;
export const MAX_PLACE_LENGTH = 100;

@ArgsType()
export class InventoryPageArguments extends pageArguments(PAGE_OF_INVENTORY, OffsetArguments) {}

const SEARCH =
  '#12, or the address that a label holds, finds that number alone. Digits find the number, and all else, too: a part of';

@ArgsType()
export class SpoolListArguments extends InventoryPageArguments {
  @Field(() => String, {
    nullable: true,
    description: `${SEARCH} the serial, the vendor, the place, the name of the material or of the filament, or its article number. Upper and lower case are the same.`,
  })
  search?: string | null;

  @Field(() => ID, { nullable: true, description: 'Only spools of the filament with this GUID.' })
  filamentId?: string | null;
}

@ArgsType()
export class FilamentListArguments extends InventoryPageArguments {
  @Field(() => String, {
    nullable: true,
    description: `${SEARCH} the name, the vendor, the name of the material, or the article number. Upper and lower case are the same.`,
  })
  search?: string | null;
}

type Changes<Entity> = { [Member in keyof Entity]?: Entity[Member] | null };

@InputType({ description: 'A material to add.' })
export class CreateMaterialInput implements Partial<Material> {
  @Field(() => String, {
    description: `Name such as PLA, 1 to ${MAX_KEY_LENGTH} characters. CONFLICT when it is taken.`,
  })
  name!: string;

  @Field(() => DecimalScalar, { description: 'Density in g/cm3, above 0.' })
  densityGPerCm3!: string;
}

@InputType({ description: 'Changes to a material. Members that are left out or null stay as they are.' })
export class UpdateMaterialInput implements Changes<Material> {
  @Field(() => String, {
    nullable: true,
    description: `Name, 1 to ${MAX_KEY_LENGTH} characters. CONFLICT when it is taken.`,
  })
  name?: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Density in g/cm3, above 0. Jobs keep the density they were printed with.',
  })
  densityGPerCm3?: string | null;
}

@InputType({ description: 'A printer to add.' })
export class CreatePrinterInput implements Partial<Printer> {
  @Field(() => String, { description: `Name for people, 1 to ${MAX_KEY_LENGTH} characters.` })
  name!: string;
}

@InputType({ description: 'Changes to a printer. Members that are left out or null stay as they are.' })
export class UpdatePrinterInput implements Changes<Printer> {
  @Field(() => String, { nullable: true, description: `Name for people, 1 to ${MAX_KEY_LENGTH} characters.` })
  name?: string | null;
}

/** The members of a spool that are taken from its filament, with what the input says of them. */
const ofFilament = (description: string) => ({
  nullable: true,
  description: `${description} With a filament its own, when left out.`,
});

@InputType({ description: 'A spool to add.' })
export class CreateSpoolInput implements Changes<Spool> {
  @Field(() => String, { description: `Serial text, 1 to ${MAX_KEY_LENGTH} characters. CONFLICT when it is taken.` })
  spoolSerial!: string;

  @Field(() => ID, {
    nullable: true,
    description:
      'GUID of what it was bought as; BAD_USER_INPUT when there is none, or when it is archived. Members that are left out, or null, ' +
      'are taken from it, and are the spool’s own from then on; without it material, diameter and weight are required.',
  })
  filamentId?: string | null;

  @Field(() => DecimalScalar, ofFilament('Filament diameter in mm, above 0; usually 1.75 or 2.85.'))
  filamentDiameterMm?: string | null;

  @Field(() => DecimalScalar, ofFilament('Weight of the filament when new, in grams, 0 or more.'))
  weightTotalGrams?: string | null;

  @Field(() => DecimalScalar, ofFilament('Price of the whole spool, 0 or more.'))
  purchasePrice?: string | null;

  @Field(() => ID, ofFilament('GUID of the material; BAD_USER_INPUT when there is none, or when it is archived.'))
  materialId?: string | null;

  @Field(() => String, ofFilament('Colour as # and six hexadecimal digits, kept in upper case.'))
  colorHex?: string | null;

  @Field(() => String, ofFilament(`The seller or maker, at most ${MAX_KEY_LENGTH} characters; the empty text is none.`))
  vendor?: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Weight of this empty spool in grams, 0 or more; null: that of its filament, when it is weighed.',
  })
  tareGrams?: string | null;

  @Field(() => String, {
    nullable: true,
    description: `Where it is kept, at most ${MAX_PLACE_LENGTH} characters; a blank text is none.`,
  })
  place?: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'What is left of a spool that is not new, in grams, 0 or more: an adjustment of the kind OPENING.',
  })
  remainingGrams?: string | null;
}

@InputType({ description: 'Changes to a spool. Members that are left out stay as they are.' })
export class UpdateSpoolInput implements Changes<Spool> {
  @Field(() => String, {
    nullable: true,
    description: `Serial text, 1 to ${MAX_KEY_LENGTH} characters; null leaves it. CONFLICT when it is taken.`,
  })
  spoolSerial?: string | null;

  @Field(() => DecimalScalar, { nullable: true, description: 'Filament diameter in mm, above 0; null leaves it.' })
  filamentDiameterMm?: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Weight of the filament when new, in grams, 0 or more; null leaves it.',
  })
  weightTotalGrams?: string | null;

  @Field(() => DecimalScalar, { nullable: true, description: 'Price of the whole spool, 0 or more; null removes it.' })
  purchasePrice?: string | null;

  @Field(() => ID, {
    nullable: true,
    description:
      'GUID of the material; null leaves it. BAD_USER_INPUT when there is none, or when another is archived.',
  })
  materialId?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Colour as # and six hexadecimal digits, kept in upper case; null removes it.',
  })
  colorHex?: string | null;

  @Field(() => String, {
    nullable: true,
    description: `The seller or maker, at most ${MAX_KEY_LENGTH} characters; null or the empty text removes it.`,
  })
  vendor?: string | null;

  @Field(() => ID, {
    nullable: true,
    description:
      'GUID of what it was bought as; null removes it. BAD_USER_INPUT when there is none, or when another is archived. No other member ' +
      'of the spool changes.',
  })
  filamentId?: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Weight of this empty spool in grams, 0 or more; null: that of its filament.',
  })
  tareGrams?: string | null;

  @Field(() => String, {
    nullable: true,
    description: `Where it is kept, at most ${MAX_PLACE_LENGTH} characters; null or a blank text removes it.`,
  })
  place?: string | null;
}
