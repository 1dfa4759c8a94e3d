// The GraphQL types of printers, spools and materials.
import { Field, ID, Int, ObjectType } from 'type-graphql';
import { Node } from '../graph/node';
import { defineConnection } from '../graph/relay-connection';
import { DateTimeScalar, DecimalScalar } from '../graph/scalars';

const ARCHIVED_AT = { nullable: true, description: 'When it was archived; null if it is not archived.' } as const;
const JOBS_KEEP_IT = {
  ...ARCHIVED_AT,
  description: `${ARCHIVED_AT.description} Existing jobs keep it; new jobs with it are refused.`,
};

@ObjectType({
  implements: Node,
  description: 'A kind of filament, such as PLA, with its density.',
  simpleResolvers: true,
})
export class Material {
  @Field(() => ID, { description: 'GUID.' })
  id!: string;

  @Field(() => String, { description: 'Name such as PLA, unique.' })
  name!: string;

  @Field(() => DecimalScalar, { description: 'Density in g/cm3, above 0.' })
  densityGPerCm3!: string;

  @Field(() => DateTimeScalar, {
    ...ARCHIVED_AT,
    description: `${ARCHIVED_AT.description} Existing spools keep it; new spools with it are refused.`,
  })
  archivedAt!: string | null;
}

@ObjectType({ implements: Node, description: 'A 3D printer.', simpleResolvers: true })
export class Printer {
  @Field(() => ID, { description: 'GUID.' })
  id!: string;

  @Field(() => String, { description: 'Name, never empty.' })
  name!: string;

  @Field(() => DateTimeScalar, { description: 'When the printer was added.' })
  createdAt!: string;

  @Field(() => DateTimeScalar, { description: 'When the printer was last changed.' })
  updatedAt!: string;

  @Field(() => DateTimeScalar, JOBS_KEEP_IT)
  archivedAt!: string | null;
}

@ObjectType({ implements: Node, description: 'A spool of filament.', simpleResolvers: true })
export class Spool {
  @Field(() => ID, { description: 'GUID.' })
  id!: string;

  @Field(() => String, { description: 'Serial text on the spool, unique.' })
  spoolSerial!: string;

  @Field(() => DecimalScalar, { description: 'Filament diameter in mm, above 0.' })
  filamentDiameterMm!: string;

  @Field(() => DecimalScalar, { description: 'Weight of the filament when new, in grams, 0 or more.' })
  weightTotalGrams!: string;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Price of the whole spool, 0 or more; null if unknown.',
  })
  purchasePrice!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Colour to show, as #RRGGBB, such as #1E90FF; null if unknown.',
  })
  colorHex!: string | null;

  @Field(() => String, { nullable: true, description: 'The seller or maker; null if unknown.' })
  vendor!: string | null;

  @Field(() => Material, { description: 'The material of the filament.' })
  material!: Material;

  @Field(() => Int, {
    description:
      'A short number that the database assigns and never uses again. Filaments and spools share one series, so #12 is one filament or one spool.',
  })
  number!: number;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Weight of the empty spool in grams; null if the value of its filament counts.',
  })
  tareGrams!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Where the spool is stored while it is in no slot, such as Dry box 2; null if unknown.',
  })
  place!: string | null;

  @Field(() => DateTimeScalar, { description: 'When the spool was added.' })
  createdAt!: string;

  @Field(() => DateTimeScalar, { description: 'When the spool was last changed.' })
  updatedAt!: string;

  @Field(() => DateTimeScalar, JOBS_KEEP_IT)
  archivedAt!: string | null;
}

export const PrinterConnection = defineConnection(
  Printer,
  'printers',
  'The exact number of printers in the list, over all pages; counted only if selected.',
);

export const SpoolConnection = defineConnection(
  Spool,
  'spools',
  'The exact number of spools in the list, over all pages; counted only if selected.',
);

/** The printer and the spool of a job; `null` if there is none. */
export interface FoundLinks {
  printer: Printer | null;
  spool: Spool | null;
}
