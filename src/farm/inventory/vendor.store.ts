// Reads and writes what is kept of vendors beside their names. A name gets its vendor when it first appears in a filament or a spool.
import type { Queryable } from '../../database/queryable';
import { assignments } from '../../database/rows';
import { Prisma } from '../../generated/prisma/client';

/** The members of a vendor that can change. Members that are undefined do not change. */
export interface VendorChanges {
  comment?: string | null | undefined;
  emptySpoolWeight?: string | null | undefined;
  externalId?: string | null | undefined;
}

const COLUMNS = { comment: 'text', emptySpoolWeight: 'numeric', externalId: 'text' } as const;

export class VendorStore {
  constructor(private readonly database: Queryable) {}

  nameOf(id: number): Promise<string | null> {
    return this.database
      .json<{ name: string } | null>(
        'vendors.name',
        Prisma.sql`select json_build_object('name', v.name) as value from vendors v where v.id = ${id}::int`,
      )
      .then((vendor) => vendor?.name ?? null);
  }

  /** Adds a vendor, if there is none of this name. */
  async add(name: string): Promise<{ id: number; isNew: boolean }> {
    const id = await this.database.json<number | null>(
      'vendors.add',
      Prisma.sql`
      insert into vendors (name) select ${name}::text where not exists (select from vendors v where v.name = ${name}::text)
      on conflict (name) do nothing returning to_json(id) as value`,
    );
    if (id !== null) return { id, isNew: true };
    const existing = await this.database.json<number>(
      'vendors.idOf',
      Prisma.sql`select to_json(v.id) as value from vendors v where v.name = ${name}::text`,
    );
    return { id: existing, isNew: false };
  }

  async update(id: number, changes: VendorChanges, extra: Readonly<Record<string, string | null>>): Promise<void> {
    const values = Object.values(changes).some((value) => value !== undefined);
    await this.database.json(
      'vendors.update',
      Prisma.sql`
      with v as (
        update vendors set ${values ? Prisma.sql`${assignments(COLUMNS, changes)},` : Prisma.empty} extra = ${mergeExtra(extra)}
        where id = ${id}::int returning 1
      )
      select to_json(count(*)) as value from v`,
    );
  }

  /** @returns whether the vendor was removed. A vendor of a filament or a spool stays. */
  removeUnused(id: number): Promise<boolean> {
    return this.database.json(
      'vendors.remove',
      Prisma.sql`
      with v as (
        delete from vendors v where v.id = ${id}::int
          and not exists (select from filaments f where f.vendor = v.name)
          and not exists (select from spools s where s.vendor = v.name)
        returning 1
      )
      select to_json(count(*) > 0) as value from v`,
    );
  }
}

/** The own fields of a row with changed values. Other values stay. */
export function mergeExtra(extra: Readonly<Record<string, string | null>>): Prisma.Sql {
  const kept = Object.fromEntries(Object.entries(extra).filter(([, value]) => value !== null));
  const removed = Object.keys(extra).filter((key) => extra[key] === null);
  return Prisma.sql`(extra || ${JSON.stringify(kept)}::jsonb) - ${removed}::text[]`;
}
