// Lots, comments, own fields and ids in other programs in the GraphQL schema.
import { FieldResolver, Resolver, Root } from 'type-graphql';
import { Requires } from '../graph/rights';
import type { DetailStore } from './details.store';
import { ExternalId, ExtraValue } from './details.types';
import { Filament } from './filament.types';
import type { SpoolDetails } from './inventory.rows';
import { Spool } from './inventory.types';

const EXTRA = "The values of the farm's own fields, by key.";
const EXTERNAL_IDS = 'Where it was imported from. Empty if it was not imported.';

/** The details of an object that was removed after it was read. */
const NONE = { lotNumber: null, comment: null, extra: [], externalIds: [] };

@Resolver(() => Spool)
export class SpoolDetailsResolver {
  constructor(private readonly store: DetailStore) {}

  @Requires('read')
  @FieldResolver(() => String, {
    nullable: true,
    description: 'The number of the lot in which the vendor made the filament; null if unknown.',
  })
  async lotNumber(@Root() spool: Spool): Promise<string | null> {
    return (await this.detailsOf(spool)).lotNumber;
  }

  @Requires('read')
  @FieldResolver(() => String, { nullable: true, description: 'What a user noted about the spool; null for nothing.' })
  async comment(@Root() spool: Spool): Promise<string | null> {
    return (await this.detailsOf(spool)).comment;
  }

  @FieldResolver(() => [ExtraValue], { description: EXTRA })
  async extra(@Root() spool: Spool): Promise<ExtraValue[]> {
    return (await this.detailsOf(spool)).extra;
  }

  @FieldResolver(() => [ExternalId], { description: EXTERNAL_IDS })
  async externalIds(@Root() spool: Spool): Promise<ExternalId[]> {
    return (await this.detailsOf(spool)).externalIds;
  }

  async detailsOf({ id }: Spool): Promise<Omit<SpoolDetails, 'id'>> {
    return (await this.store.ofSpool.load(id)) ?? NONE;
  }
}

@Resolver(() => Filament)
export class FilamentDetailsResolver {
  constructor(private readonly store: DetailStore) {}

  @FieldResolver(() => [ExtraValue], { description: EXTRA })
  async extra(@Root() { id }: Filament): Promise<ExtraValue[]> {
    return (await this.store.ofFilament.load(id))?.extra ?? [];
  }

  @FieldResolver(() => [ExternalId], { description: EXTERNAL_IDS })
  async externalIds(@Root() { id }: Filament): Promise<ExternalId[]> {
    return (await this.store.ofFilament.load(id))?.externalIds ?? [];
  }
}
