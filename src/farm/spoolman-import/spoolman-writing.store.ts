// The statements that write an import. They run in one transaction, and each writes at most some hundred rows.
import type { Queryable } from '../../database/queryable';
import { arrayParameter, CLOCK, sql } from '../../database/sql';
import { Prisma } from '../../generated/prisma/client';
import type { NewVendor, PlannedFilament, PlannedSpool } from './import-plan';
import type { FieldDefinition } from './spoolman-fields';
import { MAX_KEPT_ID } from './spoolman-numbers.store';
import type { HereFilament, HereMaterial, Imported } from './stock-here';
import { IMPORT_NOTE } from './stock-here.store';

/** Something that the import was decided by has changed since, so nothing is written. */
export class StockChanged extends Error {}

const FILAMENT_RECORD =
  sql(`"id" uuid, "name" text, "vendor" text, "materialId" uuid, "colorHex" text, "colorHexes" text[],
  "colorArrangement" text, "filamentDiameterMm" numeric, "weightTotalGrams" numeric, "tareGrams" numeric, "purchasePrice" numeric,
  "minimumGrams" numeric, "articleNumber" text, "comment" text, "extruderTempC" int, "bedTempC" int, "externalId" text, "extra" jsonb`);
const FILAMENT_VALUES = `name = g."name", vendor = g."vendor", material_id = g."materialId", color_hex = g."colorHex",
  color_hexes = g."colorHexes", color_arrangement = g."colorArrangement", filament_diameter_mm = g."filamentDiameterMm",
  weight_total_grams = g."weightTotalGrams", tare_grams = g."tareGrams", purchase_price = g."purchasePrice",
  minimum_grams = g."minimumGrams", article_number = g."articleNumber", comment = g."comment", extruder_temp_c = g."extruderTempC",
  bed_temp_c = g."bedTempC", external_id = g."externalId", extra = g."extra"`;
const SPOOL_RECORD =
  sql(`"id" uuid, "spoolSerial" text, "filamentId" uuid, "materialId" uuid, "colorHex" text, "vendor" text,
  "filamentDiameterMm" numeric, "weightTotalGrams" numeric, "tareGrams" numeric, "purchasePrice" numeric, "place" text, "lotNumber" text,
  "comment" text, "archivedAt" timestamptz, "firstUsedAt" timestamptz, "lastUsedAt" timestamptz, "extra" jsonb`);
const SPOOL_VALUES = `spool_serial = g."spoolSerial", filament_id = g."filamentId", material_id = g."materialId", color_hex = g."colorHex",
  vendor = g."vendor", filament_diameter_mm = g."filamentDiameterMm", weight_total_grams = g."weightTotalGrams", tare_grams = g."tareGrams",
  purchase_price = g."purchasePrice", place = g."place", lot_number = g."lotNumber", comment = g."comment", archived_at = g."archivedAt",
  first_used_at = g."firstUsedAt", last_used_at = g."lastUsedAt", extra = g."extra"`;

/** The columns and the values of a SET list, for an INSERT. */
const columnsOf = (values: string) => sql([...values.matchAll(/(\w+) = /g)].map(([, column]) => column).join(', '));
const valuesOf = (values: string) => sql([...values.matchAll(/= (g\."\w+")/g)].map(([, value]) => value).join(', '));

type Created<Row> = Row & { createdAt: string };

export class SpoolmanWritingStore {
  /** @param database an open transaction */
  constructor(private readonly database: Queryable) {}

  async addMaterials(materials: readonly HereMaterial[]): Promise<void> {
    await this.write(
      'spoolmanWriting.materials',
      materials,
      sql('"id" uuid, "name" text, "densityGPerCm3" numeric'),
      sql('insert into materials (id, name, density_g_per_cm3) select g."id", g."name", g."densityGPerCm3" from g'),
    );
  }

  async addFields(fields: readonly FieldDefinition[]): Promise<void> {
    await this.write(
      'spoolmanWriting.fields',
      fields,
      sql(`"entityType" text, "key" text, "name" text, "order" int, "fieldType" text, "unit" text, "defaultValue" text, "choices" jsonb,
        "multiChoice" boolean`),
      sql(`insert into extra_fields (entity_type, key, name, "order", field_type, unit, default_value, choices, multi_choice)
        select g."entityType", g."key", g."name", g."order", g."fieldType", g."unit", g."defaultValue", g."choices", g."multiChoice" from g`),
    );
  }

  /** Moves the series of vendors past the ids that vendors keep. A sequence is not rolled back; gaps in it are no fault. */
  async passVendorIds(vendors: readonly NewVendor[]): Promise<void> {
    const greatest = vendors.reduce((max, { wantedId }) => (wantedId > MAX_KEPT_ID ? max : Math.max(max, wantedId)), 0);
    await this.database.json(
      'spoolmanWriting.passVendorIds',
      Prisma.sql`
      select to_json(count(nextval('vendors_id_seq'))) as value from generate_series(
        (select q.last_value + q.is_called::int from vendors_id_seq q), ${greatest}::bigint)`,
    );
  }

  async addVendors(vendors: readonly NewVendor[]): Promise<void> {
    await this.write(
      'spoolmanWriting.vendors',
      vendors,
      sql('"wantedId" int, "name" text, "comment" text, "emptySpoolWeight" numeric, "externalId" text, "extra" jsonb'),
      sql(`insert into vendors (id, name, comment, empty_spool_weight, external_id, extra)
        select case when g."wantedId" <= ${MAX_KEPT_ID} and not exists (select from vendors v where v.id = g."wantedId") then g."wantedId"
          else nextval('vendors_id_seq') end, g."name", g."comment", g."emptySpoolWeight", g."externalId", g."extra" from g`),
    );
  }

  async changeVendors(vendors: readonly NewVendor[]): Promise<void> {
    await this.write(
      'spoolmanWriting.changeVendors',
      vendors,
      sql('"name" text, "comment" text, "emptySpoolWeight" numeric, "externalId" text, "extra" jsonb'),
      sql(`update vendors v set comment = g."comment", empty_spool_weight = g."emptySpoolWeight", external_id = g."externalId",
        extra = g."extra" from g where v.name = g."name"`),
    );
  }

  async addFilaments(filaments: readonly Created<PlannedFilament>[], now: string): Promise<void> {
    await this.write(
      'spoolmanWriting.filaments',
      filaments,
      Prisma.sql`${FILAMENT_RECORD}, "createdAt" timestamptz`,
      Prisma.sql`insert into filaments (id, created_at, updated_at, ${columnsOf(FILAMENT_VALUES)})
        select g."id", g."createdAt", ${now}::timestamptz, ${valuesOf(FILAMENT_VALUES)} from g`,
    );
  }

  async addSpools(spools: readonly Created<PlannedSpool>[], now: string): Promise<void> {
    await this.write(
      'spoolmanWriting.spools',
      spools,
      Prisma.sql`${SPOOL_RECORD}, "createdAt" timestamptz`,
      Prisma.sql`insert into spools (id, created_at, updated_at, ${columnsOf(SPOOL_VALUES)})
        select g."id", g."createdAt", ${now}::timestamptz, ${valuesOf(SPOOL_VALUES)} from g`,
    );
  }

  /** Writes filaments that this transaction has locked, and corrects their spools, as a user's correction of the filament does. */
  async changeFilaments(
    filaments: readonly (PlannedFilament & { before: HereFilament })[],
    now: string,
  ): Promise<void> {
    await this.write(
      'spoolmanWriting.changeFilaments',
      filaments,
      FILAMENT_RECORD,
      Prisma.sql`update filaments f set updated_at = ${now}::timestamptz, ${sql(FILAMENT_VALUES)} from g where f.id = g."id"`,
    );
    const corrected = [
      ['material_id', 'materialId', 'uuid'],
      ['filament_diameter_mm', 'filamentDiameterMm', 'numeric'],
      ['color_hex', 'colorHex', 'text'],
      ['vendor', 'vendor', 'text'],
    ] as const;
    const takes = ([column, member, type]: (typeof corrected)[number]) =>
      `(s.${column} is not distinct from (g."before"->>'${member}')::${type} and s.${column} is distinct from g."${member}")`;
    const values = corrected.map(
      (one) => `${one[0]} = case when ${takes(one)} then g."${one[1]}" else s.${one[0]} end`,
    );
    await this.write(
      'spoolmanWriting.correctSpools',
      filaments,
      Prisma.sql`${FILAMENT_RECORD}, "before" jsonb`,
      Prisma.sql`update spools s set updated_at = ${now}::timestamptz, ${sql(values.join(', '))} from g
        where s.filament_id = g."id" and s.archived_at is null and (${sql(corrected.map(takes).join(' or '))})`,
      false,
    );
  }

  /** Writes spools that this transaction has locked. */
  async changeSpools(spools: readonly PlannedSpool[], now: string): Promise<void> {
    await this.write(
      'spoolmanWriting.changeSpools',
      spools,
      SPOOL_RECORD,
      Prisma.sql`update spools s set updated_at = ${now}::timestamptz, ${sql(SPOOL_VALUES)} from g where s.id = g."id"`,
    );
  }

  async addAdjustments(
    adjustments: readonly { spoolId: string; netGrams: string }[],
    kind: 'OPENING' | 'WEIGHED',
    by: string | null,
  ): Promise<void> {
    await this.write(
      'spoolmanWriting.adjustments',
      adjustments,
      sql('"spoolId" uuid, "netGrams" numeric'),
      Prisma.sql`insert into spool_adjustments (spool_id, kind, at, net_grams, note, by)
        select g."spoolId", ${kind}, date_trunc('milliseconds', ${CLOCK}), g."netGrams", ${IMPORT_NOTE}, ${by}::text from g`,
    );
  }

  async removeTags(uids: readonly string[]): Promise<void> {
    await this.database.json(
      'spoolmanWriting.removeTags',
      Prisma.sql`
      with t as (delete from spool_tags where uid = any(${arrayParameter(uids, 'text')}::text[]) returning 1)
      select to_json(count(*)) as value from t`,
    );
  }

  async addTags(
    tags: readonly { uid: string; spoolId: string; format: string | null; addedAt: string | null }[],
  ): Promise<void> {
    await this.write(
      'spoolmanWriting.tags',
      tags,
      sql('"uid" text, "spoolId" uuid, "format" text, "addedAt" timestamptz'),
      sql(`insert into spool_tags (uid, spool_id, format, added_at)
        select g."uid", g."spoolId", g."format", coalesce(g."addedAt", now()) from g`),
    );
  }

  async noteImported(
    source: string,
    objects: readonly {
      kind: string;
      externalId: number;
      registered: string;
      vendorName: string | null;
      filamentId: string | null;
      spoolId: string | null;
      imported: Imported;
    }[],
  ): Promise<void> {
    await this.write(
      'spoolmanWriting.imported',
      objects,
      sql(
        `"kind" text, "externalId" int, "registered" timestamptz, "vendorName" text, "filamentId" uuid, "spoolId" uuid, "imported" jsonb`,
      ),
      Prisma.sql`insert into external_objects (source, kind, external_id, registered, vendor_id, filament_id, spool_id, imported)
        select ${source}, g."kind", g."externalId", g."registered", v.id, g."filamentId", g."spoolId", g."imported"
        from g left join vendors v on v.name = g."vendorName"
        on conflict (source, kind, external_id, registered) do update set imported = excluded.imported`,
    );
  }

  /** Locks the rows until the transaction ends, in the order in which a correction of a filament locks. */
  async lock(filamentIds: readonly string[], spoolIds: readonly string[]): Promise<void> {
    for (const [table, ids] of [
      ['filaments', filamentIds],
      ['spools', spoolIds],
    ] as const) {
      await this.database.json(
        'spoolmanWriting.lock',
        Prisma.sql`
        with l as (select from ${sql(table)} x where x.id = any(${arrayParameter(ids, 'uuid')}::uuid[]) order by x.id for update)
        select to_json(count(*)) as value from l`,
      );
    }
  }

  /** @param isCounted whether each given row must be written */
  private async write(
    name: string,
    rows: readonly object[],
    record: Prisma.Sql,
    statement: Prisma.Sql,
    isCounted = true,
  ): Promise<void> {
    if (rows.length === 0) return;
    const count = await this.database.json<number>(
      name,
      Prisma.sql`
      with g as materialized (select * from json_to_recordset(${JSON.stringify(rows)}::json) as g (${record})),
      w as (${statement} returning 1) select to_json(count(*)) as value from w`,
    );
    if (isCounted && count !== rows.length) throw new StockChanged();
  }
}
