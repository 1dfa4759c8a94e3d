// Reads an imported CSV file: finds its columns by the names in its first line, and gives its rows by these names.
import { BadInput, type Issue } from '../../errors';
import { type CsvRow, readCsv } from '../../values/read-csv';
import type { RowFaults } from './row-faults';
import { isAmount, type StockColumns } from './stock-columns';
import {
  type CellForm,
  findDecimalMark,
  listPossibleNames,
  parseWholeNumber,
  readCell,
  readWholeNumber,
} from './stock-import.cells';

/** An import has some statements for each thousand rows, all in one transaction. */
export const MAX_IMPORT_ROWS = 5000;

/** The columns that a kind of file can have. */
export interface ImportColumns {
  /** Columns that the import reads. */
  read: StockColumns<never>;
  /** Columns of the export that the import skips. */
  skipped: StockColumns<never>;
  /** Columns that identify a stored spool or filament. A file needs at least one of them. */
  keys: readonly string[];
}

/** The texts to store, by the names of the columns; `null` for an empty value. */
export type Texts = Record<string, string | null>;

export interface ImportRow {
  line: number;
  /** Why the row cannot be read; `null` if it can. */
  fault: string | null;
  /** The cells as they are in the file, by the names of the columns. */
  cells: Record<string, string>;
}

const HEADING = /^([a-z]+)(?: *\(([^()]+)\))?$/i;
const UNIT_OF_TYPE: Record<string, readonly string[]> = { grams: ['G', 'GRAMS'], mm: ['MM'] };

interface FileOptions {
  /** The currency of the farm's prices; `null` if the farm has set none. */
  currency: string | null;
  /** Columns that the user chose to ignore. */
  ignored: readonly string[];
}

export class ImportFile {
  readonly rows: ImportRow[];
  /** The columns of the file that the import reads. */
  readonly columns: string[];
  private readonly form: CellForm;

  constructor(
    csv: string,
    private readonly known: ImportColumns,
    private readonly options: FileOptions,
  ) {
    // One row more, because the first line has the names of the columns.
    const { separator, rows, isWhole } = readCsv(csv, 'csv', MAX_IMPORT_ROWS + 1);
    const [head, ...lines] = rows;
    if (head === undefined) throw new BadInput('must have the names of the columns in its first line', 'csv');
    if (!isWhole)
      throw new BadInput(
        `must have at most ${MAX_IMPORT_ROWS} rows, rows without text included: remove rows without text, or split the file`,
        'csv',
      );
    const { positions, ignored } = this.findColumns(head);
    this.columns = [...positions.keys()].filter((name) => name in known.read);
    this.rows = lines.map(createRowReader(positions, ignored));
    this.form = { separator, mark: this.findDecimalMark(positions.keys()) };
  }

  /** The position of each column, and the positions of ignored columns. A file may have any number of columns without a name. */
  private findColumns({ cells }: CsvRow): { positions: Map<string, number>; ignored: Set<number> } {
    const { currency } = this.options;
    const all = { ...this.known.read, ...this.known.skipped };
    const nameOf = new Map(Object.keys(all).map((name) => [name.toLowerCase(), name]));
    const ignoredNames = new Set(this.options.ignored.map((name) => name.trim().toLowerCase()));
    const positions = new Map<string, number>();
    const ignored = new Set<number>();
    const unknown: Issue[] = [];
    const faults: Issue[] = [];
    for (const [position, cell] of cells.entries()) {
      const heading = cell.trim();
      if (heading === '') continue;
      const [, columnName = heading, unit] = HEADING.exec(heading) ?? [];
      const name = nameOf.get(columnName.toLowerCase());
      if (ignoredNames.has(heading.toLowerCase())) ignored.add(position);
      else if (name === undefined) unknown.push({ path: ['csv', heading], message: 'is an unknown column' });
      else if (positions.has(name)) faults.push({ path: ['csv'], message: `has the column ${name} twice` });
      else {
        positions.set(name, position);
        const fault = unit === undefined ? undefined : findUnitFault(name, all[name]?.type ?? '', unit, currency);
        if (fault !== undefined) faults.push({ path: ['csv'], message: fault });
      }
    }
    if (unknown.length > 0)
      faults.push(...unknown, {
        path: ['csv'],
        message: `Rename the unknown columns or ignore them. The known columns are ${Object.keys(all).join(', ')}`,
      });
    else if (!this.known.keys.some((key) => positions.has(key)))
      faults.push({ path: ['csv'], message: `must have the column ${this.known.keys.join(' or ')}` });
    if (faults.length > 0) throw new BadInput(faults);
    return { positions, ignored };
  }

  /** Skipped columns are searched too, because a spreadsheet writes all numbers of a file with the same decimal mark. */
  private findDecimalMark(columns: Iterable<string>): CellForm['mark'] {
    const all = { ...this.known.read, ...this.known.skipped };
    const amounts = [...columns].filter((name) => isAmount(all[name]?.type ?? 'text'));
    for (const { line, cells } of this.rows) {
      for (const name of amounts) {
        const sign = findDecimalMark(cells[name] ?? '');
        if (sign !== undefined) return { sign, line };
      }
    }
    return null;
  }

  /**
   * The texts to store for the cells of a row. If a cell shows the stored text in another form, the result is the stored text. A cell that
   * cannot be read is missing in the result.
   */
  read({ line, fault, cells }: ImportRow, stored: Texts, faults: RowFaults): Texts {
    if (fault !== null) throw new BadInput(fault);
    const texts: Texts = {};
    const form = { ...this.form, line, currency: this.options.currency };
    for (const name of this.columns) {
      const column = this.known.read[name];
      const read = () => column && readCell(cells[name] ?? '', name, column, form, stored[name] ?? null);
      const text = faults.collect(read);
      if (text !== undefined) texts[name] = text;
    }
    return texts;
  }

  /** The whole numbers in a column. */
  numbers(name: string): number[] {
    return this.rows.flatMap(({ cells }) => parseWholeNumber(cells[name] ?? '') ?? []);
  }

  /** The texts that the cells of a column may mean. */
  names(name: string): string[] {
    return this.rows.flatMap(({ cells }) => (cells[name] ? this.possibleNames(cells[name]) : []));
  }

  /** The texts that a cell may mean, the most likely text first. */
  possibleNames = (cell: string): string[] => listPossibleNames(cell, this.form);

  /** The whole number in a cell; `null` for an empty cell. */
  numberIn({ cells }: ImportRow, name: string): number | null {
    return readWholeNumber(cells[name] ?? '', name);
  }
}

function findUnitFault(name: string, type: string, unit: string, currency: string | null): string | undefined {
  const writtenUnit = unit.trim().toUpperCase();
  if (type === 'price')
    return currency === null || writtenUnit === currency
      ? undefined
      : `has ${name} in ${writtenUnit}, but the prices of this farm are in ${currency}`;
  return UNIT_OF_TYPE[type]?.includes(writtenUnit)
    ? undefined
    : `has ${name} in ${unit}, but the name of this column already includes its unit`;
}

/** Reads a row. A row may have fewer cells than the first line, because spreadsheets leave out empty cells at its end. */
function createRowReader(
  positions: ReadonlyMap<string, number>,
  ignored: ReadonlySet<number>,
): (row: CsvRow) => ImportRow {
  const columns = [...positions];
  const knownPositions = new Set([...positions.values(), ...ignored]);
  return ({ line, cells }) => {
    const hasExtraCells = cells.some((cell, position) => cell.trim() !== '' && !knownPositions.has(position));
    return {
      line,
      fault: hasExtraCells
        ? `The line has ${cells.length} cells, but the first line names ${knownPositions.size} columns: put quotation marks around a cell that contains the separator`
        : null,
      cells: Object.fromEntries(columns.map(([name, place]): [string, string] => [name, cells[place] ?? ''])),
    };
  };
}
