// The GraphQL type of the stock of a filament.
import { Field, Int, ObjectType } from 'type-graphql';
import { DecimalScalar } from '../graph/scalars';

@ObjectType({
  description: 'The stock of a filament: sums over its spools that are not archived.',
  simpleResolvers: true,
})
export class FilamentStock {
  @Field(() => Int, { description: 'The number of spools of the filament that are not archived.' })
  spools!: number;

  @Field(() => DecimalScalar, {
    description:
      'The sum of remainingGrams of these spools, in grams. A spool below 0 counts as 0, because it takes nothing from the other spools.',
  })
  remainingGrams!: string;

  @Field(() => DecimalScalar, { description: 'The sum of plannedGrams of these spools, in grams.' })
  plannedGrams!: string;

  @Field(() => DecimalScalar, { description: 'remainingGrams less plannedGrams, both in grams.' })
  freeGrams!: string;

  @Field(() => Boolean, {
    description: 'Whether freeGrams is below minimumGrams of the filament. Never true for an archived filament.',
  })
  isLow!: boolean;
}
