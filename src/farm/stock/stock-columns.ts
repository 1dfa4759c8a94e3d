// The columns of the CSV files of spools and filaments: their names and types, one table for the export and importStock.
import { LosslessNumber } from 'lossless-json';
import type { Cell } from '../../values/csv';
import type { Filament } from '../inventory/filament.types';
import type { Material, Printer, Spool } from '../inventory/inventory.types';
import type { SpoolGrams } from './stock.rows';
import type { FilamentStock } from './stock.types';

export type ColumnType = 'text' | 'color' | 'number' | 'flag' | 'grams' | 'mm' | 'price';

/** A column of the rows of a file. */
export interface StockColumn<Row> {
  type: ColumnType;
  /** What the export writes, and what importStock compares a cell with. */
  value(row: Row): string | number | boolean | null | undefined;
  /** 0 in a cell means that nobody knows it: other programs export 0 for it. */
  isUnknownAtZero?: true;
}

export type StockColumns<Row> = Record<string, StockColumn<Row>>;

/** What the columns need of a spool that importStock can change. */
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
> & {
  number: number | null;
  filament: Pick<Filament, 'number'> | null;
  material: Pick<Material, 'name'>;
};

/** A row of the file of spools. */
export type SpoolOfFile = Spool &
  Pick<SpoolGrams, 'usedGrams' | 'plannedGrams' | 'remainingGrams'> & {
    filament: Filament | null;
    loadedIn: { printer: Printer | null; slot: string } | null;
  };

/** What the columns need of a filament that importStock can change. */
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

/** A row of the file of filaments. */
export type FilamentOfFile = Filament & { stock: FilamentStock };

/** The columns that a spool and a filament have in common. */
const LOOKS: StockColumns<SpoolValues | FilamentValues> = {
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
  ...LOOKS,
  vendor: { type: 'text', value: ({ vendor }) => vendor },
  ...AMOUNTS,
  place: { type: 'text', value: ({ place }) => place },
  ...ARCHIVED,
  // A weighing is an event. The column is empty in an export, so that it can be filled in.
  weighedGrams: { type: 'grams', value: () => null },
};

/** importStock skips them. */
export const SPOOL_COLUMNS_TO_READ: StockColumns<SpoolOfFile> = {
  filament: { type: 'text', value: ({ filament }) => filament?.name },
  remainingGrams: { type: 'grams', value: ({ remainingGrams }) => remainingGrams },
  usedGrams: { type: 'grams', value: ({ usedGrams }) => usedGrams },
  plannedGrams: { type: 'grams', value: ({ plannedGrams }) => plannedGrams },
  loadedIn: {
    type: 'text',
    value: ({ loadedIn }) => loadedIn && `${loadedIn.printer?.name ?? ''} ${loadedIn.slot}`.trim(),
  },
};

export const FILAMENT_COLUMNS: StockColumns<FilamentValues> = {
  number: { type: 'number', value: ({ number }) => number },
  name: { type: 'text', value: ({ name }) => name },
  vendor: { type: 'text', value: ({ vendor }) => vendor },
  ...LOOKS,
  ...AMOUNTS,
  articleNumber: { type: 'text', value: ({ articleNumber }) => articleNumber },
  minimumGrams: { type: 'grams', value: ({ minimumGrams }) => minimumGrams },
  ...ARCHIVED,
};

/** importStock skips them. */
export const FILAMENT_COLUMNS_TO_READ: StockColumns<FilamentOfFile> = {
  spools: { type: 'number', value: ({ stock }) => stock.spools },
  remainingGrams: { type: 'grams', value: ({ stock }) => stock.remainingGrams },
  plannedGrams: { type: 'grams', value: ({ stock }) => stock.plannedGrams },
  // Programs read it as true and false, and nobody sends it back.
  isLow: { type: 'text', value: ({ stock }) => String(stock.isLow) },
};

export const isAmount = (type: ColumnType): boolean => type === 'grams' || type === 'mm' || type === 'price';

/** How the cells of a file are written. */
export const cellsOf = <Row>(columns: StockColumns<Row>): Record<string, (row: Row) => Cell> =>
  Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, (row: Row) => toCell(column, row)]));

function toCell<Row>({ type, value }: StockColumn<Row>, row: Row): Cell {
  const given = value(row);
  if (given == null) return null;
  // Spreadsheets translate TRUE and FALSE, and no spreadsheet translates yes and no.
  if (type === 'flag') return given === true ? 'yes' : 'no';
  return isAmount(type) ? new LosslessNumber(String(given)) : (given as Cell);
}

/** What importStock compares cells with: the values as they are stored; null for nothing. */
export function toStoredTexts<Row>(columns: StockColumns<Row>, row: Row): Record<string, string | null> {
  return Object.fromEntries(
    Object.entries(columns).map(([name, { value }]) => {
      const stored = value(row);
      return [name, stored == null ? null : String(stored)];
    }),
  );
}
