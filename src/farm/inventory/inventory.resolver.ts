// Printers, spools and materials in the graph.
import { Arg, Args, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';
import { parseGuid } from '../../values/guid';
import { type Page, pageRange, type Selected } from '../../values/page';
import type { Context } from '../graph/context';
import { SelectedOfPage } from '../graph/relay-connection';
import {
  CreateMaterialInput,
  CreatePrinterInput,
  CreateSpoolInput,
  InventoryPageArguments,
  PAGE_OF_INVENTORY,
  SpoolListArguments,
  UpdateMaterialInput,
  UpdatePrinterInput,
  UpdateSpoolInput,
} from './inventory.inputs';
import type { InventoryService } from './inventory.service';
import type { InventoryStore } from './inventory.store';
import { Material, Printer, PrinterConnection, Spool, SpoolConnection } from './inventory.types';
import { parseSearch } from './stock-search.filter';

export const Id = (object: string) => Arg('id', () => ID, { description: `GUID of the ${object}.` });
export const ArchivedFilter = () =>
  Arg('archived', () => Boolean, {
    nullable: true,
    description: 'Only those out of use (true), or only those in use (false); null: all.',
  });
export const ArchivedArgument = () =>
  Arg('archived', () => Boolean, { defaultValue: true, description: 'Out of use (true), or back in use (false).' });

@Resolver()
export class InventoryResolver {
  constructor(
    private readonly service: InventoryService,
    private readonly store: InventoryStore,
  ) {}

  @Query(() => Printer, { nullable: true, description: 'One printer; null when there is none.' })
  async printer(@Id('printer') id: string): Promise<Printer | null> {
    return this.store.printer.load(parseGuid(id, 'id'));
  }

  @Query(() => PrinterConnection, { description: 'All printers, by name (code point order), then id.' })
  printers(
    @ArchivedFilter() archived: boolean | null | undefined,
    @Args(() => InventoryPageArguments) page: InventoryPageArguments,
    @SelectedOfPage() selected: Selected,
  ): Promise<Page<Printer>> {
    return this.store.printers(archived ?? null, pageRange(page, selected, PAGE_OF_INVENTORY));
  }

  @Query(() => Spool, { nullable: true, description: 'One spool; null when there is none.' })
  async spool(@Id('spool') id: string): Promise<Spool | null> {
    return this.store.spool.load(parseGuid(id, 'id'));
  }

  @Query(() => SpoolConnection, { description: 'All spools, by serial (code point order).' })
  spools(
    @ArchivedFilter() archived: boolean | null | undefined,
    @Args(() => SpoolListArguments) { search, filamentId, ...page }: SpoolListArguments,
    @SelectedOfPage() selected: Selected,
  ): Promise<Page<Spool>> {
    const filament = filamentId == null ? null : parseGuid(filamentId, 'filamentId');
    return this.store.spools(
      { archived: archived ?? null, search: parseSearch(search), filamentId: filament },
      pageRange(page, selected, PAGE_OF_INVENTORY),
    );
  }

  @Query(() => Material, { nullable: true, description: 'One material; null when there is none.' })
  async material(@Id('material') id: string): Promise<Material | null> {
    return this.store.material.load(parseGuid(id, 'id'));
  }

  @Query(() => [Material], { description: 'All materials, by name (code point order).' })
  materials(@ArchivedFilter() archived: boolean | null | undefined): Promise<Material[]> {
    return this.store.materials(archived ?? null);
  }

  @Mutation(() => Material, { description: 'Adds a material. CONFLICT when the name is taken.' })
  createMaterial(
    @Arg('input', () => CreateMaterialInput, { description: 'The material.' }) input: CreateMaterialInput,
    @Ctx() context: Context,
  ): Promise<Material> {
    return this.service.createMaterial(input, context);
  }

  @Mutation(() => Material, {
    description:
      'Changes a material; jobs keep the density they were printed with. NOT_FOUND when there is none, CONFLICT when the ' +
      'name is taken.',
  })
  updateMaterial(
    @Id('material') id: string,
    @Arg('input', () => UpdateMaterialInput, { description: 'The changes.' }) input: UpdateMaterialInput,
  ): Promise<Material> {
    return this.service.updateMaterial(id, input);
  }

  @Mutation(() => Spool, {
    description:
      'Adds a spool. With a filament, what is left out is taken from that; then it is the spool’s own. CONFLICT when the serial is ' +
      'taken, BAD_USER_INPUT when the material or the filament is unknown or archived.',
  })
  createSpool(
    @Arg('input', () => CreateSpoolInput, { description: 'The spool.' }) input: CreateSpoolInput,
    @Ctx() context: Context,
  ): Promise<Spool> {
    return this.service.createSpool(input, context);
  }

  @Mutation(() => Spool, {
    description:
      'Changes a spool; jobs keep the diameter they were printed with. NOT_FOUND when there is none, CONFLICT when the ' +
      'serial is taken, BAD_USER_INPUT when the material or the filament is unknown, or when another is archived.',
  })
  updateSpool(
    @Id('spool') id: string,
    @Arg('input', () => UpdateSpoolInput, { description: 'The changes.' }) input: UpdateSpoolInput,
    @Ctx() context: Context,
  ): Promise<Spool> {
    return this.service.updateSpool(id, input, context);
  }

  @Mutation(() => Printer, { description: 'Adds a printer.' })
  createPrinter(
    @Arg('input', () => CreatePrinterInput, { description: 'The printer.' }) input: CreatePrinterInput,
    @Ctx() context: Context,
  ): Promise<Printer> {
    return this.service.createPrinter(input, context);
  }

  @Mutation(() => Printer, { description: 'Changes a printer. NOT_FOUND when there is none.' })
  updatePrinter(
    @Id('printer') id: string,
    @Arg('input', () => UpdatePrinterInput, { description: 'The changes.' }) input: UpdatePrinterInput,
    @Ctx() context: Context,
  ): Promise<Printer> {
    return this.service.updatePrinter(id, input, context);
  }

  @Mutation(() => Printer, {
    description:
      'Takes a printer out of use, or back into it. Jobs and cameras keep it; new jobs are refused. Its device stays connected: its ' +
      'prints are recorded, and wait until the printer is used again. NOT_FOUND when there is none.',
  })
  archivePrinter(
    @Id('printer') id: string,
    @ArchivedArgument() archived: boolean,
    @Ctx() context: Context,
  ): Promise<Printer> {
    return this.service.archive('printer', id, archived, context);
  }

  @Mutation(() => Spool, {
    description:
      'Takes a spool out of use, or back into it. Jobs keep it; new jobs are refused. NOT_FOUND when there is none.',
  })
  archiveSpool(
    @Id('spool') id: string,
    @ArchivedArgument() archived: boolean,
    @Ctx() context: Context,
  ): Promise<Spool> {
    return this.service.archive('spool', id, archived, context);
  }

  @Mutation(() => Material, {
    description:
      'Takes a material out of use, or back into it. Spools keep it; new spools are refused. NOT_FOUND when there is none.',
  })
  archiveMaterial(
    @Id('material') id: string,
    @ArchivedArgument() archived: boolean,
    @Ctx() context: Context,
  ): Promise<Material> {
    return this.service.archive('material', id, archived, context);
  }

  @Mutation(() => ID, {
    description:
      'Removes a printer with its device, and answers its id. CONFLICT while print jobs or observed prints refer to it: then archive ' +
      'it. NOT_FOUND when there is none. Its cameras stay, without a printer. Where it has a device, it needs the right to configure ' +
      'devices too.',
  })
  removePrinter(@Id('printer') id: string, @Ctx() context: Context): Promise<string> {
    return this.service.removePrinter(id, context.caller.canConfigureDevices);
  }

  @Mutation(() => ID, {
    description:
      'Removes a spool, and answers its id. CONFLICT while print jobs refer to it: then archive it. NOT_FOUND when there is none.',
  })
  removeSpool(@Id('spool') id: string): Promise<string> {
    return this.service.remove('spool', id);
  }

  @Mutation(() => ID, {
    description:
      'Removes a material, and answers its id. CONFLICT while spools or filaments refer to it: then archive it. NOT_FOUND when there is none.',
  })
  removeMaterial(@Id('material') id: string): Promise<string> {
    return this.service.remove('material', id);
  }
}
