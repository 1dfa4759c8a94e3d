// Reads the slots of printers with the spools that are and were in them, and adds the slots that a machine reports.
import { limitAndOffset, readPagesByOwner } from '../../database/pages';
import type { Queryable } from '../../database/queryable';
import { type Columns, rowShape } from '../../database/rows';
import { joinConditions, matchesOneOf, sql } from '../../database/sql';
import { Prisma, type SlotLoad as StoredLoad } from '../../generated/prisma/client';
import { batchedPages, batchedRead } from '../../sharing/batch';
import { discardFutureTime, type Instant, instantNow, parseInstant } from '../../values/instant';
import { defineCursors, type PageRange } from '../../values/page';
import { parseText } from '../../values/text';
import type { PrinterSlot, SlotLoad } from './slot.types';

/** The most slots that one printer can have. slots.sql enforces the same number for all other programs; a test compares both. */
export const MAX_SLOTS_OF_PRINTER = 64;

/** A slot with the spool that is in it. */
export type SlotRow = PrinterSlot & { printerId: string; spoolId: string | null };

/** The members of a slot `k`. */
const SLOT_ROW = rowShape<SlotRow>('k', {
  printerId: 'uuid',
  slot: 'text',
  spoolId: 'uuid',
  loadedAt: 'timestamptz',
  reported: 'text',
  tag: 'text',
} satisfies Columns<SlotRow>);

/** A load: a spool in a slot, from one time to another. */
export type SlotLoadRow = SlotLoad & { printerId: string; spoolId: string };

/** The members of a load `l`. */
const SLOT_LOAD_ROW = rowShape<SlotLoadRow>('l', {
  printerId: 'uuid',
  slot: 'text',
  spoolId: 'uuid',
  from: 'timestamptz',
  to: 'timestamptz',
} satisfies Columns<SlotLoadRow>);

/** A spool that is in a slot now. */
interface LoadedSpool {
  serial: string;
  isArchived: boolean;
  /** As PostgreSQL writes it, with an offset. */
  loadedAt: string;
}

interface LoadSelection {
  /** `null` for all slots. */
  slot: string | null;
  range: PageRange;
}

/** A load with times that are `null` if a wrong clock wrote them. */
interface PastLoad {
  slot: string;
  spoolId: string;
  from: Instant | null;
  to: Instant | null;
}

/** A range of time at a printer. */
interface Span {
  printerId: string;
  after: Instant;
  /** `null` for now. */
  until: Instant | null;
  now: Instant;
}

const PRINTER_LOAD_CURSORS = defineCursors('loads of a printer', parseInstant, parseText);
const SPOOL_LOAD_CURSORS = defineCursors('loads of a spool', parseInstant);

export class PrinterSlotStore {
  constructor(private readonly database: Queryable) {}

  readonly slotsOfPrinter = batchedRead<string, SlotRow[]>(async (ids) => {
    const rows = await this.selectSlots('inventory.slotsOfPrinter', matchesOneOf('printer_id', ids, 'uuid'));
    const slots = new Map<string, SlotRow[]>(ids.map((id) => [id, []]));
    for (const row of rows) slots.get(row.printerId)?.push(row);
    return slots;
  });

  readonly slotOfSpool = batchedRead<string, SlotRow>(async (ids) => {
    const isLoaded = Prisma.sql`(printer_id, slot) in (
      select l.printer_id, l.slot from slot_loads l where l.to is null and ${matchesOneOf('l.spool_id', ids, 'uuid')})`;
    const rows = await this.selectSlots('inventory.slotOfSpool', isLoaded);
    return new Map(rows.map((row) => [row.spoolId as string, row]));
  });

  /** What can keep the prints of a printer waiting, by the id of the printer: whether it is archived, and the spools in its slots. */
  readonly stateOfPrinter = batchedRead<string, { isArchived: boolean; spools: Record<string, LoadedSpool> }>(
    async (ids) => {
      const rows = await this.database.json<{ id: string; isArchived: boolean; spools: Record<string, LoadedSpool> }[]>(
        'inventory.standingOf',
        Prisma.sql`
        select coalesce(json_agg(json_build_object('id', p.id, 'isArchived', p.archived_at is not null, 'spools', (
          select coalesce(json_object_agg(k.slot, json_build_object(
            'serial', s.spool_serial, 'isArchived', s.archived_at is not null, 'loadedAt', k.from)), '{}')
          from slot_loads k join spools s on s.id = k.spool_id
          where k.printer_id = p.id and k.to is null
        ))), '[]') as value
        from printers p where ${matchesOneOf('p.id', ids, 'uuid')}`,
      );
      return new Map(rows.map(({ id, ...state }) => [id, state]));
    },
  );

  /** Ordered by start, then by slot, because several loads of a printer may start at the same instant. */
  readonly loadsOfPrinter = batchedPages<LoadSelection, SlotLoadRow>(({ slot, range }) => {
    const conditions = [sql('l.printer_id = k.id')];
    if (slot !== null) conditions.push(Prisma.sql`l.slot = ${slot}`);
    if (range.after !== null) {
      const [from, after] = PRINTER_LOAD_CURSORS.keyOf(range.after);
      conditions.push(Prisma.sql`(l.from, l.slot) < (${from}::timestamptz, ${after})`);
    }
    const page = selectLoadPage(conditions, sql('l.from desc, l.slot desc'), range);
    const cursorOf = ({ from, slot }: SlotLoadRow) => PRINTER_LOAD_CURSORS.to(from, slot);
    return (printers) =>
      readPagesByOwner(this.database, 'slotLoads.ofPrinter', SLOT_LOAD_ROW, printers, page, range, cursorOf);
  });

  readonly loadsOfSpool = batchedPages<PageRange, SlotLoadRow>((range) => {
    const conditions = [sql('l.spool_id = k.id')];
    if (range.after !== null)
      conditions.push(Prisma.sql`l.from < ${SPOOL_LOAD_CURSORS.keyOf(range.after)[0]}::timestamptz`);
    const page = selectLoadPage(conditions, sql('l.from desc'), range);
    const cursorOf = ({ from }: SlotLoadRow) => SPOOL_LOAD_CURSORS.to(from);
    return (spools) =>
      readPagesByOwner(this.database, 'slotLoads.ofSpool', SLOT_LOAD_ROW, spools, page, range, cursorOf);
  });

  /** The loads of a printer in a range of time, the oldest first. @param until null for now */
  async loadsBetween(
    printerId: string,
    after: Instant,
    until: Instant | null,
    now = instantNow(),
  ): Promise<PastLoad[]> {
    return (await this.loadsOfSpan.load({ printerId, after, until, now })) ?? [];
  }

  /** Whether a spool was in any other slot of the printer than this one, at the instant or before. */
  async hadSpoolBeside(printerId: string, slot: string, until: Instant): Promise<boolean> {
    const other = await this.database.models('slotHistory.beside', (prisma) =>
      prisma.slotLoad.findFirst({
        where: { printerId, slot: { not: slot }, from: { lte: until } },
        select: { slot: true },
      }),
    );
    return other !== null;
  }

  private readonly loadsOfSpan = batchedRead<Span, PastLoad[]>(async (spans) => {
    const rows = await this.database.models('slotHistory.between', (prisma) =>
      prisma.slotLoad.findMany({
        where: {
          OR: spans.map(({ printerId, after, until, now }) => ({
            printerId,
            AND: [
              { OR: [{ to: null }, { to: { gt: after } }] },
              until === null ? {} : { OR: [{ from: { lte: until } }, { from: { gt: now } }] },
            ],
          })),
        },
        orderBy: { from: 'asc' },
      }),
    );
    return new Map(spans.map((span) => [JSON.stringify(span), selectLoads(rows, span)]));
  }, JSON.stringify);

  /** A full join, because another program may have removed the row of a slot that a spool is in. */
  private selectSlots(name: string, condition: Prisma.Sql): Promise<SlotRow[]> {
    return this.database.rows(
      name,
      SLOT_ROW,
      Prisma.sql`
      select ${SLOT_ROW.json} as row from (
        select printer_id, slot, l.spool_id, l.from as loaded_at, s.reported, s.tag
        from (select * from printer_slots where ${condition}) s
        full join (select * from slot_loads where "to" is null and ${condition}) l using (printer_id, slot)
      ) k`,
    );
  }
}

const selectLoadPage = (conditions: Prisma.Sql[], order: Prisma.Sql, range: PageRange) => ({
  rows: Prisma.sql`
    select ${SLOT_LOAD_ROW.json} as row from slot_loads l where ${joinConditions(conditions)} order by ${order} ${limitAndOffset(range)}`,
  total: sql('null'),
});

function selectLoads(rows: readonly StoredLoad[], { printerId, after, until, now }: Span): PastLoad[] {
  const loads: PastLoad[] = [];
  for (const row of rows) {
    const [start, end] = [row.from.toISOString(), row.to?.toISOString() ?? null];
    const isIn = (end === null || end > after) && (until === null || start <= until || start > now);
    if (row.printerId !== printerId || !isIn) continue;
    const { slot, spoolId } = row;
    const from = discardFutureTime(start, now);
    // A clock that was ahead wrote both times, so nothing is known about this load.
    if (from === null && end !== null) continue;
    const before = loads.findLast((load) => load.slot === slot);
    loads.push({ slot, spoolId, from: from ?? before?.to ?? null, to: end && discardFutureTime(end, now) });
  }
  return loads;
}

interface PresentSlot {
  slot: string;
  isEmpty: boolean;
}

/**
 * Adds the slots that a machine reports, in a transaction. A machine may report more and more new slots, so their number is limited. Beyond
 * MAX_SLOTS_OF_PRINTER, the oldest slots without a spool are removed, and new slots for which there is still no room are not added.
 */
export async function addSlots(database: Queryable, printerId: string, slots: readonly string[]): Promise<void> {
  const used = slots.slice(0, MAX_SLOTS_OF_PRINTER);
  if (findMissing(used, await readPresentSlots(database, printerId)).length === 0) return;
  // The same lock as the trigger of slots.sql.
  const lock = Prisma.sql`pg_advisory_xact_lock(hashtextextended('printer_slots ' || ${printerId}::uuid, 0))`;
  await database.json('inventory.lockSlots', Prisma.sql`select to_json(${lock} is not null) as value`);
  const present = await readPresentSlots(database, printerId);
  const missing = findMissing(used, present);
  const unused = present.filter(({ slot, isEmpty }) => isEmpty && !used.includes(slot));
  const removed = unused.slice(0, Math.max(0, present.length + missing.length - MAX_SLOTS_OF_PRINTER));
  const added = missing.slice(0, Math.max(0, MAX_SLOTS_OF_PRINTER - present.length + removed.length));
  await database.attempt('inventory.addSlots', async ({ prisma }) => {
    if (removed.length > 0) {
      const removedSlots = { in: removed.map(({ slot }) => slot) };
      await prisma.printerSlot.deleteMany({ where: { printerId, slot: removedSlots } });
    }
    await prisma.printerSlot.createMany({ data: added.map((slot) => ({ printerId, slot })), skipDuplicates: true });
  });
}

/** The slots of a printer, the oldest first. */
function readPresentSlots(database: Queryable, printerId: string): Promise<PresentSlot[]> {
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

const findMissing = (used: readonly string[], present: readonly PresentSlot[]) =>
  used.filter((slot) => present.every((presentSlot) => presentSlot.slot !== slot));
