// Reads the sums of spools and filaments. One statement reads many of them, so that all sums of an answer are of the same moment.
import type { Queryable } from '../../database/queryable';
import { matchesOneOf } from '../../database/sql';
import { Prisma } from '../../generated/prisma/client';
import { batchedRead } from '../../sharing/batch';
import {
  FILAMENT_STOCK,
  FILAMENT_STOCK_ROW,
  FILAMENT_SUMS,
  REMAINING_GRAMS,
  SPOOL_GRAMS_ROW,
  SPOOL_SUMS,
  type SpoolGrams,
} from './stock.rows';
import type { FilamentStock } from './stock.types';

export class StockStore {
  constructor(private readonly database: Queryable) {}

  readonly gramsOfSpool = batchedRead<string, SpoolGrams>(async (ids) => {
    const rows = await this.database.rows(
      'stock.ofSpool',
      SPOOL_GRAMS_ROW,
      Prisma.sql`
      select ${SPOOL_GRAMS_ROW.json} as row from (
        select s.id, trim_scale(g.used_grams) as used_grams, g.reported_grams, g.printing_grams, trim_scale(g.planned_grams) as planned_grams,
          trim_scale(g.adjusted_grams) as adjusted_grams, trim_scale(${REMAINING_GRAMS}) as remaining_grams
        from spools s cross join ${SPOOL_SUMS} where ${matchesOneOf('s.id', ids, 'uuid')}
      ) g`,
    );
    return new Map(rows.map((row) => [row.id, row]));
  });

  readonly stockOfFilament = batchedRead<string, FilamentStock>(async (ids) => {
    const rows = await this.database.rows(
      'stock.ofFilament',
      FILAMENT_STOCK_ROW,
      Prisma.sql`
      select ${FILAMENT_STOCK_ROW.json} as row from (
        select f.id, ${FILAMENT_STOCK}
        from filaments f cross join ${FILAMENT_SUMS} where ${matchesOneOf('f.id', ids, 'uuid')}
      ) g`,
    );
    return new Map(rows.map((row) => [row.id, row]));
  });
}
