// Printers, spools and materials in the GraphQL schema.
import { Arg, Args, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';
import { parseGuid } from '../../values/guid';
import { type Page, readPageRange, type Selected } from '../../values/page';
import type { Context } from '../graph/context';
import { SelectedOfPage } from '../graph/relay-connection';
import {
  CreateMaterialInput,
  CreatePrinterInput,
  CreateSpoolInput,
  PAGE_OF_INVENTORY,
  PrinterListArguments,
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
    description: 'true for archived objects only, false for objects that are not archived, null for all.',
  });
export const ArchivedArgument = () =>
  Arg('archived', () => Boolean, { defaultValue: true, description: 'true to archive, false to restore.' });

@Resolver()
export class InventoryResolver {
  constructor(
    private readonly service: InventoryService,
    private readonly store: InventoryStore,
  ) {}

  @Query(() => Printer, { nullable: true, description: 'One printer; null if there is none.' })
  async printer(@Id('printer') id: string): Promise<Printer | null> {
    return this.store.printer.load(parseGuid(id, 'id'));
  }

  @Query(() => PrinterConnection, { description: 'All printers, by name (code point order), then id.' })
  printers(
    @ArchivedFilter() archived: boolean | null | undefined,
    @Args(() => PrinterListArguments) { search, ...page }: PrinterListArguments,
    @SelectedOfPage() selected: Selected,
  ): Promise<Page<Printer>> {
    return this.store.printers(archived ?? null, parseSearch(search), readPageRange(page, selected, PAGE_OF_INVENTORY));
  }

  @Query(() => Spool, { nullable: true, description: 'One spool; null if there is none.' })
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
      readPageRange(page, selected, PAGE_OF_INVENTORY),
    );
  }

  @Query(() => Material, { nullable: true, description: 'One material; null if there is none.' })
  async material(@Id('material') id: string): Promise<Material | null> {
    return this.store.material.load(parseGuid(id, 'id'));
  }

  @Query(() => [Material], { description: 'All materials, by name (code point order).' })
  materials(@ArchivedFilter() archived: boolean | null | undefined): Promise<Material[]> {
    return this.store.materials(archived ?? null);
  }

  @Mutation(() => Material, { description: 'Adds a material. CONFLICT if the name is in use.' })
  createMaterial(
    @Arg('input', () => CreateMaterialInput, { description: 'The material.' }) input: CreateMaterialInput,
    @Ctx() context: Context,
  ): Promise<Material> {
    return this.service.createMaterial(input, context);
  }

  @Mutation(() => Material, {
    description:
      'Changes a material. Existing jobs keep the density with which they were printed. NOT_FOUND if there is no such material, CONFLICT ' +
      'if the name is in use.',
  })
  updateMaterial(
    @Id('material') id: string,
    @Arg('input', () => UpdateMaterialInput, { description: 'The changes.' }) input: UpdateMaterialInput,
  ): Promise<Material> {
    return this.service.updateMaterial(id, input);
  }

  @Mutation(() => Spool, {
    description:
      'Adds a spool. With a filament, the spool takes missing members from the filament once. CONFLICT if the serial is in use, ' +
      'BAD_USER_INPUT if the material or the filament is unknown or archived.',
  })
  createSpool(
    @Arg('input', () => CreateSpoolInput, { description: 'The spool.' }) input: CreateSpoolInput,
    @Ctx() context: Context,
  ): Promise<Spool> {
    return this.service.createSpool(input, context);
  }

  @Mutation(() => Spool, {
    description:
      'Changes a spool. Existing jobs keep the diameter with which they were printed. NOT_FOUND if there is no such spool, CONFLICT if the ' +
      'serial is in use, BAD_USER_INPUT if a new material or filament is unknown or archived.',
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

  @Mutation(() => Printer, { description: 'Changes a printer. NOT_FOUND if there is no such printer.' })
  updatePrinter(
    @Id('printer') id: string,
    @Arg('input', () => UpdatePrinterInput, { description: 'The changes.' }) input: UpdatePrinterInput,
    @Ctx() context: Context,
  ): Promise<Printer> {
    return this.service.updatePrinter(id, input, context);
  }

  @Mutation(() => Printer, {
    description:
      'Archives a printer or restores it. Existing jobs and cameras keep an archived printer; new jobs are refused. Its device stays ' +
      'connected: prints are recorded and wait until the printer is restored. NOT_FOUND if there is no such printer.',
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
      'Archives a spool or restores it. Existing jobs keep an archived spool; new jobs are refused. NOT_FOUND if there is no such spool.',
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
      'Archives a material or restores it. Existing spools keep an archived material; new spools are refused. NOT_FOUND if there is no such material.',
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
      'Removes a printer with its device and answers its id. CONFLICT while print jobs or observed prints refer to it: archive it instead. ' +
      'NOT_FOUND if there is no such printer. Its cameras stay, without a printer. If the printer has a device, the caller also needs the ' +
      'right to configure devices.',
  })
  removePrinter(@Id('printer') id: string, @Ctx() context: Context): Promise<string> {
    return this.service.removePrinter(id, context.caller.canConfigureDevices);
  }

  @Mutation(() => ID, {
    description:
      'Removes a spool and answers its id. CONFLICT while print jobs refer to it: archive it instead. NOT_FOUND if there is no such spool.',
  })
  removeSpool(@Id('spool') id: string): Promise<string> {
    return this.service.remove('spool', id);
  }

  @Mutation(() => ID, {
    description:
      'Removes a material and answers its id. CONFLICT while spools or filaments refer to it: archive it instead. NOT_FOUND if there is no such material.',
  })
  removeMaterial(@Id('material') id: string): Promise<string> {
    return this.service.remove('material', id);
  }
}
