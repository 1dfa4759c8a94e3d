// Filaments in the GraphQL schema, and the queries that filaments share with spools: by number, and by place.
import { Arg, Args, Ctx, FieldResolver, ID, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import { parseGuid } from '../../values/guid';
import { type Page, readPageRange, type Selected } from '../../values/page';
import type { Context } from '../graph/context';
import { Costs } from '../graph/costs';
import { link } from '../graph/link';
import { SelectedOfPage } from '../graph/relay-connection';
import { CreateFilamentInput, UpdateFilamentInput } from './filament.inputs';
import type { FilamentService } from './filament.service';
import { type FilamentStore, MAX_PLACES } from './filament.store';
import { Filament, FilamentConnection, Numbered } from './filament.types';
import { FilamentListArguments, InventoryPageArguments, PAGE_OF_INVENTORY } from './inventory.inputs';
import { ArchivedArgument, ArchivedFilter, Id } from './inventory.resolver';
import type { SpoolRow } from './inventory.rows';
import type { InventoryService } from './inventory.service';
import type { InventoryStore } from './inventory.store';
import { Spool, SpoolConnection } from './inventory.types';
import { parseSearch } from './stock-search.filter';

@Resolver(() => Filament)
export class FilamentResolver {
  constructor(
    private readonly service: FilamentService,
    private readonly inventory: InventoryService,
    private readonly store: FilamentStore,
    private readonly inventoryStore: InventoryStore,
  ) {}

  @Query(() => Filament, { nullable: true, description: 'One filament; null if there is none.' })
  async filament(@Id('filament') id: string): Promise<Filament | null> {
    return this.inventoryStore.filament.load(parseGuid(id, 'id'));
  }

  @Query(() => FilamentConnection, { description: 'All filaments, by name (code point order), then number.' })
  filaments(
    @ArchivedFilter() archived: boolean | null | undefined,
    @Args(() => FilamentListArguments) { search, ...page }: FilamentListArguments,
    @SelectedOfPage() selected: Selected,
  ): Promise<Page<Filament>> {
    return this.store.filaments(
      archived ?? null,
      parseSearch(search),
      readPageRange(page, selected, PAGE_OF_INVENTORY),
    );
  }

  @Query(() => Numbered, {
    nullable: true,
    description: 'The spool or the filament with this number; null if there is none, or if it was removed.',
  })
  byNumber(
    @Arg('number', () => Int, { description: 'The number, without #.' }) number: number,
  ): Promise<typeof Numbered | null> {
    return this.service.byNumber(number);
  }

  @Costs({ size: MAX_PLACES })
  @Query(() => [String], {
    description: `The places of spools that are not archived, for suggestions: each once, in code point order, at most ${MAX_PLACES}.`,
  })
  places(): Promise<string[]> {
    return this.store.places();
  }

  @FieldResolver(() => SpoolConnection, { description: 'The spools of the filament, by serial (code point order).' })
  spools(
    @Root() { id }: Filament,
    @ArchivedFilter() archived: boolean | null | undefined,
    @Args(() => InventoryPageArguments) page: InventoryPageArguments,
    @SelectedOfPage() selected: Selected,
    @Ctx() { deadline }: Context,
  ): Promise<Page<Spool>> {
    const range = readPageRange(page, selected, PAGE_OF_INVENTORY);
    return this.inventoryStore.spoolsOf(id, { archived: archived ?? null, range }, deadline);
  }

  @Mutation(() => Filament, {
    description:
      'Adds a filament. CONFLICT if the vendor already has a filament of this name, BAD_USER_INPUT if the material is unknown or archived.',
  })
  createFilament(
    @Arg('input', () => CreateFilamentInput, { description: 'The filament.' }) input: CreateFilamentInput,
    @Ctx() context: Context,
  ): Promise<Filament> {
    return this.service.create(input, context);
  }

  @Mutation(() => Filament, {
    description:
      'Changes a filament. Its spools, jobs and costs do not change. With ofSpools, a change of material, diameter, colour or vendor is ' +
      'also written into its spools that are not archived, where a spool has the old value of the filament; weight and price of spools ' +
      'never change. NOT_FOUND if there is no such filament, CONFLICT if the vendor already has a filament of this name, BAD_USER_INPUT ' +
      'if a new material is unknown or archived.',
  })
  updateFilament(
    @Id('filament') id: string,
    @Arg('input', () => UpdateFilamentInput, { description: 'The changes.' }) input: UpdateFilamentInput,
    @Arg('ofSpools', () => Boolean, {
      defaultValue: false,
      description: 'Whether to correct its spools too.',
    })
    ofSpools: boolean,
    @Ctx() context: Context,
  ): Promise<Filament> {
    return this.service.update(id, input, ofSpools, context);
  }

  @Mutation(() => Filament, {
    description:
      'Archives a filament or restores it. Existing spools keep an archived filament; new spools of it are refused. NOT_FOUND if there is no such filament.',
  })
  archiveFilament(
    @Id('filament') id: string,
    @ArchivedArgument() archived: boolean,
    @Ctx() context: Context,
  ): Promise<Filament> {
    return this.inventory.archive('filament', id, archived, context);
  }

  @Mutation(() => ID, {
    description:
      'Removes a filament and answers its id. CONFLICT while spools refer to it: archive it instead. NOT_FOUND if there is no such filament.',
  })
  removeFilament(@Id('filament') id: string): Promise<string> {
    return this.inventory.remove('filament', id);
  }
}

export const SpoolFilamentLink = link(Spool, 'filament', Filament, ({ filamentId }: SpoolRow) => filamentId, {
  nullable: true,
  description: 'The filament (the product) of the spool; null if unknown.',
});
