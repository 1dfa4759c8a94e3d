// Writes the members of spools and filaments that only the API writes, and finds what its ids and names mean.
import type { Queryable } from '../../database/queryable';
import { assignments } from '../../database/rows';
import { mergeExtra } from '../../farm/inventory/vendor.store';
import { Prisma } from '../../generated/prisma/client';
import type { RequestTime } from '../../values/request-time';

type Extra = Readonly<Record<string, string | null>>;

/** What neither the inputs of spools nor those of filaments have. Members that are undefined do not change. */
interface KeptMembers {
  firstUsedAt?: string | null | undefined;
  lastUsedAt?: string | null | undefined;
  externalId?: string | null | undefined;
}
const KEPT_COLUMNS = { firstUsedAt: 'timestamptz', lastUsedAt: 'timestamptz', externalId: 'text' } as const;

export class ApiStore {
  constructor(private readonly database: Queryable) {}

  /** @returns null if there is no such spool. The spool stays locked until the transaction ends. */
  lockSpool(number: number): Promise<{ id: string; filamentId: string | null; isArchived: boolean } | null> {
    return this.database.json(
      'spoolman.lockSpool',
      Prisma.sql`
      select json_build_object('id', s.id, 'filamentId', s.filament_id, 'isArchived', s.archived_at is not null) as value
      from spools s where s.number = ${number}::int for update`,
    );
  }

  /** Whether a spool without a filament has this number. */
  isSpoolWithoutFilament(number: number): Promise<boolean> {
    return this.database.json(
      'spoolman.isSpoolWithoutFilament',
      Prisma.sql`select to_json(exists (select from spools s where s.number = ${number}::int and s.filament_id is null)) as value`,
    );
  }

  /** Writes what the services of the inventory do not write. */
  async keep(
    table: 'spools' | 'filaments',
    id: string,
    members: KeptMembers,
    extra: Extra,
    { now }: RequestTime,
  ): Promise<void> {
    const isGiven = Object.values(members).some((value) => value !== undefined);
    const changes = isGiven ? [assignments(KEPT_COLUMNS, members)] : [];
    if (Object.keys(extra).length > 0) changes.push(Prisma.sql`extra = ${mergeExtra(extra)}`);
    if (changes.length === 0) return;
    await this.database.attempt(`spoolman.${table}`, ({ json }, name) =>
      json(
        name,
        Prisma.sql`
        with o as (
          update ${Prisma.raw(table)} set ${Prisma.join(changes)}, updated_at = ${now}::timestamptz
          where id = ${id}::uuid returning 1
        )
        select to_json(count(*)) as value from o`,
      ),
    );
  }

  /** The materials that a name and a density mean, the best first: not archived, and with exactly this name. */
  async findMaterial(name: string, density: string): Promise<{ id: string; isArchived: boolean } | null> {
    return this.database.json(
      'spoolman.findMaterial',
      Prisma.sql`
      select json_build_object('id', m.id, 'isArchived', m.archived_at is not null) as value from materials m
      where m.density_g_per_cm3 = ${density}::numeric
        and lower(m.name) in (lower(${name}::text), lower(${name}::text || ' ' || trim_scale(m.density_g_per_cm3)::text))
      order by m.archived_at is not null, m.name <> ${name}::text, m.name limit 1`,
    );
  }

  /** The name of the farm, as in the cursors of its feed. */
  async farmName(): Promise<string> {
    const { name } = await this.database.json<{ name: string }>(
      'spoolman.farm',
      Prisma.sql`select json_build_object('name', f.name) as value from change_feed f`,
    );
    return name;
  }
}
