// The slots of printers in the graph, and the spools in them.
import { Arg, Ctx, FieldResolver, ID, Mutation, Resolver, Root } from 'type-graphql';
import type { Context } from '../graph/context';
import { Costs } from '../graph/costs';
import { Printer, Spool } from './inventory.types';
import { FIRST_SLOT, MAX_SLOTS_OF_PRINTER, USUAL_SLOTS } from './slot.limits';
import type { SlotRow } from './slot.rows';
import type { SlotLookUps, SlotService } from './slot.service';
import { PrinterSlot } from './slot.types';

@Resolver(() => Printer)
export class PrinterSlotsResolver {
  constructor(private readonly service: SlotService) {}

  @Costs({ size: USUAL_SLOTS })
  @FieldResolver(() => [PrinterSlot], { description: 'The places for filament, in the order of their numbers.' })
  slots(@Root() { id }: Printer, @Ctx() { caller }: Context): Promise<SlotRow[]> {
    caller.mayRead();
    return this.service.ofPrinter(id);
  }

  @Mutation(() => Printer, {
    description:
      'Puts a spool into a slot of a printer, or with null takes out the spool that is in it. A spool is in one slot at a ' +
      'time: from another one it is moved. NOT_FOUND when there is no such printer, BAD_USER_INPUT when the spool is unknown, ' +
      `when one of them is archived, or when it would be more than ${MAX_SLOTS_OF_PRINTER} slots of the printer.`,
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
    @Ctx() context: Context,
  ): Promise<Printer> {
    context.caller.mayWrite();
    return this.service.load(printerId, slot, spoolId ?? null, context);
  }
}

@Resolver(() => Spool)
export class SpoolSlotResolver {
  constructor(private readonly service: SlotService) {}

  @FieldResolver(() => PrinterSlot, { nullable: true, description: 'The slot that it is in; null when it is in none.' })
  loadedIn(@Root() { id }: Spool, @Ctx() { caller }: Context): Promise<SlotRow | null> {
    caller.mayRead();
    return this.service.ofSpool(id);
  }
}

@Resolver(() => PrinterSlot)
export class SlotLinksResolver {
  constructor(private readonly lookUps: SlotLookUps) {}

  @FieldResolver(() => Printer, { description: 'The printer that it is in.' })
  printer(@Root() { printerId }: SlotRow, @Ctx() { caller }: Context): Promise<Printer | null> {
    caller.mayRead();
    return this.lookUps.printer(printerId);
  }

  @FieldResolver(() => Spool, { nullable: true, description: 'The spool that is in it; null: none was said.' })
  spool(@Root() { spoolId }: SlotRow, @Ctx() { caller }: Context): Promise<Spool | null> | null {
    caller.mayRead();
    return spoolId === null ? null : this.lookUps.spool(spoolId);
  }
}
