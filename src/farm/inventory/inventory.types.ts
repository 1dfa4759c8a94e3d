// Printers, spools and materials as the graph shows them.
import { Field, ID, Int, ObjectType } from 'type-graphql';
import { Node } from '../graph/node';
import { connectionOf } from '../graph/relay-connection';
import { DateTimeScalar, DecimalScalar } from '../graph/scalars';

const ARCHIVED_AT = { nullable: true, description: 'Out of use since then; null: in use.' } as const;
const JOBS_KEEP_IT = { ...ARCHIVED_AT, description: `${ARCHIVED_AT.description} Jobs keep it; new jobs are refused.` };

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
    description: `${ARCHIVED_AT.description} Spools keep it; new spools are refused.`,
  })
  archivedAt!: string | null;
}

@ObjectType({ implements: Node, description: 'A 3D printer.', simpleResolvers: true })
export class Printer {
  @Field(() => ID, { description: 'GUID.' })
  id!: string;

  @Field(() => String, { description: 'Name for people, never empty.' })
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
    description: 'Price of the whole spool, 0 or more; null when unknown.',
  })
  purchasePrice!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Colour as #RRGGBB, for people’s eyes, such as #1E90FF; null when unknown.',
  })
  colorHex!: string | null;

  @Field(() => String, { nullable: true, description: 'The seller or maker; null when unknown.' })
  vendor!: string | null;

  @Field(() => Material, { description: 'The material of the filament.' })
  material!: Material;

  @Field(() => Int, {
    description:
      'A short number that the database gives once, and never again. Filaments and spools have one series: #12 names one thing.',
  })
  number!: number;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Weight of this empty spool in grams; null: that of its filament.',
  })
  tareGrams!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Where it is kept while it is in no slot, such as Dry box 2; null when it was not said.',
  })
  place!: string | null;

  @Field(() => DateTimeScalar, { description: 'When the spool was added.' })
  createdAt!: string;

  @Field(() => DateTimeScalar, { description: 'When the spool was last changed.' })
  updatedAt!: string;

  @Field(() => DateTimeScalar, JOBS_KEEP_IT)
  archivedAt!: string | null;
}

export const PrinterConnection = connectionOf(
  Printer,
  'printers',
  'The exact number of printers in the list, on all pages; counted only when selected.',
);

export const SpoolConnection = connectionOf(
  Spool,
  'spools',
  'The exact number of spools in the list, on all pages; counted only when selected.',
);

/** The printer and the spool of a job; null where there is none. */
export interface FoundLinks {
  printer: Printer | null;
  spool: Spool | null;
}
