// The inputs that list, create and change printers, spools and materials.
import { ArgsType, Field, ID, InputType } from 'type-graphql';
import { MAX_KEY_LENGTH } from '../../values/text';
import { OffsetArguments, pageArguments } from '../graph/page-arguments';
import { DecimalScalar } from '../graph/scalars';
import { MAX_COMMENT_LENGTH, MAX_LOT_LENGTH, MAX_PLACE_LENGTH } from './inventory.members';
import type { SpoolTexts } from './inventory.rows';
import type { Material, Printer, Spool } from './inventory.types';

export const PAGE_OF_INVENTORY = 50;

@ArgsType()
export class InventoryPageArguments extends pageArguments(PAGE_OF_INVENTORY, OffsetArguments) {}

const SEARCH =
  '#12, or the address in the QR code of a label, finds exactly that number. A label of Spoolman (WEB+SPOOLMAN:S-12, or an address that ends ' +
  'with /spool/show/12, /filament/show/12, ?sel=spool:12 or ?sel=filament:12) finds the object that was imported with this id, and without ' +
  'such an object the number. Any other text is searched as a part of the fields below; a text of digits also finds that number. Fields:';

@ArgsType()
export class PrinterListArguments extends InventoryPageArguments {
  @Field(() => String, {
    nullable: true,
    description: 'Only printers with this part in their name. Upper and lower case are the same.',
  })
  search?: string | null;
}

@ArgsType()
export class SpoolListArguments extends InventoryPageArguments {
  @Field(() => String, {
    nullable: true,
    description: `${SEARCH} the serial, the vendor, the place, the name of the material or of the filament, or its article number. The whole UID of a tag, in any spelling, finds its spool. Upper and lower case are the same.`,
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
    description: `Name such as PLA, 1 to ${MAX_KEY_LENGTH} characters. CONFLICT if the value is in use.`,
  })
  name!: string;

  @Field(() => DecimalScalar, { description: 'Density in g/cm3, above 0.' })
  densityGPerCm3!: string;
}

@InputType({ description: 'Changes to a material. Members that are missing or null do not change.' })
export class UpdateMaterialInput implements Changes<Material> {
  @Field(() => String, {
    nullable: true,
    description: `Name, 1 to ${MAX_KEY_LENGTH} characters. CONFLICT if the value is in use.`,
  })
  name?: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Density in g/cm3, above 0. Existing jobs keep the density with which they were printed.',
  })
  densityGPerCm3?: string | null;
}

@InputType({ description: 'A printer to add.' })
export class CreatePrinterInput implements Partial<Printer> {
  @Field(() => String, { description: `Name, 1 to ${MAX_KEY_LENGTH} characters.` })
  name!: string;
}

@InputType({ description: 'Changes to a printer. Members that are missing or null do not change.' })
export class UpdatePrinterInput implements Changes<Printer> {
  @Field(() => String, { nullable: true, description: `Name, 1 to ${MAX_KEY_LENGTH} characters.` })
  name?: string | null;
}

/** Members that a new spool takes from its filament. */
const describeMemberOfFilament = (description: string) => ({
  nullable: true,
  description: `${description} If missing, the value of the filament.`,
});

@InputType({ description: 'A spool to add.' })
export class CreateSpoolInput implements Changes<Spool & SpoolTexts> {
  @Field(() => String, {
    description: `Serial text, 1 to ${MAX_KEY_LENGTH} characters. CONFLICT if the value is in use.`,
  })
  spoolSerial!: string;

  @Field(() => ID, {
    nullable: true,
    description:
      'GUID of the filament (the product) of the spool; BAD_USER_INPUT if it is unknown or archived. The spool takes missing members from ' +
      'the filament once; later changes of the filament do not change them. Without a filament, material, diameter and weight are required.',
  })
  filamentId?: string | null;

  @Field(() => DecimalScalar, describeMemberOfFilament('Filament diameter in mm, above 0; usually 1.75 or 2.85.'))
  filamentDiameterMm?: string | null;

  @Field(() => DecimalScalar, describeMemberOfFilament('Weight of the filament when new, in grams, 0 or more.'))
  weightTotalGrams?: string | null;

  @Field(() => DecimalScalar, describeMemberOfFilament('Price of the whole spool, 0 or more.'))
  purchasePrice?: string | null;

  @Field(() => ID, describeMemberOfFilament('GUID of the material; BAD_USER_INPUT if it is unknown or archived.'))
  materialId?: string | null;

  @Field(() => String, describeMemberOfFilament('Colour as # and six hexadecimal digits, stored in upper case.'))
  colorHex?: string | null;

  @Field(
    () => String,
    describeMemberOfFilament(
      `The seller or maker, at most ${MAX_KEY_LENGTH} characters; an empty text is stored as null.`,
    ),
  )
  vendor?: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Weight of the empty spool in grams, 0 or more; null to use the value of its filament.',
  })
  tareGrams?: string | null;

  @Field(() => String, {
    nullable: true,
    description: `Where the spool is stored, at most ${MAX_PLACE_LENGTH} characters; a blank text is stored as null.`,
  })
  place?: string | null;

  @Field(() => String, {
    nullable: true,
    description: `The number of the lot, at most ${MAX_LOT_LENGTH} characters; an empty text is stored as null.`,
  })
  lotNumber?: string | null;

  @Field(() => String, {
    nullable: true,
    description: `A note, at most ${MAX_COMMENT_LENGTH} characters; an empty text is stored as null.`,
  })
  comment?: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'The grams left on a spool that is not new, 0 or more. They become an adjustment of the kind OPENING.',
  })
  remainingGrams?: string | null;
}

@InputType({ description: 'Changes to a spool. Missing members do not change.' })
export class UpdateSpoolInput implements Changes<Spool & SpoolTexts> {
  @Field(() => String, {
    nullable: true,
    description: `Serial text, 1 to ${MAX_KEY_LENGTH} characters; null does not change it. CONFLICT if the value is in use.`,
  })
  spoolSerial?: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Filament diameter in mm, above 0; null does not change it.',
  })
  filamentDiameterMm?: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Weight of the filament when new, in grams, 0 or more; null does not change it.',
  })
  weightTotalGrams?: string | null;

  @Field(() => DecimalScalar, { nullable: true, description: 'Price of the whole spool, 0 or more; null removes it.' })
  purchasePrice?: string | null;

  @Field(() => ID, {
    nullable: true,
    description:
      'GUID of the material; null does not change it. BAD_USER_INPUT if a new material is unknown or archived.',
  })
  materialId?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Colour as # and six hexadecimal digits, stored in upper case; null removes it.',
  })
  colorHex?: string | null;

  @Field(() => String, {
    nullable: true,
    description: `The seller or maker, at most ${MAX_KEY_LENGTH} characters; null or an empty text removes it.`,
  })
  vendor?: string | null;

  @Field(() => ID, {
    nullable: true,
    description:
      'GUID of the filament (the product) of the spool; null removes it. BAD_USER_INPUT if a new filament is unknown or archived. No other ' +
      'member of the spool changes.',
  })
  filamentId?: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Weight of the empty spool in grams, 0 or more; null to use the value of its filament.',
  })
  tareGrams?: string | null;

  @Field(() => String, {
    nullable: true,
    description: `Where the spool is stored, at most ${MAX_PLACE_LENGTH} characters; null or a blank text removes it.`,
  })
  place?: string | null;

  @Field(() => String, {
    nullable: true,
    description: `The number of the lot, at most ${MAX_LOT_LENGTH} characters; null or an empty text removes it.`,
  })
  lotNumber?: string | null;

  @Field(() => String, {
    nullable: true,
    description: `A note, at most ${MAX_COMMENT_LENGTH} characters; null or an empty text removes it.`,
  })
  comment?: string | null;
}
