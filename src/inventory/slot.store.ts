// The statements of slots.
import { violatedConstraint } from '../database/failures';
import type { Queryable } from '../database/queryable';
import { isOneOf } from '../database/sql';
import { BadInput } from '../errors';
import { Prisma } from '../generated/prisma/client';
import { batchedRead } from '../sharing/batch';
import { inUse } from './inventory.rows';
import { MAX_SLOTS_OF_PRINTER } from './slot.limits';
import { SLOT_ROW, type SlotRow } from './slot.rows';

/** A spool into a slot; null: out of it. */
export interface Loading {
  printerId: string;
  slot: string;
  spoolId: string | null;
}

export class SlotStore {
  constructor(private readonly database: Queryable) {}

  readonly ofPrinter = batchedRead<string, SlotRow[]>(async (ids) => {
    const rows = await this.where('inventory.slotsOfPrinter', isOneOf('k.printer_id', ids, 'uuid'));
    const slots = new Map<string, SlotRow[]>(ids.map((id) => [id, []]));
    for (const row of rows) slots.get(row.printerId)?.push(row);
    return slots;
  });

  readonly ofSpool = batchedRead<string, SlotRow>(async (ids) => {
    const rows = await this.where('inventory.slotOfSpool', isOneOf('k.spool_id', ids, 'uuid'));
    return new Map(rows.map((row) => [row.spoolId as string, row]));
  });

  /** What is archived of a printer, by its id: the printer, and the spools with their serials by the slots that they are in. */
  readonly archivedOf = batchedRead<string, { isPrinter: boolean; spools: Record<string, string> }>(async (ids) => {
    const rows = await this.database.json<{ id: string; isPrinter: boolean; spools: Record<string, string> }[]>(
      'inventory.archivedOf',
      Prisma.sql`
      select coalesce(json_agg(json_build_object('id', p.id, 'isPrinter', p.archived_at is not null, 'spools', (
        select coalesce(json_object_agg(k.slot, s.spool_serial), '{}')
        from printer_slots k join spools s on s.id = k.spool_id and s.archived_at is not null where k.printer_id = p.id
      ))), '[]') as value
      from printers p where ${isOneOf('p.id', ids, 'uuid')}`,
    );
    return new Map(rows.map(({ id, ...archived }) => [id, archived]));
  });

  private where(name: string, condition: Prisma.Sql): Promise<SlotRow[]> {
    return this.database.rows(
      name,
      SLOT_ROW,
      Prisma.sql`select ${SLOT_ROW.json} as row from printer_slots k where ${condition}`,
    );
  }

  async empty({ printerId, slot }: Pick<Loading, 'printerId' | 'slot'>): Promise<void> {
    await this.database.attempt('inventory.emptySlot', ({ prisma }) =>
      prisma.printerSlot.updateMany({
        where: { printerId, slot, spoolId: { not: null } },
        data: { spoolId: null, loadedAt: null },
      }),
    );
  }

  /**
   * Takes the spool out of its slot and puts it into this one. False when the printer or the spool is gone or archived, or
   * when another request put the spool somewhere at the same moment.
   */
  async load({ printerId, slot, spoolId }: Loading, now: string): Promise<boolean> {
    try {
      return await this.database.attempt('inventory.loadSlot', ({ json }, name) =>
        json(
          name,
          Prisma.sql`
          with given (printer_id, slot, spool_id, loaded_at) as (
            values (${printerId}::uuid, ${slot}, ${spoolId}::uuid, ${now}::timestamptz)
          ), admitted as materialized (
            select given.* from given,
              lateral (${inUse('printers', Prisma.sql`given.printer_id`)}) printer,
              lateral (${inUse('spools', Prisma.sql`given.spool_id`)}) spool
          ), taken_out as (
            update printer_slots k set spool_id = null, loaded_at = null from admitted a
            where k.spool_id = a.spool_id and (k.printer_id, k.slot) <> (a.printer_id, a.slot) returning 1
          ), put_in as (
            insert into printer_slots as k (printer_id, slot, spool_id, loaded_at)
            -- The count makes this part wait for the other one: the index on the spool takes it once.
            select a.* from admitted a, (select count(*) from taken_out) t
            on conflict (printer_id, slot) do update set spool_id = excluded.spool_id, loaded_at = excluded.loaded_at
              where k.spool_id is distinct from excluded.spool_id
          )
          select to_json(count(*) > 0) as value from admitted`,
        ),
      );
    } catch (error) {
      const violated = violatedConstraint(error)?.constraint;
      if (violated === 'printer_slots_spool_id_key') return false;
      if (violated !== 'printer_slots_at_most') throw error;
      throw new BadInput(
        `must be one of the slots that the printer has: it has ${MAX_SLOTS_OF_PRINTER} already, and no printer has more`,
        'slot',
      );
    }
  }
}
