// The slots of printers in the graph, and what is in them.
import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Context } from '../graph/context';
import { Printer, Spool } from './inventory.types';
import type { SlotRow } from './slot.rows';
import type { SlotLookUps, SlotService } from './slot.service';
import { PrinterSlot } from './slot.types';

@Resolver(() => Printer)
export class PrinterSlotsResolver {
  constructor(private readonly service: SlotService) {}

  @FieldResolver(() => [PrinterSlot], { description: 'The places for filament, in the order of their numbers.' })
  slots(@Root() { id }: Printer, @Ctx() { caller }: Context): Promise<SlotRow[]> {
    caller.mayRead();
    return this.service.ofPrinter(id);
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
