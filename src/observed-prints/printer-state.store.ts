// The SQL of the states of printers.
import type { Queryable } from '../database/queryable';
import { isOneOf } from '../database/sql';
import { Prisma } from '../generated/prisma/client';
import { batchedRead } from '../sharing/batch';
import type { Instant } from '../values/instant';
import { IS_SILENT, STATE_ROW, type StateRow } from './printer-state.rows';

export class PrinterStateStore {
  constructor(private readonly database: Queryable) {}

  /** A printer whose device was removed has none. */
  readonly ofPrinter = batchedRead<string, StateRow>(async (ids) => {
    const rows = await this.database.rows(
      'printerStates.ofPrinter',
      STATE_ROW,
      Prisma.sql`
      select ${STATE_ROW.json} as row from printer_states s join devices d on d.printer_id = s.printer_id
      where ${isOneOf('s.printer_id', ids, 'uuid')}`,
    );
    return new Map(rows.map((row) => [row.printerId, row]));
  });

  /** A text for each state by its printer: another one when a member that is shown has changed, or when it is stale now. */
  fingerprints(now: Instant): Promise<Record<string, string>> {
    return this.database.json(
      'printerStates.fingerprints',
      Prisma.sql`
      select coalesce(json_object_agg(s.printer_id, md5(s::text || ${IS_SILENT(now)})), '{}') as value
      from printer_states s join devices d on d.printer_id = s.printer_id`,
    );
  }
}
