// The statements of slots.
import type { Queryable } from '../../database/queryable';
import { isOneOf } from '../../database/sql';
import { Prisma } from '../../generated/prisma/client';
import { batchedRead } from '../../sharing/batch';
import { SLOT_ROW, type SlotRow } from './slot.rows';

/** A spool that is in a slot. */
interface LoadedSpool {
  serial: string;
  isArchived: boolean;
  /** With an offset. */
  loadedAt: string;
}

export class SlotStore {
  constructor(private readonly database: Queryable) {}

  readonly ofPrinter = batchedRead<string, SlotRow[]>(async (ids) => {
    const rows = await this.among('inventory.slotsOfPrinter', isOneOf('printer_id', ids, 'uuid'));
    const slots = new Map<string, SlotRow[]>(ids.map((id) => [id, []]));
    for (const row of rows) slots.get(row.printerId)?.push(row);
    return slots;
  });

  readonly ofSpool = batchedRead<string, SlotRow>(async (ids) => {
    const isLoaded = Prisma.sql`(printer_id, slot) in (
      select l.printer_id, l.slot from slot_loads l where l.to is null and ${isOneOf('l.spool_id', ids, 'uuid')})`;
    const rows = await this.among('inventory.slotOfSpool', isLoaded);
    return new Map(rows.map((row) => [row.spoolId as string, row]));
  });

  /** What keeps prints of a printer from their jobs, by its id: whether it is archived, and the spools by the slots that they are in. */
  readonly standingOf = batchedRead<string, { isArchived: boolean; spools: Record<string, LoadedSpool> }>(
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
        from printers p where ${isOneOf('p.id', ids, 'uuid')}`,
      );
      return new Map(rows.map(({ id, ...standing }) => [id, standing]));
    },
  );

  /** Another program may have removed the row of a slot that a spool is in. */
  private among(name: string, condition: Prisma.Sql): Promise<SlotRow[]> {
    return this.database.rows(
      name,
      SLOT_ROW,
      Prisma.sql`
      select ${SLOT_ROW.json} as row from (
        select printer_id, slot, l.spool_id, l.from as loaded_at, s.reported
        from (select * from printer_slots where ${condition}) s
        full join (select * from slot_loads where "to" is null and ${condition}) l using (printer_id, slot)
      ) k`,
    );
  }
}
