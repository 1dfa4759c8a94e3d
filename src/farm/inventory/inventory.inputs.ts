// The inputs of printers, spools and materials.
import { ArgsType, Field, ID, InputType } from 'type-graphql';
import { MAX_KEY_LENGTH } from '../../values/text';
import { OffsetArguments, pageArguments } from '../graph/page-arguments';
import { DecimalScalar } from '../graph/scalars';
import type { Material, Printer, Spool } from './inventory.types';

export const PAGE_OF_INVENTORY = 50;

@ArgsType()
export class InventoryPageArguments extends pageArguments(PAGE_OF_INVENTORY, OffsetArguments) {}

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

@InputType({ description: 'A spool to add.' })
export class CreateSpoolInput implements Partial<Spool> {
  @Field(() => String, { description: `Serial text, 1 to ${MAX_KEY_LENGTH} characters. CONFLICT when it is taken.` })
  spoolSerial!: string;

  @Field(() => DecimalScalar, { description: 'Filament diameter in mm, above 0; usually 1.75 or 2.85.' })
  filamentDiameterMm!: string;

  @Field(() => DecimalScalar, { description: 'Weight of the filament when new, in grams, 0 or more.' })
  weightTotalGrams!: string;

  @Field(() => DecimalScalar, { nullable: true, description: 'Price of the whole spool, 0 or more.' })
  purchasePrice?: string | null;

  @Field(() => ID, { description: 'GUID of the material; BAD_USER_INPUT when there is none, or when it is archived.' })
  materialId!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Colour as # and six hexadecimal digits, kept in upper case.',
  })
  colorHex?: string | null;

  @Field(() => String, {
    nullable: true,
    description: `The seller or maker, at most ${MAX_KEY_LENGTH} characters; the empty text is none.`,
  })
  vendor?: string | null;
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
}
