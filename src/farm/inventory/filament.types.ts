// The GraphQL types of filaments, and of what has a number.
import { createUnionType, Field, ID, Int, ObjectType } from 'type-graphql';
import { defineEnum } from '../graph/enums';
import { Node } from '../graph/node';
import { defineConnection } from '../graph/relay-connection';
import { DateTimeScalar, DecimalScalar } from '../graph/scalars';
import { Material, Spool } from './inventory.types';

export const ColorArrangementEnum = defineEnum('ColorArrangement', 'How a filament has its colours.', {
  COAXIAL: 'Side by side, along the whole length.',
  LONGITUDINAL: 'One after the other.',
});
export type ColorArrangement = keyof typeof ColorArrangementEnum;

@ObjectType({
  implements: Node,
  description: 'A product that you buy: a filament of a vendor in one colour and size. Spools of it take its values.',
  simpleResolvers: true,
})
export class Filament {
  @Field(() => ID, { description: 'GUID.' })
  id!: string;

  @Field(() => Int, {
    description:
      'A short number that the database assigns and never uses again. Filaments and spools share one series, so #12 is one filament or one spool.',
  })
  number!: number;

  @Field(() => String, {
    description:
      'Name of the product, unique for its vendor. Filaments without a vendor count as filaments of one vendor.',
  })
  name!: string;

  @Field(() => String, { nullable: true, description: 'The seller or maker; null if unknown.' })
  vendor!: string | null;

  @Field(() => Material, { description: 'The material.' })
  material!: Material;

  @Field(() => String, {
    nullable: true,
    description:
      'Colour to show, as #RRGGBB, such as #1E90FF; null if unknown. Of a filament with several colours, the first one unless another one was given.',
  })
  colorHex!: string | null;

  @Field(() => [String], {
    description:
      'All colours of a filament with several colours, as #RRGGBB or #RRGGBBAA. Empty if colorHex is its only colour.',
  })
  colorHexes!: string[];

  @Field(() => ColorArrangementEnum, {
    nullable: true,
    description: 'How the filament has its colours; null for a filament with one colour.',
  })
  colorArrangement!: ColorArrangement | null;

  @Field(() => DecimalScalar, { description: 'Filament diameter in mm, above 0.' })
  filamentDiameterMm!: string;

  @Field(() => DecimalScalar, { description: 'Weight of the filament on a new spool, in grams, 0 or more.' })
  weightTotalGrams!: string;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Weight of the empty spool in grams; null if unknown.',
  })
  tareGrams!: string | null;

  @Field(() => DecimalScalar, { nullable: true, description: 'Price of a new spool; null if unknown.' })
  purchasePrice!: string | null;

  @Field(() => String, { nullable: true, description: 'The article number of the vendor; null if unknown.' })
  articleNumber!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Minimum stock in grams. The filament is low if stock.freeGrams is below it; null if it is never low.',
  })
  minimumGrams!: string | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Temperature of the extruder in degrees Celsius, as the vendor recommends it; null if unknown.',
  })
  extruderTempC!: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Temperature of the bed in degrees Celsius, as the vendor recommends it; null if unknown.',
  })
  bedTempC!: number | null;

  @Field(() => String, { nullable: true, description: 'What a user noted about the filament; null for nothing.' })
  comment!: string | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description:
      'When it was archived; null if it is not archived. Existing spools keep it; new spools of it are refused, and it is never low.',
  })
  archivedAt!: string | null;

  @Field(() => DateTimeScalar, { description: 'When the filament was added.' })
  createdAt!: string;

  @Field(() => DateTimeScalar, { description: 'When the filament was last changed.' })
  updatedAt!: string;
}

export const FilamentConnection = defineConnection(
  Filament,
  'filaments',
  'The exact number of filaments in the list, over all pages; counted only if selected.',
);

export const Numbered = createUnionType({
  name: 'Numbered',
  description: 'A filament or a spool, found by its number.',
  types: () => [Filament, Spool] as const,
});
