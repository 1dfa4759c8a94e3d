// The bounds of the values in a machine's messages: each reader returns a value that the database can store, or null.
import Decimal from 'decimal.js';
import { digitsOf, parseDecimal } from '../values/decimal';
import { CLOCKS_DIFFER_MS, type Instant } from '../values/instant';

const MAX_NAME = 500;
const MAX_PATH = 1000;
const MAX_MESSAGE = 200;
/** 100 km of filament, or a ton: no spool of a printer is so long. */
const MAX_MM = '100000000';
const MAX_GRAMS = '1000000';
const YEAR_SEC = 366 * 24 * 3600;
const MAX_LAYERS = 1_000_000;
/** Before that there was nothing to connect to. Klipper hosts without a clock begin in 1970. */
const EARLIEST_MS = Date.parse('2020-01-01T00:00:00Z');

/** The value at a path of own members; undefined where there is none. */
export function memberAt(value: unknown, ...path: string[]): unknown {
  let found = value;
  for (const name of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined;
    found = found[name as keyof typeof found];
  }
  return found;
}

export const nameOf = (value: unknown) => storableText(value, MAX_NAME);
export const pathOf = (value: unknown) => storableText(value, MAX_PATH);
export const messageOf = (value: unknown) => storableText(value, MAX_MESSAGE);

/** A text that PostgreSQL can hold: NUL and halves of surrogate pairs are replaced. */
function storableText(value: unknown, max: number): string | null {
  if (typeof value !== 'string' || value === '') return null;
  // A pair on the limit is left out whole.
  const short = value.slice(0, /[\uD800-\uDBFF]/.test(value[max - 1] as string) ? max - 1 : max);
  return owned(short.toWellFormed().replaceAll('\0', '\uFFFD'));
}

/** V8 keeps a part of 13 characters or more as a place in the text that it was cut from: the whole message would stay in memory. */
export const owned = (text: string): string => (text.length < 13 ? text : Buffer.from(text).toString());

export const mmOf = (value: unknown) => measureOf(value, MAX_MM);
export const gramsOf = (value: unknown) => measureOf(value, MAX_GRAMS);

/** No machine measures finer: digits behind these come from binary floats, such as 176.94693999999993. */
const MEASURE_DECIMALS = 4;

function measureOf(value: unknown, max: string): string | null {
  const decimal = decimalOf(value, max);
  if (decimal === null || !/\.\d{5}/.test(decimal)) return decimal;
  return new Decimal(decimal).toDecimalPlaces(MEASURE_DECIMALS, Decimal.ROUND_HALF_EVEN).toFixed();
}

/** A decimal from 0 on, exact: a JSON number, its digits, or a numeric text. */
function decimalOf(value: unknown, max: string): string | null {
  const decimal = numeric(value);
  return decimal === null || decimal.startsWith('-') || new Decimal(decimal).gt(max) ? null : decimal;
}

/** A part as a decimal from 0 to 1. @param whole the value of the whole, such as 100 for percent */
export function partOf(value: unknown, whole = 1): string | null {
  const decimal = numeric(value);
  if (decimal === null || decimal.startsWith('-')) return null;
  return Decimal.min(new Decimal(decimal).div(whole), 1).toFixed();
}

/** A part of a whole that is known, both in decimals. */
export const partBy = (amount: string | null, whole: string): string | null =>
  amount === null || Number(whole) === 0 ? null : Decimal.min(new Decimal(amount).div(whole), 1).toFixed();

function numeric(value: unknown): string | null {
  // Most members are missing in most messages: an error for each of them was a third of the time of an adapter.
  if (value === undefined || value === null) return null;
  try {
    return owned(parseDecimal(value, ''));
  } catch {
    return null;
  }
}

/** A JSON number, its digits, or a text of them; NaN for all else. JavaScript's own `Number` and `String` fail for some objects. */
export function numberIn(value: unknown): number {
  return typeof value === 'number'
    ? value
    : Number(digitsOf(value) ?? (typeof value === 'string' ? value : Number.NaN));
}

export const secondsOf = (value: unknown) => numberOf(value, YEAR_SEC);
export const layerOf = (value: unknown) => wholeOf(value, MAX_LAYERS);

function numberOf(value: unknown, max: number): number | null {
  const decimal = decimalOf(value, String(max));
  return decimal === null ? null : Number(decimal);
}

export function wholeOf(value: unknown, max: number): number | null {
  const number = numberOf(value, max);
  return number !== null && Number.isInteger(number) ? number : null;
}

export const wholeSeconds = (value: unknown) => {
  const seconds = secondsOf(value);
  return seconds === null ? null : Math.round(seconds);
};

/**
 * The instant of Unix seconds by the machine's clock; null where it cannot be right.
 * @param clockOffMs how far the machine's clock is before ours; null where it was not seen
 */
export function instantOfUnix(value: unknown, now: Instant, clockOffMs: number | null): Instant | null {
  const digits = typeof value === 'string' ? Number.NaN : numberIn(value);
  const ms = Math.round(digits * 1000) - (isOff(clockOffMs) ? (clockOffMs as number) : 0);
  if (!(ms >= EARLIEST_MS && ms <= Date.parse(now) + CLOCKS_DIFFER_MS)) return null;
  return new Date(Math.min(ms, Date.parse(now))).toISOString();
}

/** Whether the machine's clock is so far off that it is not used. */
export const isOff = (clockOffMs: number | null) => clockOffMs !== null && Math.abs(clockOffMs) > CLOCKS_DIFFER_MS;
