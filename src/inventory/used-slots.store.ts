// The slots that prints use, and the spools that were in them.
import type { Queryable } from '../database/queryable';
import { Prisma } from '../generated/prisma/client';
import { type Instant, instantNow, latestOf } from '../values/instant';
import { MAX_SLOTS_OF_PRINTER } from './slot.limits';

interface PresentSlot {
  slot: string;
  /** Null: it is empty. */
  loadedAt: Instant | null;
}

/** The spools by the slots of a printer. @param until those loaded later are left out; null: all */
export async function loadedSpools(
  database: Queryable,
  printerId: string,
  until: Instant | null,
): Promise<Map<string, string>> {
  const from = until === null ? [] : [{ from: { lte: until } }, { from: { gt: instantNow() } }];
  const rows = await database.models('inventory.loadedSpools', (prisma) =>
    prisma.slotLoad.findMany({ where: { printerId, to: null, ...(until !== null && { OR: from }) } }),
  );
  return new Map(rows.map(({ slot, spoolId }) => [slot, spoolId]));
}

/**
 * In a transaction. A machine may invent slots: beyond the bound the oldest ones without a spool make room, and what then has none
 * is left out.
 * @returns when a spool was last put into one of the slots; null: all are empty
 */
export async function addSlots(
  database: Queryable,
  printerId: string,
  slots: readonly string[],
): Promise<Instant | null> {
  const used = slots.slice(0, MAX_SLOTS_OF_PRINTER);
  const before = await slotsOf(database, printerId);
  const loads = before.flatMap(({ slot, loadedAt }) => (loadedAt !== null && used.includes(slot) ? [loadedAt] : []));
  const lastLoadAt = loads.length === 0 ? null : latestOf(loads);
  if (lackedOf(used, before).length === 0) return lastLoadAt;
  // As the trigger of src/inventory/slots.sql takes it.
  const lock = Prisma.sql`pg_advisory_xact_lock(hashtextextended('printer_slots ' || ${printerId}::uuid, 0))`;
  await database.json('inventory.lockSlots', Prisma.sql`select to_json(${lock} is not null) as value`);
  const present = await slotsOf(database, printerId);
  const lacked = lackedOf(used, present);
  const unused = present.filter(({ slot, loadedAt }) => loadedAt === null && !used.includes(slot));
  const removed = unused.slice(0, Math.max(0, present.length + lacked.length - MAX_SLOTS_OF_PRINTER));
  const added = lacked.slice(0, Math.max(0, MAX_SLOTS_OF_PRINTER - present.length + removed.length));
  await database.attempt('inventory.addSlots', async ({ prisma }) => {
    if (removed.length > 0) {
      const gone = { in: removed.map(({ slot }) => slot) };
      await prisma.printerSlot.deleteMany({ where: { printerId, slot: gone } });
    }
    await prisma.printerSlot.createMany({ data: added.map((slot) => ({ printerId, slot })), skipDuplicates: true });
  });
  return lastLoadAt;
}

/** The oldest first. */
function slotsOf(database: Queryable, printerId: string): Promise<PresentSlot[]> {
  return database.models('inventory.presentSlots', async (prisma) => {
    const loads = await prisma.slotLoad.findMany({
      where: { printerId, to: null },
      select: { slot: true, from: true },
    });
    const slots = await prisma.printerSlot.findMany({
      where: { printerId },
      select: { slot: true },
      orderBy: [{ addedAt: 'asc' }, { slot: 'asc' }],
    });
    return slots.map(({ slot }) => ({
      slot,
      loadedAt: loads.find((load) => load.slot === slot)?.from.toISOString() ?? null,
    }));
  });
}

const lackedOf = (used: readonly string[], present: readonly PresentSlot[]) =>
  used.filter((slot) => present.every((one) => one.slot !== slot));
