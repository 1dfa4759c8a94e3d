// The slots that machines tell of, as many as a printer may have.
import type { Queryable } from '../database/queryable';
import { Prisma } from '../generated/prisma/client';
import { MAX_SLOTS_OF_PRINTER } from '../inventory/slot.limits';

interface Known {
  slot: string;
  isLoaded: boolean;
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
  await database.json('printSlots.lock', Prisma.sql`select to_json(${lock} is not null) as value`);
  const known = await slotsOf(database, printerId);
  const lacked = lackedOf(used, known);
  const unused = known.filter(({ slot, isLoaded }) => !isLoaded && !used.includes(slot));
  const removed = unused.slice(0, Math.max(0, known.length + lacked.length - MAX_SLOTS_OF_PRINTER));
  const added = lacked.slice(0, Math.max(0, MAX_SLOTS_OF_PRINTER - known.length + removed.length));
  await database.attempt('printSlots.add', async ({ prisma }) => {
    if (removed.length > 0) {
      const gone = { in: removed.map(({ slot }) => slot) };
      await prisma.printerSlot.deleteMany({ where: { printerId, slot: gone } });
    }
    await prisma.printerSlot.createMany({ data: added.map((slot) => ({ printerId, slot })), skipDuplicates: true });
  });
}

/** The oldest first. */
function slotsOf(database: Queryable, printerId: string): Promise<Known[]> {
  return database.models('printSlots.known', async (prisma) => {
    const loads = await prisma.slotLoad.findMany({ where: { printerId, to: null }, select: { slot: true } });
    const slots = await prisma.printerSlot.findMany({
      where: { printerId },
      select: { slot: true },
      orderBy: [{ addedAt: 'asc' }, { slot: 'asc' }],
    });
    return slots.map(({ slot }) => ({ slot, isLoaded: loads.some((load) => load.slot === slot) }));
  });
}

const lackedOf = (used: readonly string[], known: readonly Known[]) =>
  used.filter((slot) => known.every((one) => one.slot !== slot));
