// The SQL of the states of printers.
import type { Queryable } from '../database/queryable';
import { isOneOf } from '../database/sql';
import { Prisma } from '../generated/prisma/client';
import { batchedRead } from '../sharing/batch';
import { STATE_ROW, type StateRow } from './printer-state.rows';

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
}
