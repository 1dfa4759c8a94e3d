// Reads a CSV file: its separator, its rows with their line numbers, and the reason why a file is not CSV.
import { CsvError, parse } from 'csv-parse/sync';
import { BadInput } from '../errors';
import { SEPARATORS } from './csv';

/** A row of a file, with the line in which the row starts. */
export interface CsvRow {
  line: number;
  cells: string[];
}

const BOM = /^\ufeff/;
/** The first line in which a file names its separator for Excel. */
const NAMED_SEPARATOR = /^"?sep=([,;\t])"?[,;\t]*(?:\r\n|\n|\r|$)/i;
const LINE_END = /\r\n|[\r\n]/g;
const BLANK_CHARACTERS = ' ,;\t\r\n';

/**
 * A quoted part of a file, or ="0012", as which lists write a number whose zeros a spreadsheet must keep. RFC 4180 has no such cell.
 * Quoted parts come first, so that a cell that only contains ="0012" stays as it is.
 */
const QUOTED_OR_FORMULA = /"[^"]*"|(?<![^,;\t\r\n])="[^"\r\n]*"(?![^,;\t\r\n])/g;

/**
 * Reads the rows that have a cell with text. For each row that is not as wide as the first row csv-parse builds an error with a stack,
 * even though such rows are accepted, so reading must stop: 349,000 rows took 13 s, and 5,000 rows take about 0.2 s.
 * @param limit the number of rows that are read. Rows without text count too, because each costs as much as another. Empty lines do not.
 */
export function readCsv(
  text: string,
  member: string,
  limit: number,
): { separator: string; rows: CsvRow[]; isWhole: boolean } {
  const unmarked = text.replace(BOM, '');
  const named = NAMED_SEPARATOR.exec(unmarked);
  const content = withoutBlankEnd(unmarked.slice(named?.[0].length ?? 0));
  const separator = named?.[1] ?? findSeparator(content);
  const firstLine = named === null ? 1 : 2;
  const records = parseRecords(quoteFormulas(content), separator, member, { firstLine, limit: limit + 1 });
  const rows = numberLines(records.slice(0, limit), firstLine);
  return {
    separator,
    rows: rows.filter(({ cells }) => cells.some((cell) => cell.trim() !== '')),
    isWhole: records.length <= limit,
  };
}

/** A row of csv-parse. `lines` is the number of the line in which the row ends. */
interface CsvRecord {
  record: string[];
  info: { lines: number };
}

function parseRecords(
  content: string,
  separator: string,
  member: string,
  { firstLine, limit }: { firstLine: number; limit: number },
): CsvRecord[] {
  try {
    return parse(content, {
      delimiter: separator,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      skip_empty_lines: true,
      info: true,
      to: limit,
    }) as unknown as CsvRecord[];
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    // The error has the number of bytes before the last cell or row that could be read. Empty lines may follow.
    const read = Buffer.from(content).subarray(0, Number(error['bytes'])).toString();
    const [emptyLines = ''] = /^[\r\n]*/.exec(content.slice(read.length)) ?? [];
    const line = firstLine + countLineEnds(read) + countLineEnds(emptyLines);
    throw new BadInput(
      error.code === 'CSV_QUOTE_NOT_CLOSED'
        ? `Line ${line} has a cell that starts with a quotation mark and does not end with one. Add the missing mark, or save the list as CSV again`
        : `Line ${line} has a quotation mark inside a cell. Put the cell in quotation marks and double the mark inside, or save the list as CSV again`,
      member,
    );
  }
}

/** csv-parse counts CR LF inside a cell as two line ends. */
function numberLines(records: readonly CsvRecord[], firstLine: number): CsvRow[] {
  let countedTwice = 0;
  return records.map(({ record, info }) => {
    const text = record.join(' ');
    countedTwice += text.match(/\r\n/g)?.length ?? 0;
    return { line: firstLine - 1 + info.lines - countedTwice - countLineEnds(text), cells: record };
  });
}

const countLineEnds = (text: string): number => text.match(LINE_END)?.length ?? 0;

/** Puts each cell such as ="0012" into quotation marks, so that csv-parse can read the cell. */
const quoteFormulas = (content: string): string =>
  content.replace(QUOTED_OR_FORMULA, (part) => (part.startsWith('=') ? `"${part.replaceAll('"', '""')}"` : part));

/** Spreadsheets save thousands of rows that were used once as lines without text. Such lines at the end of a file are not read. */
function withoutBlankEnd(content: string): string {
  let end = content.length;
  while (end > 0 && BLANK_CHARACTERS.includes(content.charAt(end - 1))) end -= 1;
  while (end < content.length && !/[\r\n]/.test(content.charAt(end))) end += 1;
  return content.slice(0, end);
}

/** The separator that is most frequent in the first line; a comma if the line has none. */
function findSeparator(content: string): string {
  const [head = ''] = content.trimStart().split(/[\r\n]/, 1);
  const counts = Object.values(SEPARATORS).map((separator) => ({ separator, count: head.split(separator).length }));
  return counts.reduce((most, next) => (next.count > most.count ? next : most)).separator;
}
