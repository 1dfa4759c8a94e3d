// What is left of filaments as the graph shows it.
import { Field, Int, ObjectType } from 'type-graphql';
import { DecimalScalar } from '../graph/scalars';

@ObjectType({ description: 'The sums of the spools of a filament that are in use.', simpleResolvers: true })
export class FilamentStock {
  @Field(() => Int, { description: 'How many they are.' })
  spools!: number;

  @Field(() => DecimalScalar, {
    description: 'Their remainingGrams. One that is below 0 counts as 0: no other spool has less for it.',
  })
  remainingGrams!: string;

  @Field(() => DecimalScalar, { description: 'Their plannedGrams.' })
  plannedGrams!: string;

  @Field(() => DecimalScalar, { description: 'remainingGrams less plannedGrams.' })
  freeGrams!: string;

  @Field(() => Boolean, { description: 'Whether freeGrams is below minimumGrams, and the filament in use.' })
  isLow!: boolean;
}
