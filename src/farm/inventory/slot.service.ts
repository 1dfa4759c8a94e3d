// The rules of slots: which a printer has.
import { compareSlots } from '../../values/slot';
import type { Printer, Spool } from './inventory.types';
import { FIRST_SLOT, MAX_SLOTS_OF_PRINTER, type SlotRow } from './slot.rows';
import type { SlotStore } from './slot.store';

/** Finds the printer and the spool; null when there is none. */
export interface SlotLookUps {
  printer(id: string): Promise<Printer | null>;
  spool(id: string): Promise<Spool | null>;
}

export class SlotService {
  constructor(private readonly store: SlotStore) {}

  /** In order. A printer whose machine names no slots has the first one. */
  async ofPrinter(id: string): Promise<SlotRow[]> {
    const slots = (await this.store.ofPrinter.load(id)) ?? [];
    const hasFirst =
      slots.length >= MAX_SLOTS_OF_PRINTER ||
      slots.some(({ slot, reported }) => slot === FIRST_SLOT || reported !== null);
    return [...(hasFirst ? [] : [emptySlot(id)]), ...slots].sort((a, b) => compareSlots(a.slot, b.slot));
  }

  ofSpool(id: string): Promise<SlotRow | null> {
    return this.store.ofSpool.load(id);
  }
}

const emptySlot = (printerId: string): SlotRow => ({
  printerId,
  slot: FIRST_SLOT,
  spoolId: null,
  loadedAt: null,
  reported: null,
});
