// The rows of a CSV file by the names of its columns, and what a cell means.
import Decimal from 'decimal.js';
import { BadInput } from '../../errors';
import { type CsvRow, isCellOf, readCsv, textOfCell } from '../../values/csv';
import { parseDecimal } from '../../values/decimal';
import { checkEach } from '../../values/members';
import { MAX_IMPORT_ROWS } from './stock-import.types';

type CellType = 'text' | 'decimal' | 'number' | 'flag';

/** The columns of a kind of file, and those that it has for reading alone. */
export interface ImportColumns {
  read: Record<string, CellType>;
  readingAlone: readonly string[];
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

const HEADING = /^([a-z]+)(?: *\(([a-z]{3})\))?$/i;
const MARK = /[.,]/g;
const NUMBER = /^#?0*(\d{1,9})$/;
/** With words for them in the languages of spreadsheets. */
const YES = ['true', 'yes', '1', 'wahr', 'vrai', 'verdadero', 'vero', 'waar'];
const NO = ['false', 'no', '0', 'falsch', 'faux', 'falso', 'onwaar'];

export class ImportFile {
  readonly rows: ImportRow[];
  /** Those that change something. */
  readonly columns: string[];
  private readonly separator: string;
  /** The first one in the file, with its line. */
  private readonly mark: { sign: string; line: number } | null;

  /** @param currency of the farm's prices; null when it was not said */
  constructor(
    csv: string,
    private readonly of: ImportColumns,
    currency: string | null,
  ) {
    // One row more, to see that there are too many, and the head.
    const { separator, rows } = readCsv(csv, 'csv', MAX_IMPORT_ROWS + 2);
    const [head, ...lines] = rows;
    if (head === undefined) throw new BadInput('must have a head with the names of the columns', 'csv');
    if (lines.length > MAX_IMPORT_ROWS)
      throw new BadInput(`must have at most ${MAX_IMPORT_ROWS} rows: divide the file`, 'csv');
    const places = this.placesIn(head, currency);
    this.separator = separator;
    this.columns = [...places.keys()].filter((name) => name in of.read);
    this.rows = lines.map((row) => rowOf(row, places));
    this.mark = this.firstMark();
  }

  /** Where each column stands. Columns without a name may be many. */
  private placesIn({ cells }: CsvRow, currency: string | null): Map<string, number> {
    const all = [...Object.keys(this.of.read), ...this.of.readingAlone];
    const places = new Map<string, number>();
    for (const [place, cell] of cells.entries()) {
      const heading = cell.trim();
      if (heading === '') continue;
      const [, given = heading, unit] = HEADING.exec(heading) ?? [];
      const name = all.find((one) => one.toLowerCase() === given.toLowerCase());
      if (name === undefined)
        throw new BadInput(`has the unknown column ${heading}: the columns are ${all.join(', ')}`, 'csv');
      if (unit !== undefined && currency !== null && unit.toUpperCase() !== currency)
        throw new BadInput(
          `has ${name} in ${unit.toUpperCase()}, and the prices of this farm are in ${currency}`,
          'csv',
        );
      if (places.has(name)) throw new BadInput(`has the column ${name} twice`, 'csv');
      places.set(name, place);
    }
    if (!this.of.keys.some((key) => places.has(key)))
      throw new BadInput(`must have the column ${this.of.keys.join(' or ')}`, 'csv');
    return places;
  }

  private firstMark(): { sign: string; line: number } | null {
    const decimals = this.columns.filter((name) => this.of.read[name] === 'decimal');
    for (const { line, cells } of this.rows) {
      for (const name of decimals) {
        const marks = cells[name]?.match(MARK) ?? [];
        if (marks.length === 1) return { sign: marks[0] as string, line };
      }
    }
    return null;
  }

  /** The cells of a row as texts. A cell that is what the file has for the stored text is that text. */
  read({ line, fault, cells }: ImportRow, stored: Texts): Texts {
    if (fault !== null) throw new BadInput(fault);
    const texts: Texts = {};
    checkEach(this.columns, [], (name) => {
      texts[name] = this.textOf(cells[name] ?? '', name, line, stored[name] ?? null);
    });
    return texts;
  }

  /** The numbers in a column. */
  numbers(name: string): number[] {
    return this.rows.flatMap(({ cells }) => {
      const digits = NUMBER.exec(plainOf(cells[name] ?? ''))?.[1];
      return digits === undefined ? [] : [Number(digits)];
    });
  }

  /** What the cells of a column may stand for. */
  names(name: string): string[] {
    return this.rows.flatMap(({ cells }) => (cells[name] ? this.namesOf(cells[name]) : []));
  }

  /** What a cell may stand for: the text without the apostrophes that protect it, and the cell as it is. */
  namesOf = (cell: string): string[] => [...new Set([textOfCell(cell, this.separator), cell])];

  /** The number of a cell; null for an empty one. */
  numberIn({ cells }: ImportRow, name: string): number | null {
    const plain = plainOf(cells[name] ?? '');
    return plain === '' ? null : this.numberOf(plain, name);
  }

  private textOf(cell: string, name: string, line: number, stored: string | null): string | null {
    const type = this.of.read[name];
    if (type === 'text') {
      if (stored !== null && isCellOf(stored, cell)) return stored;
      return cell === '' ? null : textOfCell(cell, this.separator);
    }
    const plain = plainOf(cell);
    if (plain === '') return type === 'flag' ? 'false' : null;
    if (type === 'decimal') {
      const digits = this.digitsOf(plain, name, line);
      return stored !== null && new Decimal(stored).eq(digits) ? stored : digits;
    }
    if (type === 'flag') {
      if (YES.includes(plain.toLowerCase())) return 'true';
      if (NO.includes(plain.toLowerCase())) return 'false';
      throw new BadInput(`must be true or false, not ${plain}`, name);
    }
    return String(this.numberOf(plain, name));
  }

  private numberOf(plain: string, name: string): number {
    const digits = NUMBER.exec(plain)?.[1];
    if (digits === undefined) throw new BadInput(`must be a number such as 12, not ${plain}`, name);
    return Number(digits);
  }

  private digitsOf(cell: string, name: string, line: number): string {
    const marks = cell.match(MARK) ?? [];
    if (marks.length > 1 || /[\s'’]/.test(cell)) {
      throw new BadInput(`must have no sign between thousands, and one decimal mark at most, not ${cell}`, name);
    }
    const [sign] = marks;
    if (sign !== undefined && this.mark !== null && sign !== this.mark.sign) {
      const words = sign === ',' ? ['a comma', 'a point'] : ['a point', 'a comma'];
      throw new BadInput(
        `has ${words[0]} as decimal mark in line ${line}, ${cell}, and line ${this.mark.line} has ${words[1]}: a file has one of them`,
        name,
      );
    }
    try {
      return parseDecimal(cell.replace(',', '.'), name);
    } catch (error) {
      if (!(error instanceof BadInput)) throw error;
      throw new BadInput(`${error.issues[0]?.message ?? ''}, not ${cell}`, name);
    }
  }
}

/** Without white space around it, and without an apostrophe that protects it. */
const plainOf = (cell: string): string => cell.trim().replace(/^'/, '');

function rowOf({ line, cells }: CsvRow, places: ReadonlyMap<string, number>): ImportRow {
  const named = [...places.values()];
  const isMore = cells.some((cell, place) => cell.trim() !== '' && !named.includes(place));
  const isShort = cells.length <= Math.max(...named);
  const fault = isMore || isShort ? `The line has ${cells.length} cells, and the head names ${named.length}` : null;
  return {
    line,
    fault,
    cells: Object.fromEntries([...places].map(([name, place]): [string, string] => [name, cells[place] ?? ''])),
  };
}
