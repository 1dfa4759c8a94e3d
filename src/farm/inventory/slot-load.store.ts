// The statements of loads: the histories of printers, slots and spools, newest first.
import { limitOf, readPagesOf } from '../../database/pages';
import type { Queryable } from '../../database/queryable';
import { allOf, sql } from '../../database/sql';
import { Prisma } from '../../generated/prisma/client';
import { batchedPages } from '../../sharing/batch';
import { parseInstant } from '../../values/instant';
import { cursorsOf, type PageRange } from '../../values/page';
import { parseText } from '../../values/text';
import { SLOT_LOAD_ROW, type SlotLoadRow } from './slot.rows';

interface LoadsLike {
  /** Null: of all slots. */
  slot: string | null;
  range: PageRange;
}

const OF_PRINTER = cursorsOf('loads of a printer', parseInstant, parseText);
const OF_SPOOL = cursorsOf('loads of a spool', parseInstant);

export class SlotLoadStore {
  constructor(private readonly database: Queryable) {}

  /** By the begin, then the slot: a printer has several of one instant. */
  readonly ofPrinter = batchedPages<LoadsLike, SlotLoadRow>(({ slot, range }) => {
    const conditions = [sql('l.printer_id = k.id')];
    if (slot !== null) conditions.push(Prisma.sql`l.slot = ${slot}`);
    if (range.after !== null) {
      const [from, after] = OF_PRINTER.keyOf(range.after);
      conditions.push(Prisma.sql`(l.from, l.slot) < (${from}::timestamptz, ${after})`);
    }
    const page = pageSql(conditions, sql('l.from desc, l.slot desc'), range);
    const cursorOf = ({ from, slot }: SlotLoadRow) => OF_PRINTER.to(from, slot);
    return (printers) =>
      readPagesOf(this.database, 'slotLoads.ofPrinter', SLOT_LOAD_ROW, printers, page, range, cursorOf);
  });

  readonly ofSpool = batchedPages<PageRange, SlotLoadRow>((range) => {
    const conditions = [sql('l.spool_id = k.id')];
    if (range.after !== null) conditions.push(Prisma.sql`l.from < ${OF_SPOOL.keyOf(range.after)[0]}::timestamptz`);
    const page = pageSql(conditions, sql('l.from desc'), range);
    const cursorOf = ({ from }: SlotLoadRow) => OF_SPOOL.to(from);
    return (spools) => readPagesOf(this.database, 'slotLoads.ofSpool', SLOT_LOAD_ROW, spools, page, range, cursorOf);
  });
}

const pageSql = (conditions: Prisma.Sql[], order: Prisma.Sql, range: PageRange) => ({
  rows: Prisma.sql`
    select ${SLOT_LOAD_ROW.json} as row from slot_loads l where ${allOf(conditions)} order by ${order} ${limitOf(range)}`,
  total: sql('null'),
});
