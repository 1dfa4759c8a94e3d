// Reserves the numbers of an import: moves the series past the ids that spools keep, and takes numbers from there for everything else.
import type { Queryable } from '../../database/queryable';
import { arrayParameter } from '../../database/sql';
import { Prisma } from '../../generated/prisma/client';
import type { PreviewRow } from './import-plan';

/** A greater id is not kept: the series would have few numbers left. */
export const MAX_KEPT_ID = 1_000_000;
const IDS_OF_STATEMENT = 5000;

export class SpoolmanNumbersStore {
  /** @param database an open transaction, which no other statement shares: nobody adds a spool until it ends */
  constructor(private readonly database: Queryable) {}

  /** Gives each row that creates a filament or a spool its number. */
  async reserve(created: readonly PreviewRow[]): Promise<void> {
    const spools = created.filter(({ kind }) => kind === 'SPOOL');
    const wanted = spools.flatMap(({ spoolmanId: id }) => (id === null || id > MAX_KEPT_ID ? [] : id));
    const greatest = wanted.reduce((max, id) => Math.max(max, id), 0);
    // The tables are locked even if the series does not move.
    await this.skipTo(greatest === 0 ? 0 : (Math.floor(greatest / 1000) + 1) * 1000);
    const free = new Set(await this.findFree(wanted));
    const others: PreviewRow[] = [];
    for (const row of created) {
      if (row.kind === 'SPOOL' && free.has(row.spoolmanId as number)) row.number = row.spoolmanId;
      else others.push(row);
    }
    if (others.length === 0) return;
    const next = await this.nextOfSeries();
    await this.skipTo(next + others.length - 1);
    for (const [at, row] of others.entries()) row.number = next + at;
  }

  private async skipTo(to: number): Promise<void> {
    await this.database.json(
      'spoolmanNumbers.skip',
      Prisma.sql`
      with s as (insert into skipped_stock_numbers ("from", "to") values (1, ${to}::int) returning 1) select to_json(count(*)) as value from s`,
    );
  }

  private nextOfSeries(): Promise<number> {
    return this.database.json(
      'spoolmanNumbers.next',
      Prisma.sql`select to_json(s.last_value + s.is_called::int) as value from stock_numbers s`,
    );
  }

  /** The ids that the series has skipped and no import has given. */
  private async findFree(ids: readonly number[]): Promise<number[]> {
    const free: number[] = [];
    for (let at = 0; at < ids.length; at += IDS_OF_STATEMENT) {
      free.push(
        ...(await this.database.json<number[]>(
          'spoolmanNumbers.free',
          Prisma.sql`
          select coalesce(json_agg(k.id), '[]') as value from unnest(${arrayParameter(ids.slice(at, at + IDS_OF_STATEMENT), 'int')}) as k (id)
          where exists (select from skipped_stock_numbers n where k.id between n."from" and n."to")
            and not exists (select from imported_stock_numbers i where i.number = k.id)`,
        )),
      );
    }
    return free;
  }
}
