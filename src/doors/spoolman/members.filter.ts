// Names the members of the objects in SQL, for sorts and filters.
import { COLOR_ARRANGEMENT, COLOR_HEX, COLOR_HEXES, MATERIAL_NAME } from './filament.rows';
import { FIRST_USED, LAST_USED, REMAINING } from './spool.rows';

export type Kind = 'spool' | 'filament' | 'vendor';

/** One expression, or several by which objects are sorted one after the other. */
type Expressions = Record<string, string | readonly string[]>;

const VENDOR: Expressions = {
  id: 'v.id',
  registered: 'v.created_at',
  name: 'v.name',
  comment: 'v.comment',
  empty_spool_weight: 'v.empty_spool_weight',
  external_id: 'v.external_id',
};

const withPrefix = (prefix: string, members: Expressions): Expressions =>
  Object.fromEntries(Object.entries(members).map(([name, expression]) => [prefix + name, expression]));

const FILAMENT: Expressions = {
  id: 'f.number',
  registered: 'f.created_at',
  name: 'f.name',
  material: MATERIAL_NAME,
  price: 'f.purchase_price',
  density: 'm.density_g_per_cm3',
  diameter: 'f.filament_diameter_mm',
  weight: 'f.weight_total_grams',
  spool_weight: 'f.tare_grams',
  article_number: 'f.article_number',
  comment: 'f.comment',
  settings_extruder_temp: 'f.extruder_temp_c',
  settings_bed_temp: 'f.bed_temp_c',
  color_hex: COLOR_HEX,
  multi_color_hexes: COLOR_HEXES,
  multi_color_direction: COLOR_ARRANGEMENT,
  external_id: 'f.external_id',
  ...withPrefix('vendor.', VENDOR),
};
const COMBINED_NAME = ['v.name', 'f.name'];

const LEFT = `greatest(${REMAINING}, 0)`;
const USED = `greatest(s.weight_total_grams - ${REMAINING}, 0)`;
/** A length is in this proportion to the weight, apart from a constant factor. */
const PER_GRAM = '/ m.density_g_per_cm3 / (s.filament_diameter_mm * s.filament_diameter_mm)';

const SPOOL: Expressions = {
  id: 's.number',
  registered: 's.created_at',
  first_used: FIRST_USED,
  last_used: LAST_USED,
  price: 's.purchase_price',
  remaining_weight: LEFT,
  initial_weight: 's.weight_total_grams',
  spool_weight: 'coalesce(s.tare_grams, f.tare_grams)',
  used_weight: USED,
  remaining_length: `${LEFT} ${PER_GRAM}`,
  used_length: `${USED} ${PER_GRAM}`,
  location: 's.place',
  lot_nr: 's.lot_number',
  comment: 's.comment',
  archived: '(s.archived_at is not null)',
  ...withPrefix('filament.', FILAMENT),
  'filament.combined_name': COMBINED_NAME,
};

/** The members by which each kind of object can be sorted. */
export const SORTED_BY: Record<Kind, Expressions> = {
  spool: SPOOL,
  filament: { ...FILAMENT, combined_name: COMBINED_NAME, 'filament.combined_name': COMBINED_NAME },
  vendor: VENDOR,
};

interface Filters {
  texts: Record<string, string>;
  /** By name, with whether -1 stands for objects without this one. */
  ids: Record<string, { column: string; hasNone: boolean }>;
  times: Record<string, string>;
  /** The objects whose own fields can be filtered, with the prefix of the parameter. */
  extra: Record<string, { column: string; kind: Kind }>;
}

const FILAMENT_ID = { column: 'f.number', hasNone: false };
const VENDOR_ID = { column: 'v.id', hasNone: true };

export const FILTERS: Record<Kind, Filters> = {
  spool: {
    texts: {
      'filament.name': 'f.name',
      filament_name: 'f.name',
      'filament.material': MATERIAL_NAME,
      filament_material: MATERIAL_NAME,
      'filament.multi_color_direction': COLOR_ARRANGEMENT,
      'filament.vendor.name': 'v.name',
      vendor_name: 'v.name',
      location: 's.place',
      lot_nr: 's.lot_number',
    },
    ids: {
      'filament.id': FILAMENT_ID,
      filament_id: FILAMENT_ID,
      'filament.vendor.id': VENDOR_ID,
      vendor_id: VENDOR_ID,
    },
    times: { first_used: FIRST_USED, last_used: LAST_USED, registered: 's.created_at' },
    extra: {
      'extra.': { column: 's.extra', kind: 'spool' },
      'filament.extra.': { column: 'f.extra', kind: 'filament' },
      'filament.vendor.extra.': { column: 'v.extra', kind: 'vendor' },
    },
  },
  filament: {
    texts: {
      name: 'f.name',
      material: MATERIAL_NAME,
      'vendor.name': 'v.name',
      vendor_name: 'v.name',
      article_number: 'f.article_number',
      external_id: 'f.external_id',
    },
    ids: { id: FILAMENT_ID, 'vendor.id': VENDOR_ID, vendor_id: VENDOR_ID },
    times: {},
    extra: { 'extra.': { column: 'f.extra', kind: 'filament' } },
  },
  vendor: {
    texts: { name: 'v.name', external_id: 'v.external_id' },
    ids: {},
    times: {},
    extra: { 'extra.': { column: 'v.extra', kind: 'vendor' } },
  },
};
