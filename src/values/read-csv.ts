// Reads CSV: finds the separator of a file, splits it into rows with line numbers, and says how to mend a file that is not CSV.
import { BadInput } from '../errors';
import { SEPARATORS } from './csv';

/** A row of a file, with the line in which it starts. */
export interface CsvRow {
  line: number;
  cells: string[];
}

const BOM = /^\ufeff/;
/** The first line by which a file names its separator to Excel. */
const NAMED_SEPARATOR = /^"?sep=([,;\t])"?[,;\t]*(?:\r\n|\n|\r|$)/i;
const LINE_END = /\r\n|[\r\n]/g;
const WITHOUT_TEXT = ' ,;\t\r\n';

/**
 * Matches a cell and the sign that ends it. Some lists keep the zeros at the start of a number with `="0012"`. This is not a cell of
 * RFC 4180, but Excel reads it as the text 0012.
 */
const CELLS = new Map(
  Object.values(SEPARATORS).map((separator) => [
    separator,
    new RegExp(
      String.raw`(?:"([^"]*(?:""[^"]*)*)"|(="[^"\r\n]*"|[^"${separator}\r\n]*))(${separator}|\r\n|\n|\r|$)`,
      'y',
    ),
  ]),
);

/**
 * Reads the rows of a file in which at least one cell has text.
 * @param most the most lines to read; lines without text count, too, because reading them takes the same time
 */
export function readCsv(
  text: string,
  member: string,
  most: number,
): { separator: string; rows: CsvRow[]; isWhole: boolean } {
  const named = NAMED_SEPARATOR.exec(text.replace(BOM, ''));
  const content = withoutBlankEnd(text.replace(BOM, '').slice(named?.[0].length ?? 0));
  const separator = named?.[1] ?? separatorOf(content);
  const cell = CELLS.get(separator) as RegExp;
  const rows: CsvRow[] = [];
  let line = named === null ? 1 : 2;
  let read = 0;
  for (cell.lastIndex = 0; cell.lastIndex < content.length && read < most; read += 1) {
    const row: CsvRow = { line, cells: [] };
    for (let end = separator; end === separator; ) {
      const start = cell.lastIndex;
      const [, quoted, plain = quoted?.replaceAll('""', '"') ?? '', sign = ''] =
        cell.exec(content) ?? refuse(content.slice(start), line, member);
      if (quoted !== undefined) line += quoted.match(LINE_END)?.length ?? 0;
      row.cells.push(plain);
      end = sign;
    }
    line += 1;
    if (row.cells.some((text) => text.trim() !== '')) rows.push(row);
  }
  return { separator, rows, isWhole: cell.lastIndex >= content.length };
}

/** Removes the lines without text at the end of a file. Spreadsheets write thousands of them for rows that were used once. */
function withoutBlankEnd(content: string): string {
  let end = content.length;
  while (end > 0 && WITHOUT_TEXT.includes(content.charAt(end - 1))) end -= 1;
  while (end < content.length && !/[\r\n]/.test(content.charAt(end))) end += 1;
  return content.slice(0, end);
}

/** @param text the text from the cell that cannot be read to the end of the file */
function refuse(text: string, line: number, member: string): never {
  throw new BadInput(
    text.startsWith('"') && !/^"[^"]*(?:""[^"]*)*"(?!")/.test(text)
      ? `Line ${line} has a cell that starts with a quotation mark and does not end with one. Add the missing mark, or save the list as CSV again`
      : `Line ${line} has a quotation mark inside a cell. Put the cell in quotation marks and double the mark inside, or save the list as CSV again`,
    member,
  );
}

/** The separator that occurs most often in the first line; a comma if the line has none. */
function separatorOf(content: string): string {
  const head = content.trimStart().split(/[\r\n]/, 1)[0] as string;
  const counts = Object.values(SEPARATORS).map((separator) => ({ separator, count: head.split(separator).length }));
  return counts.reduce((most, one) => (one.count > most.count ? one : most)).separator;
}
