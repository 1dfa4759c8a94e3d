// The columns of materials, printers, spools and filaments, and the SQL that nests them in other rows.
import { type Columns, nestedRow, rowShape } from '../../database/rows';
import { sql } from '../../database/sql';
import { Prisma } from '../../generated/prisma/client';
import type { ExternalId, ExtraValue } from './details.types';
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

/** Texts of a spool that lists of jobs do not read, because each job has the members of its spool (W2). */
export interface SpoolTexts {
  lotNumber: string | null;
  comment: string | null;
}
const SPOOL_TEXT_COLUMNS = { lotNumber: 'text', comment: 'text' } satisfies Columns<SpoolTexts>;

/** A spool as the gateway writes it. The database assigns the number. */
export type StoredSpool = Omit<SpoolRow, 'material' | 'number'> & SpoolTexts & { materialId: string };
export const STORED_SPOOL_COLUMNS = {
  ...SPOOL_COLUMNS,
  ...SPOOL_TEXT_COLUMNS,
  materialId: 'uuid',
} satisfies Columns<StoredSpool>;

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

/** The members of a spool `s` with its material and its texts. */
export const SPOOL_WITH_TEXTS_ROW = rowShape<SpoolRow & SpoolTexts, 'material'>(
  's',
  { number: 'int', ...SPOOL_COLUMNS, ...SPOOL_TEXT_COLUMNS },
  { material: nestMaterial('s') },
);

/** The values of the farm's own fields, by their keys. Each value is a text; a value that another program wrote in another form becomes one. */
const readExtra = (extra: Record<string, unknown>): ExtraValue[] =>
  Object.keys(extra)
    .sort()
    .map((key) => {
      const value = extra[key];
      return { key, value: typeof value === 'string' ? value : JSON.stringify(value) };
    });

const createDetails = (alias: string, link: string) => ({
  extra: { sql: `${alias}.extra`, read: readExtra },
  externalIds: {
    sql: `(
      select coalesce(json_agg(json_build_object('source', e.source, 'id', e.external_id::text)
        order by e.source, e.registered, e.external_id), '[]')
      from external_objects e where e.${link} = ${alias}.id
    )`,
  },
});

/** Members of a filament that need a look-up of their own. */
export interface FilamentDetails {
  id: string;
  extra: ExtraValue[];
  externalIds: ExternalId[];
}
export type SpoolDetails = FilamentDetails & SpoolTexts;
/** The details of a spool `s`. */
export const SPOOL_DETAILS_ROW = rowShape<SpoolDetails, 'extra' | 'externalIds'>(
  's',
  { id: 'uuid', ...SPOOL_TEXT_COLUMNS },
  createDetails('s', 'spool_id'),
);
/** The details of a filament `f`. */
export const FILAMENT_DETAILS_ROW = rowShape<FilamentDetails, 'extra' | 'externalIds'>(
  'f',
  { id: 'uuid' },
  createDetails('f', 'filament_id'),
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
  colorHexes: 'text[]',
  colorArrangement: 'text',
  extruderTempC: 'int',
  bedTempC: 'int',
  comment: 'text',
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
