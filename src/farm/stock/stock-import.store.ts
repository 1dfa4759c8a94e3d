// The SQL of imports: reads the objects that the rows of a file name, and locks them while they are written.
import type { Queryable } from '../../database/queryable';
import { arrayParameter, matchesOneOf, sql } from '../../database/sql';
import { Prisma } from '../../generated/prisma/client';
import type { Filament } from '../inventory/filament.types';
import { FILAMENT_ROW, SPOOL_WITH_TEXTS_ROW, type SpoolRow, type SpoolTexts } from '../inventory/inventory.rows';
import type { Material } from '../inventory/inventory.types';
import { selectLatestWeighing } from './stock.rows';

export class StockImportStore {
  /** @param database an open transaction */
  constructor(private readonly database: Queryable) {}

  /** Locks: until the transaction ends, no other import writes and no material changes. */
  async begin(): Promise<void> {
    await this.database.json(
      'stockImport.begin',
      Prisma.sql`select to_json(pg_advisory_xact_lock('stock_numbers'::regclass::bigint) is not null) as value`,
    );
    await this.database.json(
      'stockImport.lockMaterials',
      Prisma.sql`with m as (select from materials for share) select to_json(count(*)) as value from m`,
    );
  }

  /**
   * Reads the spools with these numbers or serials.
   * @param serialNumbers digits without zeros at the start; they find spools whose serials are these numbers
   * @param lock whether to lock the spools until the transaction ends. Their filaments are locked first, in the order in which a correction
   *   of a filament locks, so that no two writers wait for each other.
   */
  async spools(
    {
      numbers,
      serials,
      serialNumbers,
    }: { numbers: readonly number[]; serials: readonly string[]; serialNumbers: readonly string[] },
    lock: boolean,
  ): Promise<(SpoolRow & SpoolTexts)[]> {
    const isNamed = Prisma.sql`(${matchesOneOf('s.number', numbers.map(String), 'int')} or ${matchesOneOf('s.spool_serial', serials, 'text')}
      or ${matchesOneOf(`ltrim(s.spool_serial, '0')`, serialNumbers, 'text')})`;
    if (lock) {
      await this.lockFilaments(Prisma.sql`f.id in (select s.filament_id from spools s where ${isNamed})`, 'share');
      await this.database.json(
        'stockImport.lockSpools',
        Prisma.sql`
        with l as (select from spools s where ${isNamed} order by s.id for update) select to_json(count(*)) as value from l`,
      );
    }
    return this.database.rows(
      'stockImport.spools',
      SPOOL_WITH_TEXTS_ROW,
      Prisma.sql`select ${SPOOL_WITH_TEXTS_ROW.json} as row from spools s where ${isNamed}`,
    );
  }

  /**
   * Reads the filaments with these numbers, names or ids. For a filament with one of the numbers, all filaments of the same name are read
   * too, because a row may give it their vendor.
   * @param lock the lock until the transaction ends: `update` to change the filaments, `share` to change their spools
   */
  async filaments(
    wanted: { numbers: readonly number[]; names: readonly string[]; ids: readonly string[] },
    lock: 'update' | 'share' | null,
  ): Promise<Filament[]> {
    const isNamed = Prisma.sql`(
      f.name in (select n.name from filaments n where ${matchesOneOf('n.number', wanted.numbers.map(String), 'int')})
      or ${matchesOneOf('f.name', wanted.names, 'text')} or ${matchesOneOf('f.id', wanted.ids, 'uuid')})`;
    if (lock !== null) await this.lockFilaments(isNamed, lock);
    return this.database.rows(
      'stockImport.filaments',
      FILAMENT_ROW,
      Prisma.sql`select ${FILAMENT_ROW.json} as row from filaments f where ${isNamed}`,
    );
  }

  /** The net weight of the latest weighing or starting weight, by the ids of the spools. */
  weighed(spoolIds: readonly string[]): Promise<Record<string, string>> {
    return this.database.json(
      'stockImport.weighed',
      Prisma.sql`
      select coalesce(json_object_agg(k.id, l.net_grams::text), '{}') as value
      from unnest(${arrayParameter(spoolIds, 'uuid')}) as k (id) cross join lateral ${selectLatestWeighing('k.id')} l`,
    );
  }

  /** @returns how many materials were added. A material whose name another writer has used is not added. */
  addMaterials(materials: readonly Material[]): Promise<number> {
    return this.database.json(
      'stockImport.addMaterials',
      Prisma.sql`
      with m as (
        insert into materials (id, name, density_g_per_cm3)
        select id, name, "densityGPerCm3" from json_to_recordset(${JSON.stringify(materials)}::json)
          as given (id uuid, name text, "densityGPerCm3" numeric)
        on conflict (name) do nothing returning 1
      )
      select to_json(count(*)) as value from m`,
    );
  }

  private async lockFilaments(condition: Prisma.Sql, lock: 'update' | 'share'): Promise<void> {
    await this.database.json(
      'stockImport.lockFilaments',
      Prisma.sql`
      with l as (select from filaments f where ${condition} order by f.id ${sql(`for ${lock}`)})
      select to_json(count(*)) as value from l`,
    );
  }
}
