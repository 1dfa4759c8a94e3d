// The filament as the API shows it, and the tables from which it is read.
import { columnMember, nestedRow, rowShape } from '../../database/rows';
import { sql } from '../../database/sql';
import { writeNumber, writeObject, writeText, writeTime } from './json-object';
import { VENDOR_ROW, type VendorRow, writeVendor } from './vendor.rows';

export interface FilamentRow {
  number: number;
  createdAt: string;
  name: string | null;
  vendor: VendorRow | null;
  material: string;
  purchasePrice: string | null;
  density: string;
  filamentDiameterMm: string;
  weightTotalGrams: string;
  tareGrams: string | null;
  articleNumber: string | null;
  comment: string | null;
  extruderTempC: number | null;
  bedTempC: number | null;
  colorHex: string | null;
  colorHexes: string | null;
  colorArrangement: string | null;
  externalId: string | null;
  extra: Record<string, string>;
}

const DENSITY = 'trim_scale(m.density_g_per_cm3)::text';
/** The name of a material `m` without its density: "PLA" for "PLA 1.27", if its density is 1.27. */
export const MATERIAL_NAME = `(case when right(m.name, length(${DENSITY}) + 1) = ' ' || ${DENSITY}
  then left(m.name, -length(${DENSITY}) - 1) else m.name end)`;
/** The colour of a filament `f` with one colour. */
export const COLOR_HEX = `(case when cardinality(f.color_hexes) = 0 then upper(substr(f.color_hex, 2)) end)`;
export const COLOR_HEXES = `nullif(upper(replace(array_to_string(f.color_hexes, ','), '#', '')), '')`;
export const COLOR_ARRANGEMENT = 'lower(f.color_arrangement)';

/** The members of a filament `f` with its material `m` and its vendor `v`. */
export const FILAMENT_ROW = rowShape<
  FilamentRow,
  'vendor' | 'material' | 'density' | 'colorHex' | 'colorHexes' | 'colorArrangement' | 'extra'
>(
  'f',
  {
    number: 'int',
    createdAt: 'timestamptz',
    name: 'text',
    purchasePrice: 'numeric',
    filamentDiameterMm: 'numeric',
    weightTotalGrams: 'numeric',
    tareGrams: 'numeric',
    articleNumber: 'text',
    comment: 'text',
    extruderTempC: 'int',
    bedTempC: 'int',
    externalId: 'text',
  },
  {
    vendor: nestedRow(VENDOR_ROW, (json) => `case when v.id is not null then ${json} end`),
    material: columnMember(MATERIAL_NAME, 'text'),
    density: columnMember('m.density_g_per_cm3', 'numeric'),
    colorHex: columnMember(COLOR_HEX, 'text'),
    colorHexes: columnMember(COLOR_HEXES, 'text'),
    colorArrangement: columnMember(COLOR_ARRANGEMENT, 'text'),
    extra: columnMember('f.extra', 'json'),
  },
);

/** Filaments `f`. A spool without a filament has one of its own, which has the number of the spool. */
export const FILAMENTS = sql(`(
  select f.number, f.created_at, f.name, f.vendor, f.material_id, f.purchase_price, f.filament_diameter_mm, f.weight_total_grams,
    f.tare_grams, f.article_number, f.comment, f.extruder_temp_c, f.bed_temp_c, f.color_hex, f.color_hexes, f.color_arrangement,
    f.external_id, f.extra, f.archived_at
  from filaments f
  union all
  select s.number, s.created_at, null, s.vendor, s.material_id, null, s.filament_diameter_mm, s.weight_total_grams,
    s.tare_grams, null, null, null, null, s.color_hex, '{}', null, null, '{}', s.archived_at
  from spools s where s.filament_id is null
) f join materials m on m.id = f.material_id left join vendors v on v.name = f.vendor`);

export const writeFilament = (filament: FilamentRow): string =>
  writeObject({
    id: writeNumber(filament.number),
    registered: writeTime(filament.createdAt),
    name: writeText(filament.name),
    vendor: filament.vendor && writeVendor(filament.vendor),
    material: writeText(filament.material),
    price: writeNumber(filament.purchasePrice),
    density: writeNumber(filament.density),
    diameter: writeNumber(filament.filamentDiameterMm),
    weight: writeNumber(filament.weightTotalGrams),
    spool_weight: writeNumber(filament.tareGrams),
    article_number: writeText(filament.articleNumber),
    comment: writeText(filament.comment),
    settings_extruder_temp: writeNumber(filament.extruderTempC),
    settings_bed_temp: writeNumber(filament.bedTempC),
    color_hex: writeText(filament.colorHex),
    multi_color_hexes: writeText(filament.colorHexes),
    multi_color_direction: writeText(filament.colorArrangement),
    external_id: writeText(filament.externalId),
    extra: JSON.stringify(filament.extra),
    tags: '[]',
  });
