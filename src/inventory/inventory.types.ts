// Printers, spools and materials as the graph shows them.
import { Field, ID, ObjectType } from 'type-graphql';
import { connectionOf } from '../graph/connection';
import { DateTimeScalar, DecimalScalar } from '../graph/scalars';

@ObjectType({ description: 'A kind of filament, such as PLA, with its density.', simpleResolvers: true })
export class Material {
  @Field(() => ID, { description: 'GUID.' })
  id!: string;

  @Field(() => String, { description: 'Name such as PLA, unique.' })
  name!: string;

  @Field(() => DecimalScalar, { description: 'Density in g/cm3, above 0.' })
  densityGPerCm3!: string;
}

@ObjectType({ description: 'A 3D printer.', simpleResolvers: true })
export class Printer {
  @Field(() => ID, { description: 'GUID.' })
  id!: string;

  @Field(() => String, { description: 'Name for people, never empty.' })
  name!: string;

  @Field(() => DateTimeScalar, { description: 'When the printer was added.' })
  createdAt!: string;

  @Field(() => DateTimeScalar, { description: 'When the printer was last changed.' })
  updatedAt!: string;
}

@ObjectType({ description: 'A spool of filament.', simpleResolvers: true })
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

  @Field(() => Material, { description: 'The material of the filament.' })
  material!: Material;

  @Field(() => DateTimeScalar, { description: 'When the spool was added.' })
  createdAt!: string;

  @Field(() => DateTimeScalar, { description: 'When the spool was last changed.' })
  updatedAt!: string;
}

export const { Connection: PrinterConnection, ConnectionResolver: PrinterConnectionResolver } = connectionOf<Printer>(
  Printer,
  'Printer',
  'printers',
  'The exact number of printers; counted only when selected.',
);

export const { Connection: SpoolConnection, ConnectionResolver: SpoolConnectionResolver } = connectionOf<Spool>(
  Spool,
  'Spool',
  'spools',
  'The exact number of spools; counted only when selected.',
);
