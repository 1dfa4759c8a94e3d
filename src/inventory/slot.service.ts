// The rules of slots: which a printer has, and how a spool gets into one.
import { archivedLink, orNotFound, unknownLink } from '../errors';
import { parseGuid } from '../values/guid';
import { allRead } from '../values/members';
import { type Moment, refuseLate } from '../values/moment';
import { compareSlots, readSlot } from '../values/slot';
import type { Printer, Spool } from './inventory.types';
import { FIRST_SLOT, MAX_SLOTS_OF_PRINTER } from './slot.limits';
import type { SlotRow } from './slot.rows';
import type { SlotStore } from './slot.store';

/** Finds the printer and the spool; null when there is none. */
export interface SlotLookUps {
  printer(id: string): Promise<Printer | null>;
  spool(id: string): Promise<Spool | null>;
}

export class SlotService {
  constructor(
    private readonly store: SlotStore,
    private readonly lookUps: SlotLookUps,
  ) {}

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

  /** @param spoolId null takes the spool out that is in the slot */
  async load(printerId: string, slot: string, spoolId: string | null, moment: Moment): Promise<Printer> {
    const [printer, place, spool] = await allRead(
      () => parseGuid(printerId, 'printerId'),
      () => readSlot(slot, 'slot'),
      () => (spoolId === null ? null : parseGuid(spoolId, 'spoolId')),
    );
    for (;;) {
      refuseLate(moment);
      const found = orNotFound(await this.lookUps.printer(printer), 'printer', printerId);
      // Also of an archived printer, so that its spool is free.
      if (spool === null) {
        await this.store.empty({ printerId: printer, slot: place });
        return found;
      }
      if (found.archivedAt !== null) throw archivedLink('printer', 'printerId');
      const wanted = await this.lookUps.spool(spool);
      if (wanted === null) throw unknownLink('spool', 'spoolId');
      if (wanted.archivedAt !== null) throw archivedLink('spool', 'spoolId');
      if (await this.store.load({ printerId: printer, slot: place, spoolId: spool }, moment.now)) return found;
    }
  }
}

const emptySlot = (printerId: string): SlotRow => ({
  ...{ printerId, slot: FIRST_SLOT },
  ...{ spoolId: null, loadedAt: null, reported: null },
});
