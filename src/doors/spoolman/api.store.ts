// Writes the members of spools and filaments that only the API writes, and finds what its ids mean.
import { violatedConstraint } from '../../database/failures';
import type { Queryable } from '../../database/queryable';
import { assignments } from '../../database/rows';
import { BadInput } from '../../errors';
import { mergeExtra } from '../../farm/inventory/vendor.store';
import { Prisma } from '../../generated/prisma/client';
import { TAG_ROW, type TagRow } from './spool.rows';

type Extra = Readonly<Record<string, string | null>>;

/** A filament as its spools take it over. */
export interface FoundFilament {
  id: string;
  name: string;
  vendor: string | null;
  materialId: string;
  materialName: string;
  density: string;
  filamentDiameterMm: string;
  weightTotalGrams: string;
  colorHex: string | null;
  isMulticolor: boolean;
}

export interface SpoolDetails {
  spoolSerial?: string | undefined;
  lotNumber?: string | null | undefined;
  comment?: string | null | undefined;
  firstUsedAt?: string | null | undefined;
  lastUsedAt?: string | null | undefined;
}
const SPOOL_DETAILS = {
  spoolSerial: 'text',
  lotNumber: 'text',
  comment: 'text',
  firstUsedAt: 'timestamptz',
  lastUsedAt: 'timestamptz',
} as const;

export interface FilamentDetails {
  colorArrangement?: string | null | undefined;
  extruderTempC?: number | null | undefined;
  bedTempC?: number | null | undefined;
  comment?: string | null | undefined;
  externalId?: string | null | undefined;
}
const FILAMENT_DETAILS = {
  colorArrangement: 'text',
  extruderTempC: 'int',
  bedTempC: 'int',
  comment: 'text',
  externalId: 'text',
} as const;

export class ApiStore {
  constructor(private readonly database: Queryable) {}

  /** @returns null if there is no such spool. The spool stays locked until the transaction ends. */
  lockSpool(number: number): Promise<{ id: string; filamentNumber: number; isArchived: boolean } | null> {
    return this.database.json(
      'spoolman.lockSpool',
      Prisma.sql`
      select json_build_object('id', s.id, 'isArchived', s.archived_at is not null,
        'filamentNumber', coalesce((select f.number from filaments f where f.id = s.filament_id), s.number)) as value
      from spools s where s.number = ${number}::int for update`,
    );
  }

  /** @returns null if there is no such filament; a spool without a filament has no stored one */
  findFilament(number: number): Promise<FoundFilament | null> {
    return this.database.json(
      'spoolman.findFilament',
      Prisma.sql`
      select json_build_object('id', f.id, 'name', f.name, 'vendor', f.vendor, 'materialId', f.material_id, 'materialName', m.name,
        'density', trim_scale(m.density_g_per_cm3)::text, 'filamentDiameterMm', f.filament_diameter_mm::text,
        'weightTotalGrams', f.weight_total_grams::text, 'colorHex', f.color_hex, 'isMulticolor', cardinality(f.color_hexes) > 0) as value
      from filaments f join materials m on m.id = f.material_id where f.number = ${number}::int`,
    );
  }

  async hasFilament(number: number): Promise<boolean> {
    return this.database.json(
      'spoolman.hasFilament',
      Prisma.sql`select to_json(exists (select from spools s where s.number = ${number}::int and s.filament_id is null)) as value`,
    );
  }

  async updateSpool(id: string, details: SpoolDetails, extra: Extra, now: string): Promise<void> {
    await this.update('spools', id, assignAll(SPOOL_DETAILS, details), extra, now);
  }

  /** @param colorHexes undefined to keep the colours; an empty list for a filament with one colour */
  async updateFilament(
    id: string,
    details: FilamentDetails,
    colorHexes: readonly string[] | undefined,
    extra: Extra,
    now: string,
  ): Promise<void> {
    const colors = colorHexes === undefined ? [] : [Prisma.sql`color_hexes = ${[...colorHexes]}::text[]`];
    await this.update('filaments', id, [...assignAll(FILAMENT_DETAILS, details), ...colors], extra, now);
  }

  private async update(
    table: 'spools' | 'filaments',
    id: string,
    changes: Prisma.Sql[],
    extra: Extra,
    now: string,
  ): Promise<void> {
    const merged = Object.keys(extra).length > 0 ? [Prisma.sql`extra = ${mergeExtra(extra)}`] : [];
    if (changes.length + merged.length === 0) return;
    await this.database.attempt(`spoolman.${table}`, ({ json }, name) =>
      json(
        name,
        Prisma.sql`
        with o as (
          update ${Prisma.raw(table)} set ${Prisma.join([...changes, ...merged])}, updated_at = ${now}::timestamptz
          where id = ${id}::uuid returning 1
        )
        select to_json(count(*)) as value from o`,
      ),
    );
  }

  /** Links a UID to a spool, if no spool has it and the spool has room for it. */
  async linkUnused(spoolId: string, uid: string): Promise<void> {
    try {
      await this.database.attempt('spoolman.linkUnused', ({ json }, name) =>
        json(
          name,
          Prisma.sql`
          with t as (insert into spool_tags (uid, spool_id) values (${uid}::text, ${spoolId}::uuid) on conflict (uid) do nothing returning 1)
          select to_json(count(*)) as value from t`,
        ),
      );
    } catch (error) {
      // The spool has as many tags as it may have.
      if (violatedConstraint(error) === undefined) throw error;
    }
  }

  /**
   * Links a tag to a spool, if no other spool has it. A format replaces the stored one.
   * @returns the tag, and the number of the spool that has it
   */
  async linkTag(spoolId: string, uid: string, format: string | null): Promise<{ tag: TagRow; owner: number }> {
    try {
      await this.database.attempt('spoolman.linkTag', ({ json }, name) =>
        json(
          name,
          Prisma.sql`
          with t as (
            insert into spool_tags as t (uid, spool_id, format) values (${uid}::text, ${spoolId}::uuid, ${format}::text)
            on conflict (uid) do update set format = excluded.format
              where t.spool_id = excluded.spool_id and excluded.format is not null
            returning 1
          )
          select to_json(count(*)) as value from t`,
        ),
      );
    } catch (error) {
      if (violatedConstraint(error)?.kind !== 'check') throw error;
      // The database counts before it finds the spool that has the tag.
      if (!(await this.hasOwner(uid))) throw new BadInput('A spool can have at most 16 tags. Unlink a tag first');
    }
    const { tag, owner } = await this.database.json<{ tag: unknown[]; owner: number }>(
      'spoolman.tag',
      Prisma.sql`
      select json_build_object('tag', ${TAG_ROW.json}, 'owner', s.number) as value
      from spool_tags t join spools s on s.id = t.spool_id where t.uid = ${uid}::text`,
    );
    return { tag: TAG_ROW.read(tag), owner };
  }

  private hasOwner(uid: string): Promise<boolean> {
    return this.database.json(
      'spoolman.hasOwner',
      Prisma.sql`select to_json(exists (select from spool_tags where uid = ${uid}::text)) as value`,
    );
  }

  /** @returns false if the spool does not have the tag */
  unlinkTag(spoolId: string, uid: string): Promise<boolean> {
    return this.database.json(
      'spoolman.unlinkTag',
      Prisma.sql`
      with t as (delete from spool_tags where uid = ${uid}::text and spool_id = ${spoolId}::uuid returning 1)
      select to_json(count(*) > 0) as value from t`,
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

  /** The number of the spool that has a tag; null if none has it. */
  async findSpoolOfTag(uid: string): Promise<number | null> {
    return this.database.json(
      'spoolman.findSpoolOfTag',
      Prisma.sql`
      select to_json(s.number) as value from spool_tags t join spools s on s.id = t.spool_id where t.uid = ${uid}::text`,
    );
  }

  /** The number of the object that a label of Spoolman means; null if no import has its id. */
  async findImported(kind: 'SPOOL' | 'FILAMENT', id: number): Promise<number | null> {
    return this.database.json(
      'spoolman.findImported',
      Prisma.sql`
      select to_json(coalesce(s.number, f.number)) as value from external_objects x
        left join spools s on s.id = x.spool_id left join filaments f on f.id = x.filament_id
      where x.kind = ${kind}::text and x.external_id = ${id}::int order by x.registered desc limit 1`,
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

const assignAll = (columns: Parameters<typeof assignments>[0], changes: object): Prisma.Sql[] =>
  Object.values(changes).some((value) => value !== undefined) ? [assignments(columns, changes)] : [];
