// Exact decimals: texts from the request to the database and back, never a binary float.
import Decimal from 'decimal.js';
import { isLosslessNumber } from 'lossless-json';
import { BadInput } from '../errors';

/** The maximum number of digits of an amount, before the point and after it. */
const WHOLE_DIGITS = 18;
const FRACTION_DIGITS = 28;
/** It has no two ways to read the same digits: a megabyte of them is refused in milliseconds. */
const NUMERIC = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d{1,9})?$/i;
const PLAIN = new RegExp(`^\\d{1,${WHOLE_DIGITS}}(\\.\\d{1,${FRACTION_DIGITS}})?$`);

/** What nearly all texts are already. One plan has up to 32,000 of them. */
const USUAL = new RegExp(`^(?:0|[1-9]\\d{0,${WHOLE_DIGITS - 1}})(?:\\.\\d{1,${FRACTION_DIGITS}})?$`);

/** The range in the words of errors and descriptions. */
export const DECIMAL_RANGE = `at most ${WHOLE_DIGITS} digits before the point and ${FRACTION_DIGITS} after it`;

/** The digits of a JSON number that the parser kept as text; undefined for any other value. */
export function digitsOf(value: unknown): string | undefined {
  return isLosslessNumber(value) ? value.value : undefined;
}

/** Reads a JSON number or a numeric text into plain digits: `1e3` is `1000`, `007` is `7`, `1.50` stays `1.50`. */
export function parseDecimal(value: unknown, member: string): string {
  if (typeof value === 'string' && USUAL.test(value)) return value;
  const text = typeof value === 'number' ? String(value) : (digitsOf(value) ?? value);
  if (typeof text !== 'string' || !NUMERIC.test(text)) throw new BadInput('must be a number or a numeric text', member);
  const plain = text.replace(/^0+(?=\d)/, '');
  if (PLAIN.test(plain)) return plain;
  const decimal = new Decimal(text);
  if (decimal.e >= WHOLE_DIGITS || decimal.decimalPlaces() > FRACTION_DIGITS) {
    throw new BadInput(`must have ${DECIMAL_RANGE}`, member);
  }
  return decimal.isZero() ? '0' : decimal.toFixed();
}

/** A decimal that is 0 or more. */
export function amount(value: unknown, member: string): string {
  const decimal = parseDecimal(value, member);
  if (decimal.startsWith('-')) throw new BadInput('must not be negative', member);
  return decimal;
}

export function positiveAmount(value: unknown, member: string): string {
  const decimal = parseDecimal(value, member);
  if (!isPositive(decimal)) throw new BadInput('must be above 0', member);
  return decimal;
}

/** An amount that was computed. @param path of the member that it is for */
export function storable(value: string, ...path: (string | number)[]): string {
  if ((value.split('.')[0] as string).length > WHOLE_DIGITS)
    throw new BadInput(`comes out with more than ${WHOLE_DIGITS} digits before the point: ${value}`, ...path);
  return value;
}

/** Compares two amounts as `amount` gives them, by their texts: thousands of objects of numbers would take a tenth of a second. */
export function isBelow(one: string, other: string): boolean {
  const difference = wholeDigits(one) - wholeDigits(other);
  if (difference !== 0) return difference < 0;
  // `1.5` stands before `1.50` and is not below it.
  return one < other && !(other.startsWith(one) && /^[.0]*$/.test(other.slice(one.length)));
}

function wholeDigits(plain: string): number {
  const point = plain.indexOf('.');
  return point < 0 ? plain.length : point;
}

/** The shortest text of the same value, as trim_scale of PostgreSQL gives it. */
export function withoutZeros(value: string): string {
  return new Decimal(value).toFixed();
}

export function isPositive(value: string): boolean {
  return !value.startsWith('-') && /[1-9]/.test(value);
}
