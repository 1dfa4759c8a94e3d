// The columns of materials, printers and spools.
import { type Columns, nested, rowShape } from '../../database/rows';
import { sql } from '../../database/sql';
import { Prisma } from '../../generated/prisma/client';
import type { FoundLinks, Material, Printer, Spool } from './inventory.types';

/** A material `m`. */
export const MATERIAL_ROW = rowShape<Material>('m', {
  id: 'uuid',
  name: 'text',
  densityGPerCm3: 'numeric',
  archivedAt: 'timestamptz',
});

/** A printer `p`. */
const PRINTER_ROW = rowShape<Printer>('p', {
  id: 'uuid',
  name: 'text',
  createdAt: 'timestamptz',
  updatedAt: 'timestamptz',
  archivedAt: 'timestamptz',
});

/** The printer whose id is in this column. */
export const printerOf = (column: string) =>
  nested(PRINTER_ROW, (json) => `(select ${json} from printers p where p.id = ${column})`);

const SPOOL_COLUMNS = {
  id: 'uuid',
  spoolSerial: 'text',
  filamentDiameterMm: 'numeric',
  weightTotalGrams: 'numeric',
  purchasePrice: 'numeric',
  colorHex: 'text',
  vendor: 'text',
  createdAt: 'timestamptz',
  updatedAt: 'timestamptz',
  archivedAt: 'timestamptz',
} satisfies Columns<Omit<Spool, 'material'>>;

/** A spool as its table holds it. */
export type StoredSpool = Omit<Spool, 'material'> & { materialId: string };
export const STORED_SPOOL_COLUMNS = { ...SPOOL_COLUMNS, materialId: 'uuid' } satisfies Columns<StoredSpool>;

/** A spool `s`, with its material. */
export const SPOOL_ROW = rowShape<Spool, 'material'>('s', SPOOL_COLUMNS, {
  material: nested(MATERIAL_ROW, (json) => `(select ${json} from materials m where m.id = s.material_id)`),
});

/** The spool whose id is in this column. */
export const spoolOf = (column: string) =>
  nested(SPOOL_ROW, (json) => `(select ${json} from spools s where s.id = ${column})`);

/** The printer and the spool of the ids `k`. */
export const LINKS_ROW = rowShape<FoundLinks, keyof FoundLinks>(
  'k',
  {},
  { printer: printerOf('k.printer_id'), spool: spoolOf('k.spool_id') },
);

/** Selects an object of a table that is in use. Its lock keeps it in use until the transaction ends. */
export const inUse = (table: 'printers' | 'spools' | 'materials', id: Prisma.Sql) =>
  Prisma.sql`select from ${sql(table)} o where o.id = ${id} and o.archived_at is null for share`;

/** What is left of a spool `s` whose jobs used `f.used_grams`; below 0 where they used more than it was said to hold. */
export const REMAINING_GRAMS = sql('(s.weight_total_grams - f.used_grams)');
