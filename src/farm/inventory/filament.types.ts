// Filaments as the graph shows them.
import { createUnionType, Field, ID, Int, ObjectType } from 'type-graphql';
import { Node } from '../graph/node';
import { connectionOf } from '../graph/relay-connection';
import { DateTimeScalar, DecimalScalar } from '../graph/scalars';
import { Material, Spool } from './inventory.types';

@ObjectType({
  implements: Node,
  description: 'What spools are bought as: a product of a vendor, in one colour and size.',
  simpleResolvers: true,
})
export class Filament {
  @Field(() => ID, { description: 'GUID.' })
  id!: string;

  @Field(() => Int, {
    description:
      'A short number that the database gives once, and never again. Filaments and spools have one series: #12 names one thing.',
  })
  number!: number;

  @Field(() => String, { description: 'Name of the product, unique together with the vendor; none counts as one.' })
  name!: string;

  @Field(() => String, { nullable: true, description: 'The seller or maker; null when unknown.' })
  vendor!: string | null;

  @Field(() => Material, { description: 'The material.' })
  material!: Material;

  @Field(() => String, {
    nullable: true,
    description: 'Colour as #RRGGBB, for people’s eyes, such as #1E90FF; null when unknown.',
  })
  colorHex!: string | null;

  @Field(() => DecimalScalar, { description: 'Filament diameter in mm, above 0.' })
  filamentDiameterMm!: string;

  @Field(() => DecimalScalar, { description: 'Weight of the filament on a new spool, in grams, 0 or more.' })
  weightTotalGrams!: string;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Weight of the empty spool in grams; null when it is not known.',
  })
  tareGrams!: string | null;

  @Field(() => DecimalScalar, { nullable: true, description: 'Price of a new spool; null when unknown.' })
  purchasePrice!: string | null;

  @Field(() => String, { nullable: true, description: 'What the vendor calls it in orders; null when unknown.' })
  articleNumber!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'It is low when stock.freeGrams is below these grams; null: never.',
  })
  minimumGrams!: string | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description:
      'Out of use since then; null: in use. Spools keep it; new spools of it are refused, and it is never low.',
  })
  archivedAt!: string | null;

  @Field(() => DateTimeScalar, { description: 'When the filament was added.' })
  createdAt!: string;

  @Field(() => DateTimeScalar, { description: 'When the filament was last changed.' })
  updatedAt!: string;
}

export const FilamentConnection = connectionOf(
  Filament,
  'filaments',
  'The exact number of filaments in the list, on all pages; counted only when selected.',
);

export const Numbered = createUnionType({
  name: 'Numbered',
  description: 'What has a number of the one series of filaments and spools.',
  types: () => [Filament, Spool] as const,
});
