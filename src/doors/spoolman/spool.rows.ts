// The spool as the API shows it, and the tables from which it is read.
import DecimalJs from 'decimal.js';
import { columnMember, nestedRow, rowShape } from '../../database/rows';
import { sql } from '../../database/sql';
import type { SpoolTag } from '../../farm/inventory/tag.types';
import { REMAINING_GRAMS, SPOOL_SUMS } from '../../farm/stock/stock.rows';
import { FILAMENT_ROW, type FilamentRow, writeFilament } from './filament.rows';
import { writeList, writeNumber, writeObject, writeText, writeTime } from './json-object';

export interface SpoolRow {
  /** The GUID. */
  id: string;
  number: number;
  createdAt: string;
  firstUsed: string | null;
  lastUsed: string | null;
  filament: FilamentRow;
  filamentId: string | null;
  purchasePrice: string | null;
  weightTotalGrams: string;
  tareGrams: string | null;
  place: string | null;
  lotNumber: string | null;
  comment: string | null;
  archivedAt: string | null;
  extra: Record<string, string>;
  tags: SpoolTag[];
}

const TAG_ROW = rowShape<SpoolTag>('t', { uid: 'text', format: 'text', addedAt: 'timestamptz' });

/** When a spool `s` was used here: each row has a start and an end. */
const USES = `
  select j.started_at as first_at, j.completed_at as last_at from print_jobs j where j.spool_id = s.id and j.started_at is not null
  union all select j.started_at, j.completed_at from print_job_parts p join print_jobs j on j.id = p.job_id and j.divided
  where p.spool_id = s.id and j.started_at is not null
  union all select r.since, r.ended_at from reported_uses r where r.spool_id = s.id`;
/** The first and the last use of a spool `s`, here or before its import. */
export const FIRST_USED = `least(s.first_used_at, (select min(u.first_at) from (${USES}) u))`;
export const LAST_USED = `greatest(s.last_used_at, (select max(u.last_at) from (${USES}) u))`;
/** Reads both for each spool `s` at once, which takes half the time. */
export const USE_TIMES = sql(`lateral (
  select least(s.first_used_at, min(u.first_at)) as first_used, greatest(s.last_used_at, max(u.last_at)) as last_used from (${USES}) u
) t`);

/** What jobs and weighings leave of a spool `s`. Lists are sorted by it, without the use of jobs that are running. */
export const REMAINING = `(select ${REMAINING_GRAMS.text} from ${SPOOL_SUMS.text})`;

/** The members of a spool `s` with its filament `f`, `m` and `v`, and its USE_TIMES `t`. */
export const SPOOL_ROW = rowShape<SpoolRow, 'firstUsed' | 'lastUsed' | 'filament' | 'tareGrams' | 'extra' | 'tags'>(
  's',
  {
    id: 'uuid',
    number: 'int',
    createdAt: 'timestamptz',
    filamentId: 'uuid',
    purchasePrice: 'numeric',
    weightTotalGrams: 'numeric',
    place: 'text',
    lotNumber: 'text',
    comment: 'text',
    archivedAt: 'timestamptz',
  },
  {
    firstUsed: columnMember('t.first_used', 'timestamptz'),
    lastUsed: columnMember('t.last_used', 'timestamptz'),
    filament: nestedRow(FILAMENT_ROW, (json) => json),
    tareGrams: columnMember('coalesce(s.tare_grams, f.tare_grams)', 'numeric'),
    extra: columnMember('s.extra', 'json'),
    tags: {
      sql: `(select json_agg(${TAG_ROW.json.text} order by t.added_at, t.uid) from spool_tags t where t.spool_id = s.id)`,
      read: (rows: unknown[][] | null) => (rows ?? []).map(TAG_ROW.read),
    },
  },
);

/** Spools `s`, each with its filament `f`, whose material, density, diameter, colour and vendor are those of the spool. */
export const SPOOLS = sql(`spools s left join filaments p on p.id = s.filament_id
  cross join lateral (select coalesce(p.number, s.number) as number, coalesce(p.created_at, s.created_at) as created_at, p.name,
    s.vendor, p.purchase_price, s.filament_diameter_mm, coalesce(p.weight_total_grams, s.weight_total_grams) as weight_total_grams,
    case when p.id is null then s.tare_grams else p.tare_grams end as tare_grams, p.article_number, p.comment, p.extruder_temp_c,
    p.bed_temp_c, s.color_hex, coalesce(p.color_hexes, '{}') as color_hexes, p.color_arrangement, p.external_id,
    coalesce(p.extra, '{}') as extra) f
  join materials m on m.id = s.material_id left join vendors v on v.name = s.vendor`);

/** With 160 digits the difference of two amounts is exact. */
const Exact = DecimalJs.clone({ precision: 160 });
/** A length has 2 decimals, so 40 digits are enough for the largest one. */
const Rounded = DecimalJs.clone({ precision: 40, rounding: DecimalJs.ROUND_HALF_EVEN });
const QUARTER_OF_PI = Rounded.acos(-1).div(4);

/** @param left grams, which may be below 0 */
export function writeSpool(spool: SpoolRow, left: string): string {
  const { density, filamentDiameterMm } = spool.filament;
  const remaining = left.startsWith('-') ? '0' : left;
  const used = subtract(spool.weightTotalGrams, left);
  const gramsPerMm = calculateGramsPerMm(filamentDiameterMm, density);
  const toLength = (grams: string) => (grams === '0' ? '0' : new Rounded(grams).div(gramsPerMm).toFixed(2));
  return writeObject({
    id: writeNumber(spool.number),
    registered: writeTime(spool.createdAt),
    first_used: writeTime(spool.firstUsed),
    last_used: writeTime(spool.lastUsed),
    filament: writeFilament(spool.filament),
    price: writeNumber(spool.purchasePrice),
    remaining_weight: writeNumber(remaining),
    initial_weight: writeNumber(spool.weightTotalGrams),
    spool_weight: writeNumber(spool.tareGrams),
    used_weight: writeNumber(used),
    remaining_length: toLength(remaining),
    used_length: toLength(used),
    location: writeText(spool.place),
    lot_nr: writeText(spool.lotNumber),
    comment: writeText(spool.comment),
    archived: String(spool.archivedAt !== null),
    extra: JSON.stringify(spool.extra),
    tags: writeList(spool.tags.map(writeTag)),
  });
}

/** The last result, because most spools of a list have the same diameter and density. */
let lastGramsPerMm = { key: '', grams: new Rounded(0) };

function calculateGramsPerMm(diameter: string, density: string): DecimalJs {
  const key = `${diameter} ${density}`;
  if (lastGramsPerMm.key !== key) {
    const grams = new Rounded(diameter).pow(2).times(QUARTER_OF_PI).times(density).div(1000);
    lastGramsPerMm = { key, grams };
  }
  return lastGramsPerMm.grams;
}

/** The difference of two amounts, at least 0. */
export function subtract(amount: string, other: string): string {
  const difference = new Exact(amount).minus(other);
  return difference.lt(0) ? '0' : difference.toFixed();
}

export const writeTag = ({ uid, format, addedAt }: SpoolTag): string =>
  writeObject({ uid: writeText(uid), format: writeText(format), added: writeTime(addedAt) });
