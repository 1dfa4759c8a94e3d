// Reads what the farm has when an import is decided, in statements of some thousand rows.
import type { Queryable } from '../../database/queryable';
import { arrayParameter, sql } from '../../database/sql';
import { Prisma } from '../../generated/prisma/client';
import type { ReadSpoolman } from './decide';
import {
  externalKey,
  type HereExternal,
  type HereFilament,
  type HereMaterial,
  type HereSpool,
  type HereVendor,
  type StockHere,
} from './stock-here';

const ROWS_OF_STATEMENT = 2000;
/** The note of the weighings and openings that imports write. */
export const IMPORT_NOTE = 'Spoolman';

const HERE_FILAMENT =
  sql(`json_build_object('id', f.id, 'number', f.number, 'name', f.name, 'vendor', f.vendor, 'materialId', f.material_id,
  'colorHex', f.color_hex, 'colorHexes', f.color_hexes, 'colorArrangement', f.color_arrangement,
  'filamentDiameterMm', trim_scale(f.filament_diameter_mm)::text, 'weightTotalGrams', trim_scale(f.weight_total_grams)::text,
  'tareGrams', trim_scale(f.tare_grams)::text, 'purchasePrice', trim_scale(f.purchase_price)::text,
  'minimumGrams', trim_scale(f.minimum_grams)::text, 'articleNumber', f.article_number, 'comment', f.comment,
  'extruderTempC', f.extruder_temp_c, 'bedTempC', f.bed_temp_c, 'externalId', f.external_id, 'extra', f.extra)`);

const HERE_SPOOL =
  sql(`json_build_object('id', s.id, 'number', s.number, 'spoolSerial', s.spool_serial, 'filamentId', s.filament_id,
  'materialId', s.material_id, 'colorHex', s.color_hex, 'vendor', s.vendor,
  'filamentDiameterMm', trim_scale(s.filament_diameter_mm)::text, 'weightTotalGrams', trim_scale(s.weight_total_grams)::text,
  'tareGrams', trim_scale(s.tare_grams)::text, 'purchasePrice', trim_scale(s.purchase_price)::text, 'place', s.place,
  'lotNumber', s.lot_number, 'comment', s.comment, 'archivedAt', s.archived_at, 'firstUsedAt', s.first_used_at,
  'lastUsedAt', s.last_used_at, 'extra', s.extra,
  'tags', (select coalesce(json_agg(t.uid order by t.uid), '[]') from spool_tags t where t.spool_id = s.id),
  'netGrams', (select trim_scale(a.net_grams)::text from spool_adjustments a where a.spool_id = s.id and a.net_grams is not null
    and a.taken_back_at is null order by a.at desc, a.id desc limit 1))`);

const IS_COUNTED = `exists (select from print_jobs j where j.spool_id = s.id)
  or exists (select from print_job_parts p where p.spool_id = s.id)
  or exists (select from spool_adjustments a where a.spool_id = s.id
    and (a.note is distinct from '${IMPORT_NOTE}' or a.kind not in ('OPENING', 'WEIGHED') or a.taken_back_at is not null))`;

export class StockHereStore {
  constructor(private readonly database: Queryable) {}

  async load({ source, objects }: ReadSpoolman): Promise<StockHere> {
    const externals = await this.externals(source);
    const spoolIds = [...externals.values()].flatMap(({ spoolId }) => spoolId ?? []);
    const uids = new Set(
      objects.flatMap((object) => (object.kind === 'SPOOL' ? object.tags.map(({ uid }) => uid) : [])),
    );
    return {
      externals,
      materials: await this.database.json<HereMaterial[]>(
        'spoolmanHere.materials',
        Prisma.sql`
        select coalesce(json_agg(json_build_object('id', m.id, 'name', m.name, 'densityGPerCm3', trim_scale(m.density_g_per_cm3)::text,
          'isArchived', m.archived_at is not null) order by m.name), '[]') as value from materials m`,
      ),
      vendors: new Map((await this.vendors()).map((vendor) => [vendor.name, vendor])),
      filaments: new Map((await this.filaments(null)).map((filament) => [filament.id, filament])),
      spools: new Map((await this.spools(spoolIds)).map((spool) => [spool.id, spool])),
      serials: new Set(await this.serials(source)),
      tagOwners: new Map(await this.tagOwners([...uids])),
      fields: new Map(
        await this.database.json<[string, string][]>(
          'spoolmanHere.fields',
          Prisma.sql`
          select coalesce(json_agg(json_build_array(f.entity_type || ' ' || f.key, f.field_type)), '[]') as value from extra_fields f`,
        ),
      ),
    };
  }

  vendors(): Promise<HereVendor[]> {
    return this.database.json(
      'spoolmanHere.vendors',
      Prisma.sql`
      select coalesce(json_agg(json_build_object('id', v.id, 'name', v.name, 'comment', v.comment, 'externalId', v.external_id,
        'emptySpoolWeight', trim_scale(v.empty_spool_weight)::text, 'extra', v.extra)), '[]') as value from vendors v`,
    );
  }

  /** @param ids null for all */
  async filaments(ids: readonly string[] | null): Promise<HereFilament[]> {
    const read = (condition: Prisma.Sql) =>
      this.database.json<HereFilament[]>(
        'spoolmanHere.filaments',
        Prisma.sql`
        select coalesce(json_agg(r.row), '[]') as value from (
          select ${HERE_FILAMENT} as row from filaments f where ${condition} order by f.id limit ${ROWS_OF_STATEMENT}::int
        ) r`,
      );
    if (ids !== null)
      return inParts(ids, (part) => read(Prisma.sql`f.id = any(${arrayParameter(part, 'uuid')}::uuid[])`));
    const all: HereFilament[] = [];
    for (;;) {
      const last = all.at(-1);
      const page = await read(last === undefined ? Prisma.sql`true` : Prisma.sql`f.id > ${last.id}::uuid`);
      all.push(...page);
      if (page.length < ROWS_OF_STATEMENT) return all;
    }
  }

  async spools(ids: readonly string[]): Promise<HereSpool[]> {
    if (ids.length === 0) return [];
    const hasReports = await this.database.json<boolean>(
      'spoolmanHere.hasReports',
      Prisma.sql`select to_json(to_regclass('reported_uses') is not null) as value`,
    );
    const reported = hasReports ? ' or exists (select from reported_uses u where u.spool_id = s.id)' : '';
    const spools = await inParts(ids, (part) =>
      this.database.json<HereSpool[]>(
        'spoolmanHere.spools',
        Prisma.sql`
        select coalesce(json_agg(r.row), '[]') as value from (
          select ${HERE_SPOOL}::jsonb || jsonb_build_object('isCounted', ${sql(IS_COUNTED + reported)}) as row
          from spools s where s.id = any(${arrayParameter(part, 'uuid')}::uuid[])
        ) r`,
      ),
    );
    return spools.map((spool) => ({
      ...spool,
      archivedAt: toInstant(spool.archivedAt),
      firstUsedAt: toInstant(spool.firstUsedAt),
      lastUsedAt: toInstant(spool.lastUsedAt),
    }));
  }

  private async externals(source: string): Promise<Map<string, HereExternal>> {
    type Row = HereExternal & { kind: string; externalId: number; registered: string };
    const found = new Map<string, HereExternal>();
    let last: Row | undefined;
    for (;;) {
      const after =
        last === undefined
          ? Prisma.sql`true`
          : Prisma.sql`(e.kind, e.external_id, e.registered) > (${last.kind}, ${last.externalId}::int, ${last.registered}::timestamptz)`;
      const page = await this.database.json<Row[]>(
        'spoolmanHere.externals',
        Prisma.sql`
        select coalesce(json_agg(r.row), '[]') as value from (
          select json_build_object('kind', e.kind, 'externalId', e.external_id, 'registered', e.registered, 'vendorId', e.vendor_id,
            'filamentId', e.filament_id, 'spoolId', e.spool_id, 'imported', e.imported) as row
          from external_objects e where e.source = ${source} and ${after}
          order by e.kind, e.external_id, e.registered limit ${ROWS_OF_STATEMENT}::int
        ) r`,
      );
      for (const { kind, externalId, registered, ...row } of page)
        found.set(externalKey(kind, externalId, new Date(registered).toISOString()), row);
      if (page.length < ROWS_OF_STATEMENT) return found;
      last = page.at(-1);
    }
  }

  private async serials(source: string): Promise<string[]> {
    const all: string[] = [];
    for (;;) {
      const after = all.at(-1) ?? `${source}-`;
      const page = await this.database.json<string[]>(
        'spoolmanHere.serials',
        Prisma.sql`
        select coalesce(json_agg(r.spool_serial), '[]') as value from (
          select s.spool_serial from spools s where s.spool_serial > ${after} and s.spool_serial < ${`${source}.`}
          order by s.spool_serial limit ${ROWS_OF_STATEMENT}::int
        ) r`,
      );
      all.push(...page);
      if (page.length < ROWS_OF_STATEMENT) return all;
    }
  }

  private tagOwners(uids: readonly string[]): Promise<[string, string][]> {
    return inParts(uids, (part) =>
      this.database.json<[string, string][]>(
        'spoolmanHere.tagOwners',
        Prisma.sql`
        select coalesce(json_agg(json_build_array(t.uid, t.spool_id)), '[]') as value from spool_tags t
        where t.uid = any(${arrayParameter(part, 'text')}::text[])`,
      ),
    );
  }
}

const toInstant = (time: string | null) => (time === null ? null : new Date(time).toISOString());

async function inParts<Key, Row>(keys: readonly Key[], read: (part: Key[]) => Promise<Row[]>): Promise<Row[]> {
  const rows: Row[] = [];
  for (let at = 0; at < keys.length; at += ROWS_OF_STATEMENT)
    rows.push(...(await read(keys.slice(at, at + ROWS_OF_STATEMENT))));
  return rows;
}
