// The slots that prints use.
import type { Queryable } from '../../database/queryable';
import { Prisma } from '../../generated/prisma/client';
import { MAX_SLOTS_OF_PRINTER } from './slot.rows';

interface PresentSlot {
  slot: string;
  isEmpty: boolean;
}

/**
 * In a transaction. A machine may invent slots: beyond the bound the oldest ones without a spool make room, and what then has none
 * is left out.
 */
export async function addSlots(database: Queryable, printerId: string, slots: readonly string[]): Promise<void> {
  const used = slots.slice(0, MAX_SLOTS_OF_PRINTER);
  if (lackedOf(used, await slotsOf(database, printerId)).length === 0) return;
  // As the trigger of src/inventory/slots.sql takes it.
  const lock = Prisma.sql`pg_advisory_xact_lock(hashtextextended('printer_slots ' || ${printerId}::uuid, 0))`;
  await database.json('inventory.lockSlots', Prisma.sql`select to_json(${lock} is not null) as value`);
  const present = await slotsOf(database, printerId);
  const lacked = lackedOf(used, present);
  const unused = present.filter(({ slot, isEmpty }) => isEmpty && !used.includes(slot));
  const removed = unused.slice(0, Math.max(0, present.length + lacked.length - MAX_SLOTS_OF_PRINTER));
  const added = lacked.slice(0, Math.max(0, MAX_SLOTS_OF_PRINTER - present.length + removed.length));
  await database.attempt('inventory.addSlots', async ({ prisma }) => {
    if (removed.length > 0) {
      const gone = { in: removed.map(({ slot }) => slot) };
      await prisma.printerSlot.deleteMany({ where: { printerId, slot: gone } });
    }
    await prisma.printerSlot.createMany({ data: added.map((slot) => ({ printerId, slot })), skipDuplicates: true });
  });
}

/** The oldest first. */
function slotsOf(database: Queryable, printerId: string): Promise<PresentSlot[]> {
  return database.models('inventory.presentSlots', async (prisma) => {
    const loads = await prisma.slotLoad.findMany({
      where: { printerId, to: null },
      select: { slot: true },
    });
    const slots = await prisma.printerSlot.findMany({
      where: { printerId },
      select: { slot: true },
      orderBy: [{ addedAt: 'asc' }, { slot: 'asc' }],
    });
    return slots.map(({ slot }) => ({ slot, isEmpty: loads.every((load) => load.slot !== slot) }));
  });
}

const lackedOf = (used: readonly string[], present: readonly PresentSlot[]) =>
  used.filter((slot) => present.every((one) => one.slot !== slot));
