// Writes CSV as RFC 4180 describes it, and so that a spreadsheet does not compute texts as formulas.

/** A text, a number, or the digits of an exact number, such as a LosslessNumber. The dashboard writes CSV too, so this file imports no package. */
export type Cell = string | number | { value: string } | null | undefined;

/** The form of a file, for spreadsheets that do not expect the form of RFC 4180. */
export interface CsvForm {
  /** Whether a byte order mark comes first. Without it, Excel reads the file in the code page of the computer, which breaks ä and µ. */
  bom: boolean;
  separator: string;
  decimalMark: string;
}

export const PLAIN_FORM: CsvForm = { bom: false, separator: ',', decimalMark: '.' };

export const SEPARATORS = { comma: ',', semicolon: ';', tab: '\t' };
export const DECIMAL_MARKS = { point: '.', comma: ',' };

const LINE = String.raw`\t\r\n`;
/** Matches white space of every kind, control characters and invisible characters. */
const UNSEEN = String.raw`[\s\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]`;
/** The signs that start a formula, and signs that look like them: wide, small, superscript and subscript forms, and dashes. */
const SIGN = String.raw`[=＝﹦⁼₌\ua78a+＋﹢⁺₊\u2795\p{Pd}\u2212⁻₋\u02d7\u2796@＠﹫]`;
const FORMULA = new RegExp(`^(?=[${LINE}]|${UNSEEN}*${SIGN})`, 'u');
const QUOTED = /[",;\t\r\n]/;

/**
 * The places inside a text at which a new cell starts in a spreadsheet that expects another separator. The quotation marks of the
 * file do not protect the text there.
 */
function buildCellStarts(separator: string): { open: RegExp; closed: RegExp } {
  const otherSeparators = Object.values(SEPARATORS).filter((candidate) => candidate !== separator);
  // This excludes white space that itself starts a cell, so that each character is looked at only a few times, even in 1 MB of text.
  const unseen = `(?:(?![${LINE}])${UNSEEN})*`;
  const before = `([${otherSeparators.join('')}${LINE}](?:${unseen}")*)`;
  const sign = `(?=${unseen}${SIGN})`;
  return { open: new RegExp(before + sign, 'gu'), closed: new RegExp(`${before}'${sign}`, 'gu') };
}
const CELL_STARTS = new Map(Object.values(SEPARATORS).map((separator) => [separator, buildCellStarts(separator)]));
const findCellStarts = (separator: string) => CELL_STARTS.get(separator) ?? buildCellStarts(separator);

/** Puts an apostrophe before each part of a text that a spreadsheet would compute. */
const protect = (text: string, separator: string): string =>
  text.replace(findCellStarts(separator).open, "$1'").replace(FORMULA, "'");

/** The text of a cell in a file with this separator, without the apostrophes that `protect` added. */
export function readCellText(cell: string, separator: string): string {
  const withoutFirst = cell.startsWith("'") && FORMULA.test(cell.slice(1)) ? cell.slice(1) : cell;
  const text = withoutFirst.replace(findCellStarts(separator).closed, '$1');
  return protect(text, separator) === cell ? text : cell;
}

const LINE_ENDS = /\r\n|[\r\n]/g;

/** Whether a cell has this text, in any form of a file. Line ends may differ, because spreadsheets and forms in a browser change them. */
export function hasCellText(text: string, cell: string): boolean {
  const normalizeLineEnds = (lines: string) => lines.replace(LINE_ENDS, '\n');
  const cellText = normalizeLineEnds(cell);
  return (
    cellText === normalizeLineEnds(text) ||
    Object.values(SEPARATORS).some((separator) => normalizeLineEnds(protect(text, separator)) === cellText)
  );
}

/**
 * @param columns the functions that read the cells of a row, by the names of the columns
 * @param amounts the columns with money, whose headings name the currency
 */
export function defineCsv<Row>(columns: Record<string, (row: Row) => Cell>, amounts: string[] = []) {
  const readers = Object.values(columns);
  return ({ bom, separator, decimalMark }: CsvForm, currency: string | null) => {
    const cell = (value: Cell): string => {
      if (value == null) return '';
      if (typeof value !== 'string') {
        const digits = String(typeof value === 'number' ? value : value.value).replace('.', decimalMark);
        return digits.includes(separator) ? `"${digits}"` : digits;
      }
      const text = protect(value, separator);
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
