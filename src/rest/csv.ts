// CSV as RFC 4180 describes it, safe to open in a spreadsheet.
import { isLosslessNumber, type LosslessNumber } from 'lossless-json';

/** A text, a number, or the digits of an exact one. */
export type Cell = string | number | LosslessNumber | null | undefined;

/**
 * Before a text that a spreadsheet would compute. The wide forms of the signs count too. Some spreadsheets part cells by
 * a semicolon or a tab. For them a quotation mark behind a comma protects nothing.
 */
const FORMULA = /^(?=[=+\-@\t\r\n＝＋－＠])|(?=[=+\-@＝＋－＠])(?<=[;\t\r\n]"*)/g;
const QUOTED = /[",;\t\r\n]/;

function cell(value: Cell): string {
  if (value == null) return '';
  if (typeof value === 'number' || isLosslessNumber(value)) return String(value);
  const text = value.replace(FORMULA, "'");
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const line = (cells: Cell[]) => `${cells.map(cell).join(',')}\r\n`;

/** @param columns the cells of a row, by the names of their columns */
export function csvOf<Row>(columns: Record<string, (row: Row) => Cell>) {
  const readers = Object.values(columns);
  return {
    header: line(Object.keys(columns)),
    lines: (rows: Row[]) => rows.map((row) => line(readers.map((read) => read(row)))).join(''),
  };
}
