// The currency of the farm in the graph: all prices and costs are amounts of it.
import { Query, Resolver } from 'type-graphql';

@Resolver()
export class CurrencyResolver {
  /** @param code of ISO 4217; null when the farm has named none */
  constructor(private readonly code: string | null) {}

  @Query(() => String, {
    nullable: true,
    description: 'The currency of all prices and costs, a code of ISO 4217 such as EUR; null when the farm names none.',
  })
  currency(): string | null {
    return this.code;
  }
}
