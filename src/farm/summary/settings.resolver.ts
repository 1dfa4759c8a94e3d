// The settings of the gateway that its clients need.
import { Query, Resolver } from 'type-graphql';

@Resolver()
export class SettingsResolver {
  /**
   * @param code of ISO 4217; null when the farm has named none
   * @param url without a slash at its end; null where PUBLIC_URL is not set
   */
  constructor(
    private readonly code: string | null,
    private readonly url: string | null,
  ) {}

  @Query(() => String, {
    nullable: true,
    description: 'The currency of all prices and costs, a code of ISO 4217 such as EUR; null when the farm names none.',
  })
  currency(): string | null {
    return this.code;
  }

  @Query(() => String, {
    nullable: true,
    description:
      'Where people reach the dashboard (PUBLIC_URL), without a slash at its end; null when it was not said.',
  })
  publicUrl(): string | null {
    return this.url;
  }
}
