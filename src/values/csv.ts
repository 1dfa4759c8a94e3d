// How CSV is written: as RFC 4180 describes it, and safe to open in a spreadsheet.
import { isLosslessNumber, type LosslessNumber } from 'lossless-json';

/** A text, a number, or the digits of an exact one. */
export type Cell = string | number | LosslessNumber | null | undefined;

/** How a file is written, for spreadsheets that expect another form than RFC 4180's. */
export interface CsvForm {
  /** Excel reads a file without a byte order mark in the code page of its computer, which breaks ä and µ. */
  bom: boolean;
  separator: string;
  decimalMark: string;
}

export const PLAIN_FORM: CsvForm = { bom: false, separator: ',', decimalMark: '.' };

export const SEPARATORS = { comma: ',', semicolon: ';', tab: '\t' };
export const DECIMAL_MARKS = { point: '.', comma: ',' };

const LINE = String.raw`\t\r\n`;
/** White space of every kind, control characters, and characters that nobody sees. */
const UNSEEN = String.raw`[\s\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]`;
/** The signs that begin a formula, and signs that look like them: wide, small, raised and lowered ones, and dashes. */
const SIGN = String.raw`[=＝﹦⁼₌\ua78a+＋﹢⁺₊\u2795\p{Pd}\u2212⁻₋\u02d7\u2796@＠﹫]`;
const BEGIN = new RegExp(`^(?=[${LINE}]|${UNSEEN}*${SIGN})`, 'u');
const QUOTED = /[",;\t\r\n]/;

/** The places in a text where a spreadsheet begins a cell that expects another separator: the file's quotation marks protect nothing there. */
function beginsIn(separator: string): { open: RegExp; closed: RegExp } {
  const others = Object.values(SEPARATORS).filter((other) => other !== separator);
  // No white space that begins a cell itself: each character is looked at a few times, in a text of 1 MB too.
  const unseen = `(?:(?![${LINE}])${UNSEEN})*`;
  const before = `([${others.join('')}${LINE}](?:${unseen}")*)`;
  const sign = `(?=${unseen}${SIGN})`;
  return { open: new RegExp(before + sign, 'gu'), closed: new RegExp(`${before}'${sign}`, 'gu') };
}
const BEGINS = new Map(Object.values(SEPARATORS).map((separator) => [separator, beginsIn(separator)]));
const beginsFor = (separator: string) => BEGINS.get(separator) ?? beginsIn(separator);

/** Puts an apostrophe before a text that a spreadsheet would compute. */
const harmless = (text: string, separator: string): string =>
  text.replace(beginsFor(separator).open, "$1'").replace(BEGIN, "'");

/** The text whose cell this is in a file with this separator: without the apostrophes that protect it. */
export function textOfCell(cell: string, separator: string): string {
  const begun = cell.startsWith("'") && BEGIN.test(cell.slice(1)) ? cell.slice(1) : cell;
  const text = begun.replace(beginsFor(separator).closed, '$1');
  return harmless(text, separator) === cell ? text : cell;
}

const LINE_ENDS = /\r\n|[\r\n]/g;

/**
 * Whether a cell is what a file has for a text, in whichever form it was written. Spreadsheets and forms of a page write line ends in
 * their own way.
 */
export function isCellOf(text: string, cell: string): boolean {
  const joined = (lines: string) => lines.replace(LINE_ENDS, '\n');
  const given = joined(cell);
  return (
    given === joined(text) || Object.values(SEPARATORS).some((separator) => joined(harmless(text, separator)) === given)
  );
}

/**
 * @param columns the cells of a row, by the names of their columns
 * @param amounts the columns of money, whose headings name the currency
 */
export function csvOf<Row>(columns: Record<string, (row: Row) => Cell>, amounts: string[] = []) {
  const readers = Object.values(columns);
  return ({ bom, separator, decimalMark }: CsvForm, currency: string | null) => {
    const cell = (value: Cell): string => {
      if (value == null) return '';
      if (typeof value === 'number' || isLosslessNumber(value)) {
        const digits = String(value).replace('.', decimalMark);
        return digits.includes(separator) ? `"${digits}"` : digits;
      }
      const text = harmless(value, separator);
      return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
    };
    const line = (cells: Cell[]) => `${cells.map(cell).join(separator)}\r\n`;
    const heading = (name: string) => (currency && amounts.includes(name) ? `${name} (${currency})` : name);
    return {
      header: (bom ? '\ufeff' : '') + line(Object.keys(columns).map(heading)),
      lines: (rows: Row[]) => rows.map((row) => line(readers.map((read) => read(row)))).join(''),
    };
  };
}
