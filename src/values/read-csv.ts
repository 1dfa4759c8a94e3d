// How CSV is read: the separator of a file, its rows with their lines, and the remedy for a file that is no CSV.
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
 * A cell and what ends it. Lists that want to keep zeros at the start of a number have `="0012"`, which is no cell of RFC 4180, and which
 * Excel reads as the text 0012.
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
 * Reads the rows that have a cell with text, from the first lines of a file.
 * @param most the number of lines that are read: lines without text count too, because each costs as much as another
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
    if (row.cells.some((one) => one.trim() !== '')) rows.push(row);
  }
  return { separator, rows, isWhole: cell.lastIndex >= content.length };
}

/** Spreadsheets write thousands of rows that were once used, as lines without text. Those at the end cost nothing. */
function withoutBlankEnd(content: string): string {
  let end = content.length;
  while (end > 0 && WITHOUT_TEXT.includes(content.charAt(end - 1))) end -= 1;
  while (end < content.length && !/[\r\n]/.test(content.charAt(end))) end += 1;
  return content.slice(0, end);
}

/** @param rest of the file, from the cell that cannot be read */
function refuse(rest: string, line: number, member: string): never {
  throw new BadInput(
    rest.startsWith('"') && !/^"[^"]*(?:""[^"]*)*"(?!")/.test(rest)
      ? `Line ${line} starts a cell with a quotation mark, and the file has no quotation mark that ends this cell: add it, or save the list as CSV again`
      : `Line ${line} has a quotation mark inside a cell: put the cell in quotation marks and double the mark inside, or save the list as CSV again`,
    member,
  );
}

/** The separator that is most frequent in the first line; a comma where there is none. */
function separatorOf(content: string): string {
  const head = content.trimStart().split(/[\r\n]/, 1)[0] as string;
  const counts = Object.values(SEPARATORS).map((separator) => ({ separator, count: head.split(separator).length }));
  return counts.reduce((most, one) => (one.count > most.count ? one : most)).separator;
}
