// The slots of printers in the graph, and what is in them.
import { FieldResolver, Resolver, Root } from 'type-graphql';
import { link } from '../graph/link';
import { Printer, Spool } from './inventory.types';
import type { SlotRow } from './slot.rows';
import type { SlotService } from './slot.service';
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

export const SLOT_LINKS = [
  link(PrinterSlot, 'printer', Printer, ({ printerId }: SlotRow) => printerId, {
    description: 'The printer that it is in.',
  }),
  link(PrinterSlot, 'spool', Spool, ({ spoolId }: SlotRow) => spoolId, {
    nullable: true,
    description: 'The spool that is in it; null: none was said.',
  }),
];
