// Reads exact decimals. They are texts from the request to the database and back, never binary floats.
import Decimal from 'decimal.js';
import { isLosslessNumber } from 'lossless-json';
import { BadInput } from '../errors';

/** The most digits of an amount, before the point and after it. */
const WHOLE_DIGITS = 18;
const FRACTION_DIGITS = 28;
/** The pattern can match digits in only one way, so that it refuses a megabyte of digits in milliseconds. */
const NUMERIC = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d{1,9})?$/i;
const PLAIN = new RegExp(`^\\d{1,${WHOLE_DIGITS}}(\\.\\d{1,${FRACTION_DIGITS}})?$`);

/** The form that nearly all texts already have, for a quick check. One plan has up to 32,000 amounts. */
const USUAL = new RegExp(`^(?:0|[1-9]\\d{0,${WHOLE_DIGITS - 1}})(?:\\.\\d{1,${FRACTION_DIGITS}})?$`);

/** The range of amounts, for errors and descriptions. */
export const DECIMAL_RANGE = `at most ${WHOLE_DIGITS} digits before the point and ${FRACTION_DIGITS} after it`;

/** The digits of a JSON number that the parser kept as a text; undefined for any other value. */
export function exactDigits(value: unknown): string | undefined {
  return isLosslessNumber(value) ? value.value : undefined;
}

/** Reads a JSON number or a numeric text into plain digits: `1e3` becomes `1000`, `007` becomes `7`, and `1.50` stays `1.50`. */
export function parseDecimal(value: unknown, member: string): string {
  if (typeof value === 'string' && USUAL.test(value)) return value;
  const text = typeof value === 'number' ? String(value) : (exactDigits(value) ?? value);
  if (typeof text !== 'string' || !NUMERIC.test(text)) throw new BadInput('must be a number or a numeric text', member);
  const plain = text.replace(/^0+(?=\d)/, '');
  if (PLAIN.test(plain)) return plain;
  const decimal = new Decimal(text);
  if (decimal.e >= WHOLE_DIGITS || decimal.decimalPlaces() > FRACTION_DIGITS) {
    throw new BadInput(`must have ${DECIMAL_RANGE}`, member);
  }
  return decimal.isZero() ? '0' : decimal.toFixed();
}

/** Reads a decimal that is 0 or more. */
export function readAmount(value: unknown, member: string): string {
  const decimal = parseDecimal(value, member);
  if (decimal.startsWith('-')) throw new BadInput('must not be negative', member);
  return decimal;
}

export function readPositiveAmount(value: unknown, member: string): string {
  const decimal = parseDecimal(value, member);
  if (!isPositive(decimal)) throw new BadInput('must be above 0', member);
  return decimal;
}

/** Returns a calculated amount, or throws if it has too many digits to be stored. @param path the member for which it is */
export function checkStorable(value: string, ...path: (string | number)[]): string {
  if ((value.split('.')[0] as string).length > WHOLE_DIGITS)
    throw new BadInput(`would be ${value}, and may have at most ${WHOLE_DIGITS} digits before the point`, ...path);
  return value;
}

/** Compares two amounts by their texts. Making decimal objects of thousands of amounts would take a tenth of a second. */
export function isBelow(amount: string, limit: string): boolean {
  const difference = countWholeDigits(amount) - countWholeDigits(limit);
  if (difference !== 0) return difference < 0;
  // As a text, `1.5` is less than `1.50`. As an amount, it is not.
  return amount < limit && !(limit.startsWith(amount) && /^[.0]*$/.test(limit.slice(amount.length)));
}

function countWholeDigits(plain: string): number {
  const point = plain.indexOf('.');
  return point < 0 ? plain.length : point;
}

/** The shortest text of the same value, as trim_scale of PostgreSQL writes it. */
export function trimZeros(value: string): string {
  return new Decimal(value).toFixed();
}

/** Grams with 2 decimals, rounded half to even, as jobs have them. */
export function roundGrams(value: string): string {
  return new Decimal(value).toFixed(2, Decimal.ROUND_HALF_EVEN);
}

export function isPositive(value: string): boolean {
  return !value.startsWith('-') && /[1-9]/.test(value);
}
