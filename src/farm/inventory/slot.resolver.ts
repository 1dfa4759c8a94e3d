// The slots of printers in the graph: what is in them, what was in them, and the change of a slot.
import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Resolver, Root } from 'type-graphql';
import { type Page, pageRange, type Selected } from '../../values/page';
import { readSlot } from '../../values/slot';
import type { Context } from '../graph/context';
import { link } from '../graph/link';
import { SelectedOfPage } from '../graph/relay-connection';
import { DateTimeScalar } from '../graph/scalars';
import { Printer, Spool } from './inventory.types';
import type { SlotService } from './slot.service';
import { MAX_SLOTS_OF_PRINTER, type SlotLoadRow, type SlotRow, type SlotStore } from './slot.store';
import { FIRST_SLOT, LoadPageArguments, PAGE_OF_LOADS, PrinterSlot, SlotLoad, SlotLoadConnection } from './slot.types';

@Resolver(() => Printer)
export class PrinterSlotsResolver {
  constructor(
    private readonly service: SlotService,
    private readonly store: SlotStore,
  ) {}

  @FieldResolver(() => [PrinterSlot], { description: 'The positions for filament, in the order of their numbers.' })
  slots(@Root() { id }: Printer): Promise<SlotRow[]> {
    return this.service.ofPrinter(id);
  }

  @FieldResolver(() => SlotLoadConnection, { description: 'The spools that are and were in its slots, newest first.' })
  slotLoads(
    @Root() { id }: Printer,
    @Arg('slot', () => String, { nullable: true, description: 'Only those of this slot; null: of all slots.' })
    slot: string | null | undefined,
    @Args(() => LoadPageArguments) page: LoadPageArguments,
    @SelectedOfPage() selected: Selected,
    @Ctx() context: Context,
  ): Promise<Page<SlotLoadRow>> {
    const range = pageRange(page, selected, PAGE_OF_LOADS);
    return this.store.loadsOfPrinter(
      id,
      { slot: slot == null ? null : readSlot(slot, 'slot'), range },
      context.deadline,
    );
  }

  @Mutation(() => Printer, {
    description:
      'Puts a spool into a slot of a printer, or with null takes out the spool that is in it. A spool is in one slot at a ' +
      'time: from another one it is moved. The same spool in the same slot again changes nothing, but for an earlier `at`: then ' +
      'it was put there at that time, or at the end of the load before. What the ' +
      'slot feeds from then on belongs to the spool: the job of the print that runs is divided there. A print that began before waits ' +
      'for the spool that it began with; with an `at` that is not later than its begin it gets its job, when the spools of all its ' +
      'slots are known. The jobs of prints that are over stay as they are. NOT_FOUND when there is no such printer, BAD_USER_INPUT ' +
      'when the spool is unknown, when one of them is archived, for a time that is not allowed, or when it would be more than ' +
      `${MAX_SLOTS_OF_PRINTER} slots of the printer.`,
  })
  loadSpool(
    @Arg('printerId', () => ID, { description: 'GUID of the printer.' }) printerId: string,
    @Arg('slot', () => String, {
      defaultValue: FIRST_SLOT,
      description: 'The slot: letters and one or two numbers, such as tool:0 or ams:0:2.',
    })
    slot: string,
    @Arg('spoolId', () => ID, { nullable: true, description: 'GUID of the spool; null takes out what is there.' })
    spoolId: string | null | undefined,
    @Arg('at', () => DateTimeScalar, {
      nullable: true,
      description:
        'When the spool was put in or taken out; now when left out. Not in the future, and not before the spool or the slot was ' +
        'last changed.',
    })
    at: string | null | undefined,
    @Ctx() context: Context,
  ): Promise<Printer> {
    return this.service.load({ printerId, slot, spoolId: spoolId ?? null, at: at ?? null }, context);
  }
}

@Resolver(() => Spool)
export class SpoolSlotResolver {
  constructor(private readonly store: SlotStore) {}

  @FieldResolver(() => PrinterSlot, { nullable: true, description: 'The slot that it is in; null when it is in none.' })
  loadedIn(@Root() { id }: Spool): Promise<SlotRow | null> {
    return this.store.slotOfSpool.load(id);
  }

  @FieldResolver(() => SlotLoadConnection, { description: 'The slots that it is and was in, newest first.' })
  slotLoads(
    @Root() { id }: Spool,
    @Args(() => LoadPageArguments) page: LoadPageArguments,
    @SelectedOfPage() selected: Selected,
    @Ctx() context: Context,
  ): Promise<Page<SlotLoadRow>> {
    return this.store.loadsOfSpool(id, pageRange(page, selected, PAGE_OF_LOADS), context.deadline);
  }
}

export const SlotPrinterLink = link(PrinterSlot, 'printer', Printer, ({ printerId }: SlotRow) => printerId, {
  description: 'The printer that it is in.',
});
export const SLOT_LINKS = [
  SlotPrinterLink,
  link(PrinterSlot, 'spool', Spool, ({ spoolId }: SlotRow) => spoolId, {
    nullable: true,
    description: 'The spool that is in it; null: none was said.',
  }),
  link(SlotLoad, 'printer', Printer, ({ printerId }: SlotLoadRow) => printerId, {
    description: 'The printer of the slot.',
  }),
  link(SlotLoad, 'spool', Spool, ({ spoolId }: SlotLoadRow) => spoolId, {
    description: 'The spool that is or was in it.',
  }),
];
