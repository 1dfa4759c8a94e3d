// The rows of a CSV file by the names of its columns, and the faults of its first line.
import { BadInput, type Issue } from '../../errors';
import { checkEach } from '../../values/members';
import { type CsvRow, readCsv } from '../../values/read-csv';
import { isAmount, type StockColumns } from './stock-columns';
import {
  type CellForm,
  findDecimalMark,
  listPossibleNames,
  parseWholeNumber,
  readCell,
  readWholeNumber,
} from './stock-import.cells';
import { MAX_IMPORT_ROWS } from './stock-import.types';

/** The columns of a kind of file. */
export interface ImportColumns {
  /** Those that importStock reads. */
  read: StockColumns<never>;
  /** Those that it skips. */
  skipped: StockColumns<never>;
  /** One of them says which row of the database a row is. */
  keys: readonly string[];
}

/** By the name of a column: its text as it is stored; null for nothing. */
export type Texts = Record<string, string | null>;

export interface ImportRow {
  line: number;
  /** Why it cannot be read; null otherwise. */
  fault: string | null;
  /** As they stand in the file. */
  cells: Record<string, string>;
}

const HEADING = /^([a-z]+)(?: *\(([^()]+)\))?$/i;
const UNIT_OF_TYPE: Record<string, readonly string[]> = { grams: ['G', 'GRAMS'], mm: ['MM'] };

interface FileOptions {
  /** Of the farm's prices; null when it was not said. */
  currency: string | null;
  /** Columns that are not read. */
  ignored: readonly string[];
}

export class ImportFile {
  readonly rows: ImportRow[];
  /** Those that change something. */
  readonly columns: string[];
  private readonly form: CellForm;

  constructor(
    csv: string,
    private readonly known: ImportColumns,
    private readonly options: FileOptions,
  ) {
    // One line more, to see that there are too many, and the first line.
    const { separator, rows, isWhole } = readCsv(csv, 'csv', MAX_IMPORT_ROWS + 1);
    const [head, ...lines] = rows;
    if (head === undefined) throw new BadInput('must have a head with the names of the columns', 'csv');
    if (!isWhole)
      throw new BadInput(
        `must have at most ${MAX_IMPORT_ROWS} rows, rows without text included: remove those, or divide the file`,
        'csv',
      );
    const { places, ignored } = this.findColumns(head);
    this.columns = [...places.keys()].filter((name) => name in known.read);
    this.rows = lines.map(createRowReader(places, ignored));
    this.form = { separator, mark: this.findDecimalMark(places.keys()) };
  }

  /** Where each column stands, and those that are ignored. Columns without a name may be many. */
  private findColumns({ cells }: CsvRow): { places: Map<string, number>; ignored: Set<number> } {
    const { currency } = this.options;
    const all = { ...this.known.read, ...this.known.skipped };
    const nameOf = new Map(Object.keys(all).map((name) => [name.toLowerCase(), name]));
    const ignoredNames = new Set(this.options.ignored.map((name) => name.trim().toLowerCase()));
    const places = new Map<string, number>();
    const ignored = new Set<number>();
    const unknown: Issue[] = [];
    const faults: Issue[] = [];
    for (const [place, cell] of cells.entries()) {
      const heading = cell.trim();
      if (heading === '') continue;
      const [, given = heading, unit] = HEADING.exec(heading) ?? [];
      const name = nameOf.get(given.toLowerCase());
      if (ignoredNames.has(heading.toLowerCase())) ignored.add(place);
      else if (name === undefined) unknown.push({ path: ['csv', heading], message: 'is an unknown column' });
      else if (places.has(name)) faults.push({ path: ['csv'], message: `has the column ${name} twice` });
      else {
        places.set(name, place);
        const fault = unit === undefined ? undefined : findUnitFault(name, all[name]?.type ?? '', unit, currency);
        if (fault !== undefined) faults.push({ path: ['csv'], message: fault });
      }
    }
    if (unknown.length > 0)
      faults.push(...unknown, {
        path: ['csv'],
        message: `Rename or ignore unknown columns: the columns are ${Object.keys(all).join(', ')}`,
      });
    else if (!this.known.keys.some((key) => places.has(key)))
      faults.push({ path: ['csv'], message: `must have the column ${this.known.keys.join(' or ')}` });
    if (faults.length > 0) throw new BadInput(faults);
    return { places, ignored };
  }

  /** A column that is skipped shows the mark as well: a spreadsheet writes all numbers of a file in one way. */
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

  /** The cells of a row as texts. A cell that is what the file has for the stored text is that text. */
  read({ line, fault, cells }: ImportRow, stored: Texts): Texts {
    if (fault !== null) throw new BadInput(fault);
    const texts: Texts = {};
    const form = { ...this.form, line, currency: this.options.currency };
    checkEach(this.columns, [], (name) => {
      const column = this.known.read[name];
      if (column) texts[name] = readCell(cells[name] ?? '', name, column, form, stored[name] ?? null);
    });
    return texts;
  }

  /** The numbers in a column. */
  numbers(name: string): number[] {
    return this.rows.flatMap(({ cells }) => parseWholeNumber(cells[name] ?? '') ?? []);
  }

  /** What the cells of a column may stand for. */
  names(name: string): string[] {
    return this.rows.flatMap(({ cells }) => (cells[name] ? this.possibleNames(cells[name]) : []));
  }

  /** What a cell may stand for, the most likely text first. */
  possibleNames = (cell: string): string[] => listPossibleNames(cell, this.form);

  /** The number of a cell; null for an empty one. */
  numberIn({ cells }: ImportRow, name: string): number | null {
    return readWholeNumber(cells[name] ?? '', name);
  }
}

function findUnitFault(name: string, type: string, unit: string, currency: string | null): string | undefined {
  const given = unit.trim().toUpperCase();
  if (type === 'price')
    return currency === null || given === currency
      ? undefined
      : `has ${name} in ${given}, and the prices of this farm are in ${currency}`;
  return UNIT_OF_TYPE[type]?.includes(given)
    ? undefined
    : `has ${name} in ${unit}, and its name holds its unit already`;
}

/** Spreadsheets leave out empty cells at the end of a row. */
function createRowReader(
  places: ReadonlyMap<string, number>,
  ignored: ReadonlySet<number>,
): (row: CsvRow) => ImportRow {
  const columns = [...places];
  const read = new Set([...places.values(), ...ignored]);
  return ({ line, cells }) => {
    const isMore = cells.some((cell, place) => cell.trim() !== '' && !read.has(place));
    return {
      line,
      fault: isMore
        ? `The line has ${cells.length} cells, and the first line names ${read.size} columns: put quotation marks around a cell that contains the separator`
        : null,
      cells: Object.fromEntries(columns.map(([name, place]): [string, string] => [name, cells[place] ?? ''])),
    };
  };
}
