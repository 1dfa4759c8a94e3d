// Slots in the GraphQL schema: the spools that are and were in them, and the mutation that loads a spool.
import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Resolver, Root } from 'type-graphql';
import { type Page, readPageRange, type Selected } from '../../values/page';
import { readSlot } from '../../values/slot';
import type { Context } from '../graph/context';
import { link } from '../graph/link';
import { SelectedOfPage } from '../graph/relay-connection';
import { DateTimeScalar } from '../graph/scalars';
import { Printer, Spool } from './inventory.types';
import { MAX_SLOTS_OF_PRINTER, type PrinterSlotStore, type SlotLoadRow, type SlotRow } from './printer-slot.store';
import { FIRST_SLOT, LoadPageArguments, PAGE_OF_LOADS, PrinterSlot, SlotLoad, SlotLoadConnection } from './slot.types';
import type { SpoolLoadingService } from './spool-loading.service';

@Resolver(() => Printer)
export class PrinterSlotsResolver {
  constructor(
    private readonly service: SpoolLoadingService,
    private readonly store: PrinterSlotStore,
  ) {}

  @FieldResolver(() => [PrinterSlot], { description: 'The slots of the printer, in the order of their numbers.' })
  slots(@Root() { id }: Printer): Promise<SlotRow[]> {
    return this.service.ofPrinter(id);
  }

  @FieldResolver(() => SlotLoadConnection, {
    description: 'The loads of its slots: spools that are and were in them, newest first.',
  })
  slotLoads(
    @Root() { id }: Printer,
    @Arg('slot', () => String, { nullable: true, description: 'Only loads of this slot; null for all slots.' })
    slot: string | null | undefined,
    @Args(() => LoadPageArguments) page: LoadPageArguments,
    @SelectedOfPage() selected: Selected,
    @Ctx() context: Context,
  ): Promise<Page<SlotLoadRow>> {
    const range = readPageRange(page, selected, PAGE_OF_LOADS);
    return this.store.loadsOfPrinter(
      id,
      { slot: slot == null ? null : readSlot(slot, 'slot'), range },
      context.deadline,
    );
  }

  @Mutation(() => Printer, {
    description:
      'Puts a spool into a slot of a printer. With the spool null, takes out the spool that is in the slot. A spool is in one slot at a ' +
      'time, so loading it elsewhere takes it out of its slot. Loading a spool into the slot that it is in changes nothing, except with ' +
      'an earlier `at`: the load then starts at that time, or at the end of the previous load. From the start of a load on, the filament ' +
      'that the slot uses counts for its spool: the job of a running print is split there. A print that started earlier needs the spool ' +
      'that was in the slot at its start; it gets its job when such loads of all its slots are known. Jobs of finished prints do not ' +
      'change. NOT_FOUND if there is no such printer. BAD_USER_INPUT if the spool is unknown, if the printer or the spool is archived, if ' +
      `the time is not allowed, or if the printer would have more than ${MAX_SLOTS_OF_PRINTER} slots.`,
  })
  loadSpool(
    @Arg('printerId', () => ID, { description: 'GUID of the printer.' }) printerId: string,
    @Arg('slot', () => String, {
      defaultValue: FIRST_SLOT,
      description: 'The slot: letters and one or two numbers, such as tool:0 or ams:0:2.',
    })
    slot: string,
    @Arg('spoolId', () => ID, {
      nullable: true,
      description: 'GUID of the spool; null takes out the spool in the slot.',
    })
    spoolId: string | null | undefined,
    @Arg('at', () => DateTimeScalar, {
      nullable: true,
      description:
        'When the spool was put in or taken out; now by default. Not in the future, and not before the last change of the spool or the slot.',
    })
    at: string | null | undefined,
    @Ctx() context: Context,
  ): Promise<Printer> {
    return this.service.load({ printerId, slot, spoolId: spoolId ?? null, at: at ?? null }, context);
  }
}

@Resolver(() => Spool)
export class SpoolSlotResolver {
  constructor(private readonly store: PrinterSlotStore) {}

  @FieldResolver(() => PrinterSlot, {
    nullable: true,
    description: 'The slot in which the spool is; null if it is in no slot.',
  })
  loadedIn(@Root() { id }: Spool): Promise<SlotRow | null> {
    return this.store.slotOfSpool.load(id);
  }

  @FieldResolver(() => SlotLoadConnection, {
    description: 'The loads of the spool: slots in which it is and was, newest first.',
  })
  slotLoads(
    @Root() { id }: Spool,
    @Args(() => LoadPageArguments) page: LoadPageArguments,
    @SelectedOfPage() selected: Selected,
    @Ctx() context: Context,
  ): Promise<Page<SlotLoadRow>> {
    return this.store.loadsOfSpool(id, readPageRange(page, selected, PAGE_OF_LOADS), context.deadline);
  }
}

export const SlotPrinterLink = link(PrinterSlot, 'printer', Printer, ({ printerId }: SlotRow) => printerId, {
  description: 'The printer that has the slot.',
});
export const SLOT_LINKS = [
  SlotPrinterLink,
  link(PrinterSlot, 'spool', Spool, ({ spoolId }: SlotRow) => spoolId, {
    nullable: true,
    description: 'The spool that is in the slot; null if none is recorded.',
  }),
  link(SlotLoad, 'printer', Printer, ({ printerId }: SlotLoadRow) => printerId, {
    description: 'The printer of the slot.',
  }),
  link(SlotLoad, 'spool', Spool, ({ spoolId }: SlotLoadRow) => spoolId, {
    description: 'The spool that is or was in the slot.',
  }),
];
