// The columns of materials, printers, spools and filaments, and the SQL that nests them in other rows.
import { type Columns, nestedRow, rowShape } from '../../database/rows';
import { sql } from '../../database/sql';
import { Prisma } from '../../generated/prisma/client';
import type { Filament } from './filament.types';
import type { FoundLinks, Material, Printer, Spool } from './inventory.types';

/** The members of a material `m`. */
export const MATERIAL_ROW = rowShape<Material>('m', {
  id: 'uuid',
  name: 'text',
  densityGPerCm3: 'numeric',
  archivedAt: 'timestamptz',
});

/** The members of a printer `p`. */
export const PRINTER_ROW = rowShape<Printer>('p', {
  id: 'uuid',
  name: 'text',
  createdAt: 'timestamptz',
  updatedAt: 'timestamptz',
  archivedAt: 'timestamptz',
});

/** Nests the printer whose id is in a column. */
export const nestPrinter = (column: string) =>
  nestedRow(PRINTER_ROW, (json) => `(select ${json} from printers p where p.id = ${column})`);

const SPOOL_COLUMNS = {
  id: 'uuid',
  spoolSerial: 'text',
  filamentDiameterMm: 'numeric',
  weightTotalGrams: 'numeric',
  purchasePrice: 'numeric',
  colorHex: 'text',
  vendor: 'text',
  filamentId: 'uuid',
  tareGrams: 'numeric',
  place: 'text',
  createdAt: 'timestamptz',
  updatedAt: 'timestamptz',
  archivedAt: 'timestamptz',
} satisfies Columns<Omit<SpoolRow, 'material' | 'number'>>;

/** A spool with the id of its filament. */
export interface SpoolRow extends Spool {
  filamentId: string | null;
}

/** A spool as the gateway writes it. The database assigns the number. */
export type StoredSpool = Omit<SpoolRow, 'material' | 'number'> & { materialId: string };
export const STORED_SPOOL_COLUMNS = { ...SPOOL_COLUMNS, materialId: 'uuid' } satisfies Columns<StoredSpool>;

/** A spool to add. A spool that was used before has `remainingGrams`, which become its starting weight. */
export type NewSpool = StoredSpool & { remainingGrams: string | null };
export const NEW_SPOOL_COLUMNS = { ...STORED_SPOOL_COLUMNS, remainingGrams: 'numeric' } satisfies Columns<NewSpool>;

const nestMaterial = (owner: string) =>
  nestedRow(MATERIAL_ROW, (json) => `(select ${json} from materials m where m.id = ${owner}.material_id)`);

/** The members of a spool `s` with its material. */
export const SPOOL_ROW = rowShape<SpoolRow, 'material'>(
  's',
  { number: 'int', ...SPOOL_COLUMNS },
  { material: nestMaterial('s') },
);

const FILAMENT_COLUMNS = {
  id: 'uuid',
  name: 'text',
  vendor: 'text',
  colorHex: 'text',
  filamentDiameterMm: 'numeric',
  weightTotalGrams: 'numeric',
  tareGrams: 'numeric',
  purchasePrice: 'numeric',
  articleNumber: 'text',
  minimumGrams: 'numeric',
  createdAt: 'timestamptz',
  updatedAt: 'timestamptz',
  archivedAt: 'timestamptz',
} satisfies Columns<Omit<Filament, 'material' | 'number'>>;

/** A filament as the gateway writes it. The database assigns the number. */
export type StoredFilament = Omit<Filament, 'material' | 'number'> & { materialId: string };
export const STORED_FILAMENT_COLUMNS = { ...FILAMENT_COLUMNS, materialId: 'uuid' } satisfies Columns<StoredFilament>;

/** The members of a filament `f` with its material. */
export const FILAMENT_ROW = rowShape<Filament, 'material'>(
  'f',
  { number: 'int', ...FILAMENT_COLUMNS },
  { material: nestMaterial('f') },
);

/** Nests the spool whose id is in a column. */
export const nestSpool = (column: string) =>
  nestedRow(SPOOL_ROW, (json) => `(select ${json} from spools s where s.id = ${column})`);

/** The printer and the spool with the ids in a row `k`. */
export const LINKS_ROW = rowShape<FoundLinks, keyof FoundLinks>(
  'k',
  {},
  { printer: nestPrinter('k.printer_id'), spool: nestSpool('k.spool_id') },
);

/** Selects an object that is not archived, and locks it, so that nobody archives it until the transaction ends. */
export const selectUnarchived = (table: 'printers' | 'spools' | 'materials' | 'filaments', id: Prisma.Sql) =>
  Prisma.sql`select from ${sql(table)} o where o.id = ${id} and o.archived_at is null for share`;

/** The condition of a list of objects `alias`: `true` for archived objects, `false` for objects that are not archived, `null` for all. */
export function isArchived(alias: string, archived: boolean | null): Prisma.Sql[] {
  return archived === null ? [] : [sql(`${alias}.archived_at is ${archived ? 'not null' : 'null'}`)];
}
