// The columns of the CSV files of spools and filaments: one table of names and types for the export and the import.
import { LosslessNumber } from 'lossless-json';
import type { Cell } from '../../values/csv';
import type { Filament } from '../inventory/filament.types';
import type { SpoolTexts } from '../inventory/inventory.rows';
import type { Material, Printer, Spool } from '../inventory/inventory.types';
import type { SpoolTag } from '../inventory/tag.types';
import type { SpoolGrams } from './stock.rows';
import type { FilamentStock } from './stock.types';

export type ColumnType = 'text' | 'color' | 'number' | 'flag' | 'grams' | 'mm' | 'price';

/** A column of a CSV file. */
export interface StockColumn<Row> {
  type: ColumnType;
  /** The value that the export writes and that the import compares a cell with. */
  value(row: Row): string | number | boolean | null | undefined;
  /** A cell with 0 means unknown, because other programs export 0 for an unknown value. */
  isUnknownAtZero?: true;
}

export type StockColumns<Row> = Record<string, StockColumn<Row>>;

/** The members of a spool that the import can change. */
type SpoolValues = Pick<
  Spool,
  | 'spoolSerial'
  | 'colorHex'
  | 'vendor'
  | 'filamentDiameterMm'
  | 'weightTotalGrams'
  | 'tareGrams'
  | 'purchasePrice'
  | 'place'
  | 'archivedAt'
> &
  SpoolTexts & {
    number: number | null;
    filament: Pick<Filament, 'number'> | null;
    material: Pick<Material, 'name'>;
  };

/** A row of the file of spools, as the export reads it. */
export type SpoolOfFile = Spool &
  SpoolTexts &
  Pick<SpoolGrams, 'usedGrams' | 'plannedGrams' | 'remainingGrams'> & {
    filament: Filament | null;
    loadedIn: { printer: Printer | null; slot: string } | null;
    tags: Pick<SpoolTag, 'uid'>[];
  };

/** The members of a filament that the import can change. */
type FilamentValues = Pick<
  Filament,
  | 'name'
  | 'vendor'
  | 'colorHex'
  | 'filamentDiameterMm'
  | 'weightTotalGrams'
  | 'tareGrams'
  | 'purchasePrice'
  | 'articleNumber'
  | 'minimumGrams'
  | 'archivedAt'
> & { number: number | null; material: Pick<Material, 'name'> };

/** A row of the file of filaments, as the export reads it. */
export type FilamentOfFile = Filament & { stock: FilamentStock };

/** Columns that both files have. */
const MATERIAL_AND_COLOR: StockColumns<SpoolValues | FilamentValues> = {
  material: { type: 'text', value: ({ material }) => material.name },
  colorHex: { type: 'color', value: ({ colorHex }) => colorHex },
};
const AMOUNTS: StockColumns<SpoolValues | FilamentValues> = {
  filamentDiameterMm: { type: 'mm', value: ({ filamentDiameterMm }) => filamentDiameterMm },
  weightTotalGrams: { type: 'grams', value: ({ weightTotalGrams }) => weightTotalGrams },
  tareGrams: { type: 'grams', value: ({ tareGrams }) => tareGrams, isUnknownAtZero: true },
  purchasePrice: { type: 'price', value: ({ purchasePrice }) => purchasePrice, isUnknownAtZero: true },
};
const ARCHIVED: StockColumns<{ archivedAt: string | null }> = {
  archived: { type: 'flag', value: ({ archivedAt }) => archivedAt !== null },
};

export const SPOOL_COLUMNS: StockColumns<SpoolValues> = {
  number: { type: 'number', value: ({ number }) => number },
  spoolSerial: { type: 'text', value: ({ spoolSerial }) => spoolSerial },
  filamentNumber: { type: 'number', value: ({ filament }) => filament?.number },
  ...MATERIAL_AND_COLOR,
  vendor: { type: 'text', value: ({ vendor }) => vendor },
  ...AMOUNTS,
  place: { type: 'text', value: ({ place }) => place },
  lotNumber: { type: 'text', value: ({ lotNumber }) => lotNumber },
  comment: { type: 'text', value: ({ comment }) => comment },
  ...ARCHIVED,
  // A weighing is an event, so an export leaves the column empty. A user enters the weights of today and imports the file.
  weighedGrams: { type: 'grams', value: () => null },
};

/** Columns that the export writes and the import skips. */
export const SPOOL_COLUMNS_TO_READ: StockColumns<SpoolOfFile> = {
  filament: { type: 'text', value: ({ filament }) => filament?.name },
  remainingGrams: { type: 'grams', value: ({ remainingGrams }) => remainingGrams },
  usedGrams: { type: 'grams', value: ({ usedGrams }) => usedGrams },
  plannedGrams: { type: 'grams', value: ({ plannedGrams }) => plannedGrams },
  loadedIn: {
    type: 'text',
    value: ({ loadedIn }) => loadedIn && `${loadedIn.printer?.name ?? ''} ${loadedIn.slot}`.trim(),
  },
  tags: { type: 'text', value: ({ tags }) => (tags.length === 0 ? null : tags.map(({ uid }) => uid).join(',')) },
};

export const FILAMENT_COLUMNS: StockColumns<FilamentValues> = {
  number: { type: 'number', value: ({ number }) => number },
  name: { type: 'text', value: ({ name }) => name },
  vendor: { type: 'text', value: ({ vendor }) => vendor },
  ...MATERIAL_AND_COLOR,
  ...AMOUNTS,
  articleNumber: { type: 'text', value: ({ articleNumber }) => articleNumber },
  minimumGrams: { type: 'grams', value: ({ minimumGrams }) => minimumGrams },
  ...ARCHIVED,
};

/** Columns that the export writes and the import skips. */
export const FILAMENT_COLUMNS_TO_READ: StockColumns<FilamentOfFile> = {
  spools: { type: 'number', value: ({ stock }) => stock.spools },
  remainingGrams: { type: 'grams', value: ({ stock }) => stock.remainingGrams },
  plannedGrams: { type: 'grams', value: ({ stock }) => stock.plannedGrams },
  // Written as true and false for programs. The import skips this column, so no spreadsheet can change it on its way back.
  isLow: { type: 'text', value: ({ stock }) => String(stock.isLow) },
};

export const isAmount = (type: ColumnType): boolean => type === 'grams' || type === 'mm' || type === 'price';

/** The functions that write the cells of a row, by the names of the columns. */
export const createCellWriters = <Row>(columns: StockColumns<Row>): Record<string, (row: Row) => Cell> =>
  Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, (row: Row) => toCell(column, row)]));

function toCell<Row>({ type, value }: StockColumn<Row>, row: Row): Cell {
  const cellValue = value(row);
  if (cellValue == null) return null;
  // Spreadsheets translate TRUE and FALSE into the user's language; no spreadsheet translates yes and no.
  if (type === 'flag') return cellValue === true ? 'yes' : 'no';
  return isAmount(type) ? new LosslessNumber(String(cellValue)) : (cellValue as Cell);
}

/** The stored values as texts, which the import compares cells with; `null` for a missing value. */
export function toStoredTexts<Row>(columns: StockColumns<Row>, row: Row): Record<string, string | null> {
  return Object.fromEntries(
    Object.entries(columns).map(([name, { value }]) => {
      const stored = value(row);
      return [name, stored == null ? null : String(stored)];
    }),
  );
}
