// The slots of printers in the graph, and what is in them.
import { FieldResolver, Resolver, Root } from 'type-graphql';
import { Printer, Spool } from './inventory.types';
import type { SlotRow } from './slot.rows';
import type { SlotLookUps, SlotService } from './slot.service';
import { PrinterSlot } from './slot.types';

@Resolver(() => Printer)
export class PrinterSlotsResolver {
  constructor(private readonly service: SlotService) {}

  @FieldResolver(() => [PrinterSlot], { description: 'The places for filament, in the order of their numbers.' })
  slots(@Root() { id }: Printer): Promise<SlotRow[]> {
    return this.service.ofPrinter(id);
  }
}

@Resolver(() => Spool)
export class SpoolSlotResolver {
  constructor(private readonly service: SlotService) {}

  @FieldResolver(() => PrinterSlot, { nullable: true, description: 'The slot that it is in; null when it is in none.' })
  loadedIn(@Root() { id }: Spool): Promise<SlotRow | null> {
    return this.service.ofSpool(id);
  }
}

@Resolver(() => PrinterSlot)
export class SlotLinksResolver {
  constructor(private readonly lookUps: SlotLookUps) {}

  @FieldResolver(() => Printer, { description: 'The printer that it is in.' })
  printer(@Root() { printerId }: SlotRow): Promise<Printer | null> {
    return this.lookUps.printer(printerId);
  }

  @FieldResolver(() => Spool, { nullable: true, description: 'The spool that is in it; null: none was said.' })
  spool(@Root() { spoolId }: SlotRow): Promise<Spool | null> | null {
    return spoolId === null ? null : this.lookUps.spool(spoolId);
  }
}
