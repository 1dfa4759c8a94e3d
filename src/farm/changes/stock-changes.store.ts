// Finds which spools, filaments and vendors a change affects: the objects of Spoolman's API contain each other.
import type { Queryable } from '../../database/queryable';
import { matchesOneOf, sql } from '../../database/sql';
import { Prisma } from '../../generated/prisma/client';

/** An id in the database and the number on the label. */
type IdAndNumber = [id: string, number: number];

/** The ids of changed objects. */
export interface ChangedIds {
  spools: readonly string[];
  filaments: readonly string[];
  materials: readonly string[];
  vendors: readonly string[];
}

export class StockChangesStore {
  constructor(private readonly database: Queryable) {}

  /** The numbers of all spools and filaments. Once an object is removed, nobody else knows its number. */
  numbers(): Promise<{ spools: IdAndNumber[]; filaments: IdAndNumber[] }> {
    return this.database.json(
      'stockChanges.numbers',
      Prisma.sql`
      select json_build_object(
        'spools', (select coalesce(json_agg(json_build_array(s.id, s.number)), '[]') from spools s),
        'filaments', (select coalesce(json_agg(json_build_array(f.id, f.number)), '[]') from filaments f)) as value`,
    );
  }

  /** The numbers of spools or filaments that exist. */
  numbersOf(resource: 'spool' | 'filament', ids: readonly string[]): Promise<IdAndNumber[]> {
    return this.database.json(
      'stockChanges.numbersOf',
      Prisma.sql`
      select coalesce(json_agg(json_build_array(o.id, o.number)), '[]') as value from ${sql(`${resource}s o`)} where ${matchesOneOf('o.id', ids, 'uuid')}`,
    );
  }

  /** Each vendor with a text that changes when the vendor does. Vendors have no changes in the feed. */
  vendors(): Promise<[id: number, fingerprint: string][]> {
    return this.database.json(
      'stockChanges.vendors',
      Prisma.sql`
      select coalesce(json_agg(json_build_array(v.id, md5(v::text))), '[]') as value from vendors v`,
    );
  }

  /** The spools that a running print uses: how much is left of them changes although nothing is written. */
  spoolsOfRunningPrints(): Promise<string[]> {
    return this.database.json(
      'stockChanges.running',
      Prisma.sql`
      select coalesce(json_agg(distinct u.spool_id), '[]') as value
      from observed_prints o join print_jobs j on j.id = o.job_id cross join lateral (
        select j.spool_id union all
        select p.spool_id from print_job_parts p where p.job_id = j.id and p.spool_id is not null
      ) u
      where o.outcome = 'RUNNING' and j.status = 'Printing'`,
    );
  }

  /** The objects that contain a changed object, beside the object itself. */
  containers({
    filaments,
    materials,
    vendors,
  }: Omit<ChangedIds, 'spools'>): Promise<{ spools: string[]; filaments: string[] }> {
    const isOfVendor = (alias: string) =>
      Prisma.sql`${sql(alias)}.vendor in (select v.name from vendors v where ${matchesOneOf('v.id', vendors, 'int')})`;
    return this.database.json(
      'stockChanges.containers',
      Prisma.sql`
      select json_build_object(
        'spools', (select coalesce(json_agg(s.id), '[]') from spools s where ${matchesOneOf('s.filament_id', filaments, 'uuid')}
          or ${matchesOneOf('s.material_id', materials, 'uuid')} or ${isOfVendor('s')}
          or s.filament_id in (select f.id from filaments f where ${isOfVendor('f')})),
        'filaments', (select coalesce(json_agg(f.id), '[]') from filaments f
          where ${matchesOneOf('f.material_id', materials, 'uuid')} or ${isOfVendor('f')})) as value`,
    );
  }
}
