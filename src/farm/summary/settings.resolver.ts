// Offers in GraphQL the settings of the gateway that clients need.
import { Query, Resolver } from 'type-graphql';

@Resolver()
export class SettingsResolver {
  /**
   * @param code a currency code of ISO 4217; `null` if the farm has no currency
   * @param url without a trailing slash; `null` if PUBLIC_URL is not set
   */
  constructor(
    private readonly code: string | null,
    private readonly url: string | null,
  ) {}

  @Query(() => String, {
    nullable: true,
    description:
      'The currency of all prices and costs, a code of ISO 4217 such as EUR; null if the farm has no currency.',
  })
  currency(): string | null {
    return this.code;
  }

  @Query(() => String, {
    nullable: true,
    description:
      'The URL at which users reach the dashboard (PUBLIC_URL), without a trailing slash; null if it is not set.',
  })
  publicUrl(): string | null {
    return this.url;
  }
}
