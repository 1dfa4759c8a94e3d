// CSV as RFC 4180 describes it, safe to open in a spreadsheet.
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
/** The signs that begin a formula, and those that look like them: wide, small, raised and lowered ones, and dashes. */
const SIGN = String.raw`[=＝﹦⁼₌\ua78a+＋﹢⁺₊\u2795\p{Pd}\u2212⁻₋\u02d7\u2796@＠﹫]`;
const BEGIN = new RegExp(`^(?=[${LINE}]|${UNSEEN}*${SIGN})`, 'u');
const QUOTED = /[",;\t\r\n]/;

/**
 * Puts an apostrophe before a text that a spreadsheet would compute. A spreadsheet that expects another separator begins a
 * cell there, where the file's own quotation marks protect nothing.
 */
function harmlessTexts(separator: string): (text: string) => string {
  const others = Object.values(SEPARATORS).filter((other) => other !== separator);
  // No white space that begins a cell itself: each character is looked at a few times, in a text of 1 MB too.
  const unseen = `(?:(?![${LINE}])${UNSEEN})*`;
  const inside = new RegExp(`([${others.join('')}${LINE}](?:${unseen}")*)(?=${unseen}${SIGN})`, 'gu');
  return (text) => text.replace(inside, "$1'").replace(BEGIN, "'");
}

/**
 * @param columns the cells of a row, by the names of their columns
 * @param amounts the columns of money, whose headings name the currency
 */
export function csvOf<Row>(columns: Record<string, (row: Row) => Cell>, amounts: string[] = []) {
  const readers = Object.values(columns);
  return ({ bom, separator, decimalMark }: CsvForm, currency: string | null) => {
    const harmless = harmlessTexts(separator);
    const cell = (value: Cell): string => {
      if (value == null) return '';
      if (typeof value === 'number' || isLosslessNumber(value)) {
        const digits = String(value).replace('.', decimalMark);
        return digits.includes(separator) ? `"${digits}"` : digits;
      }
      const text = harmless(value);
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
