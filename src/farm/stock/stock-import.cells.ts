// Reads the cells of an imported list. It undoes what spreadsheets do to numbers, texts, yes and no. A number with two meanings is refused.
import Decimal from 'decimal.js';
import { BadInput } from '../../errors';
import { hasCellText, readCellText } from '../../values/csv';
import { parseDecimal } from '../../values/decimal';
import { tidyText } from '../../values/text';
import { parseBooleanWord } from './boolean-words';
import {
  hasThousandsMarks,
  mayHaveThousandsMark,
  removeThousandsMarks,
  splitUnit,
  writePrice,
} from './number-remedies';
import { isShownAsDate } from './spreadsheet-dates';
import type { ColumnType, StockColumn } from './stock-columns';

/** The decimal places of an imported amount. Programs that calculate with binary numbers export 179.21 as 179.21000000000004. */
export const IMPORTED_DECIMALS = 6;

/** The decimal mark of a file, and the first line in which it can be seen. */
interface DecimalMark {
  sign: string;
  line: number;
}

/** How the cells of one file are read. */
export interface CellForm {
  separator: string;
  /** `null` if no number of the file shows its decimal mark. */
  mark: DecimalMark | null;
}

const AMOUNT = /^[+-]?(?:\d+[.,]?\d*|[.,]\d+)(?:e[+-]?\d{1,3})?$/i;
/** LibreOffice also takes the point in 0.125 and in 1234.567 for a thousands separator. */
const WITH_THREE_DECIMALS = /\.\d{3}$/;
/** The form in which spreadsheets write a number with more digits than they show, such as 4.00638E+12. */
const SHORTENED = /^[+-]?\d(?:[.,]\d+)?E[+-]\d{2,3}$/;
/** At most two zeros behind a point: 1.000 can mean 1000. */
const WHOLE_NUMBER = /^#?0*(\d{1,9})(?:[.,]0{1,2})?$/;
const FORMULA_TEXT = /^="(.*)"$/s;

const UNITS: { [Type in ColumnType]?: { name: string; words: readonly string[] } } = {
  grams: { name: 'grams', words: ['g', 'gr', 'gram', 'grams', 'gramm'] },
  mm: { name: 'millimetres', words: ['mm'] },
};

/** Some lists write ="0012", so that a spreadsheet keeps the zeros. */
const unwrapFormula = (cell: string): string => FORMULA_TEXT.exec(cell.trim())?.[1]?.replaceAll('""', '"') ?? cell;

/** The cell without white space around it and without the apostrophe that protects it from a spreadsheet. */
const trimCell = (cell: string): string => unwrapFormula(cell).trim().replace(/^'/, '');

/** The text of a cell, without apostrophes that protect it and without white space around it. */
const unprotectText = (cell: string, separator: string): string =>
  tidyText(readCellText(unwrapFormula(cell), separator));

/** The texts that a cell may mean, the most likely text first. So a name that is stored with spaces around it is found too. */
export const listPossibleNames = (cell: string, { separator }: CellForm): string[] => [
  ...new Set([unprotectText(cell, separator), readCellText(cell, separator), cell]),
];

/** @returns null for an empty cell, and undefined for a cell that is not a whole number */
export function parseWholeNumber(cell: string): number | null | undefined {
  const plain = trimCell(cell);
  if (plain === '') return null;
  const digits = WHOLE_NUMBER.exec(plain)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** The decimal mark of an amount that has only one possible reading; undefined for other cells. */
export function findDecimalMark(cell: string): string | undefined {
  const plain = trimCell(cell);
  return AMOUNT.test(plain) && !mayHaveThousandsMark(plain) ? /[.,]/.exec(plain)?.[0] : undefined;
}

/**
 * The text to store for a cell; `null` for an empty cell. If a spreadsheet would have changed the stored text into this cell, the stored text
 * stays.
 */
export function readCell(
  cell: string,
  name: string,
  column: Pick<StockColumn<never>, 'type' | 'isUnknownAtZero'>,
  form: CellForm & { line: number; currency: string | null },
  stored: string | null,
): string | null {
  const { type } = column;
  if (type === 'text' || type === 'color') return readText(cell, name, type, form, stored);
  const plain = trimCell(cell);
  if (type === 'flag') {
    const flag = plain === '' ? false : parseBooleanWord(plain);
    if (flag === undefined) throw new BadInput(`${quote(plain)} is neither yes nor no: write one of them`, name);
    return String(flag);
  }
  if (plain === '') return null;
  if (type === 'number') return String(readWholeNumber(cell, name));
  if (stored !== null && isShownAs(stored, plain)) return stored;
  const digits = readAmount(plain, name, type, form);
  if (stored !== null && WITH_THREE_DECIMALS.test(stored) && new Decimal(stored).times(1000).eq(digits))
    throw new BadInput(
      `${plain} is what a spreadsheet makes of the stored ${stored} if it takes the point for a thousands separator: write ${stored}0 to keep it, or change it in the dashboard`,
      name,
    );
  if (column.isUnknownAtZero && new Decimal(digits).isZero()) return stored;
  return stored !== null && new Decimal(stored).eq(digits) ? stored : digits;
}

export function readWholeNumber(cell: string, name: string): number | null {
  const number = parseWholeNumber(cell);
  if (number === undefined) throw new BadInput(`${quote(cell)} is not a whole number: write one such as 12`, name);
  return number;
}

function readText(
  cell: string,
  name: string,
  type: 'text' | 'color',
  { separator }: CellForm,
  stored: string | null,
): string | null {
  if (stored !== null && (hasCellText(stored, cell) || isTranslated(stored, trimCell(cell)))) return stored;
  const text = unprotectText(cell, separator);
  if (text === '') return null;
  if (type === 'color') return /^[0-9a-f]{6}$/i.test(text) ? `#${text}` : text;
  if (SHORTENED.test(text))
    throw new BadInput(
      `${quote(text)} is a number that a spreadsheet shortened: format the column as text there, and enter all digits`,
      name,
    );
  return text;
}

/** Whether a spreadsheet would show the stored text as this cell: 007 as 7, 3-12 as a date, and TRUE as the word of the user's language. */
function isTranslated(stored: string, plain: string): boolean {
  if (isShownAsDate(stored, plain)) return true;
  if (AMOUNT.test(stored) && AMOUNT.test(plain)) return isShownAs(stored.replace(',', '.'), plain);
  const flag = parseBooleanWord(stored);
  return flag !== undefined && /\p{L}/u.test(stored) && parseBooleanWord(plain) === flag;
}

/** How many digits spreadsheets show of a number with more decimals, and of a number that they write with an exponent. */
const SHOWN_DIGITS = [9, 10, 11, 15];
const SHOWN_DIGITS_OF_EXPONENT = [3, 6, 15];

/** Whether a spreadsheet would show the stored number as this cell. For a cell with two possible readings, one match is enough. */
function isShownAs(stored: string, plain: string): boolean {
  if (!AMOUNT.test(plain)) return false;
  const whole = new Decimal(stored);
  const readings = [plain.replace(',', '.'), ...(mayHaveThousandsMark(plain) ? [plain.replace(/[.,]/, '')] : [])];
  const shown = SHORTENED.test(plain) ? SHOWN_DIGITS_OF_EXPONENT : whole.isInteger() ? [] : SHOWN_DIGITS;
  return readings.some((reading) => {
    const digits = new Decimal(reading);
    return (
      whole.eq(digits) ||
      shown.some((count) => whole.toSignificantDigits(count).eq(digits)) ||
      (digits.decimalPlaces() >= 9 && whole.toDecimalPlaces(digits.decimalPlaces()).eq(digits))
    );
  });
}

/** The digits of an amount, rounded to IMPORTED_DECIMALS decimal places. */
function readAmount(
  plain: string,
  name: string,
  type: ColumnType,
  form: CellForm & { line: number; currency: string | null },
): string {
  const fault = findAmountFault(plain, type, form);
  if (fault !== null) throw new BadInput(fault, name);
  const digits = parseDecimal(plain.replace(',', '.'), name);
  const decimals = digits.split('.')[1]?.length ?? 0;
  return decimals > IMPORTED_DECIMALS ? new Decimal(digits).toDecimalPlaces(IMPORTED_DECIMALS).toFixed() : digits;
}

/** @returns null for an amount with only one possible reading */
function findAmountFault(
  plain: string,
  type: ColumnType,
  { mark, currency }: CellForm & { currency: string | null },
): string | null {
  if (SHORTENED.test(plain)) return `${quote(plain)} is a number that a spreadsheet shortened: enter all digits`;
  const sign = /[.,]/.exec(plain)?.[0];
  if (mayHaveThousandsMark(plain) && mark?.sign !== sign) {
    const whole = plain.replace(/[.,]/, '');
    return mark === null
      ? `${plain} can be ${plain.replace(',', '.')} or ${whole}: write ${whole} or ${plain}0`
      : `${quote(plain)} has a thousands separator: write ${whole}`;
  }
  if (AMOUNT.test(plain)) {
    if (sign === undefined || mark === null || sign === mark.sign) return null;
    const [foundMark, earlierMark] = sign === ',' ? ['comma', 'point'] : ['point', 'comma'];
    return `${quote(plain)} has a decimal ${foundMark}, and line ${mark.line} has a decimal ${earlierMark}: use one of them in the whole file`;
  }
  if (hasThousandsMarks(plain))
    return `${quote(plain)} has a thousands separator: write ${removeThousandsMarks(plain)}`;
  return `${quote(plain)} is not a number: ${suggestRemedy(plain, type, mark?.sign ?? '.', currency)}`;
}

function suggestRemedy(plain: string, type: ColumnType, mark: string, currency: string | null): string {
  const { number, unit } = splitUnit(plain) ?? {};
  if (number === undefined || unit === undefined) return 'write one such as 12.5';
  if (type === 'price') {
    const isForeign = currency !== null && /^[a-z]{3}$/i.test(unit) && unit.toUpperCase() !== currency;
    return isForeign ? `write the price in ${currency}` : `write ${writePrice(number, mark)}`;
  }
  const known = UNITS[type];
  return known?.words.includes(unit.toLowerCase())
    ? `write ${number}, because the column is in ${known.name}`
    : `write the ${known?.name} alone`;
}

const quote = (cell: string): string => `"${cell}"`;
