// Filaments in the graph, and what they share with spools: numbers, and places.
import { Arg, Args, Ctx, FieldResolver, ID, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import { parseGuid } from '../../values/guid';
import { type Page, pageRange, type Selected } from '../../values/page';
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

  @Query(() => Filament, { nullable: true, description: 'One filament; null when there is none.' })
  async filament(@Id('filament') id: string): Promise<Filament | null> {
    return this.inventoryStore.filament.load(parseGuid(id, 'id'));
  }

  @Query(() => FilamentConnection, { description: 'All filaments, by name (code point order), then number.' })
  filaments(
    @ArchivedFilter() archived: boolean | null | undefined,
    @Args(() => FilamentListArguments) { search, ...page }: FilamentListArguments,
    @SelectedOfPage() selected: Selected,
  ): Promise<Page<Filament>> {
    return this.store.filaments(archived ?? null, parseSearch(search), pageRange(page, selected, PAGE_OF_INVENTORY));
  }

  @Query(() => Numbered, {
    nullable: true,
    description: 'The spool or the filament with this number; null when there is none, or when it was removed.',
  })
  byNumber(
    @Arg('number', () => Int, { description: 'The number, without #.' }) number: number,
  ): Promise<typeof Numbered | null> {
    return this.service.byNumber(number);
  }

  @Costs({ size: MAX_PLACES })
  @Query(() => [String], {
    description: `The places of spools in use, each once, in code point order; at most ${MAX_PLACES}. For suggestions.`,
  })
  places(): Promise<string[]> {
    return this.store.places();
  }

  @FieldResolver(() => SpoolConnection, { description: 'Its spools, by serial (code point order).' })
  spools(
    @Root() { id }: Filament,
    @ArchivedFilter() archived: boolean | null | undefined,
    @Args(() => InventoryPageArguments) page: InventoryPageArguments,
    @SelectedOfPage() selected: Selected,
    @Ctx() { deadline }: Context,
  ): Promise<Page<Spool>> {
    const range = pageRange(page, selected, PAGE_OF_INVENTORY);
    return this.inventoryStore.spoolsOf(id, { archived: archived ?? null, range }, deadline);
  }

  @Mutation(() => Filament, {
    description:
      'Adds a filament. CONFLICT when the name is taken, BAD_USER_INPUT when the material is unknown or archived.',
  })
  createFilament(
    @Arg('input', () => CreateFilamentInput, { description: 'The filament.' }) input: CreateFilamentInput,
    @Ctx() context: Context,
  ): Promise<Filament> {
    return this.service.create(input, context);
  }

  @Mutation(() => Filament, {
    description:
      'Changes a filament. Spools, jobs and costs stay as they are. With ofSpools, what changes of material, diameter, colour and ' +
      'vendor is written into its spools in use too, where these have the value that it had; weight and price of spools never change. ' +
      'NOT_FOUND when there is none, CONFLICT when the name is taken, BAD_USER_INPUT when the material is unknown, or when another ' +
      'is archived.',
  })
  updateFilament(
    @Id('filament') id: string,
    @Arg('input', () => UpdateFilamentInput, { description: 'The changes.' }) input: UpdateFilamentInput,
    @Arg('ofSpools', () => Boolean, {
      defaultValue: false,
      description: 'Whether its spools are corrected too.',
    })
    ofSpools: boolean,
    @Ctx() context: Context,
  ): Promise<Filament> {
    return this.service.update(id, input, ofSpools, context);
  }

  @Mutation(() => Filament, {
    description:
      'Takes a filament out of use, or back into it. Spools keep it; new spools of it are refused. NOT_FOUND when there is none.',
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
      'Removes a filament, and answers its id. CONFLICT while spools refer to it: then archive it. NOT_FOUND when there is none.',
  })
  removeFilament(@Id('filament') id: string): Promise<string> {
    return this.inventory.remove('filament', id);
  }
}

export const SpoolFilamentLink = link(Spool, 'filament', Filament, ({ filamentId }: SpoolRow) => filamentId, {
  nullable: true,
  description: 'What it was bought as; null when it was not said.',
});
