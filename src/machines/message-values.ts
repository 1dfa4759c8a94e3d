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

export const readName = (value: unknown) => toStorableText(value, MAX_NAME);
export const readPath = (value: unknown) => toStorableText(value, MAX_PATH);
export const readMessage = (value: unknown) => toStorableText(value, MAX_MESSAGE);

/** A text that PostgreSQL can hold: NUL and halves of surrogate pairs are replaced. */
function toStorableText(value: unknown, max: number): string | null {
  if (typeof value !== 'string' || value === '') return null;
  // A pair on the limit is left out whole.
  const short = value.slice(0, /[\uD800-\uDBFF]/.test(value[max - 1] as string) ? max - 1 : max);
  return copyText(short.toWellFormed().replaceAll('\0', '\uFFFD'));
}

/** V8 keeps a part of 13 characters or more as a place in the text that it was cut from: the whole message would stay in memory. */
export const copyText = (text: string): string => (text.length < 13 ? text : Buffer.from(text).toString());

export const readMillimetres = (value: unknown) => readAmount(value, MAX_MM);
export const readGrams = (value: unknown) => readAmount(value, MAX_GRAMS);

/** No machine measures finer: digits behind these come from binary floats, such as 176.94693999999993. */
const AMOUNT_DECIMALS = 4;

function readAmount(value: unknown, max: string): string | null {
  const decimal = readDecimal(value, max);
  if (decimal === null || !/\.\d{5}/.test(decimal)) return decimal;
  return new Decimal(decimal).toDecimalPlaces(AMOUNT_DECIMALS, Decimal.ROUND_HALF_EVEN).toFixed();
}

/** A decimal from 0 on, exact: a JSON number, its digits, or a numeric text. */
function readDecimal(value: unknown, max: string): string | null {
  const decimal = parseNumeric(value);
  return decimal === null || decimal.startsWith('-') || new Decimal(decimal).gt(max) ? null : decimal;
}

/** A part as a decimal from 0 to 1. @param whole the value of the whole, such as 100 for percent */
export function readShare(value: unknown, whole = 1): string | null {
  const decimal = parseNumeric(value);
  if (decimal === null || decimal.startsWith('-')) return null;
  return Decimal.min(new Decimal(decimal).div(whole), 1).toFixed();
}

/** A part of a whole that is known, both in decimals. */
export const calculateShare = (amount: string | null, whole: string): string | null =>
  amount === null || Number(whole) === 0 ? null : Decimal.min(new Decimal(amount).div(whole), 1).toFixed();

function parseNumeric(value: unknown): string | null {
  // Most members are missing in most messages: an error for each of them was a third of the time of an adapter.
  if (value === undefined || value === null) return null;
  try {
    return copyText(parseDecimal(value, ''));
  } catch {
    return null;
  }
}

/** A JSON number, its digits, or a text of them; NaN for all else. JavaScript's own `Number` and `String` fail for some objects. */
export function toNumber(value: unknown): number {
  return typeof value === 'number'
    ? value
    : Number(digitsOf(value) ?? (typeof value === 'string' ? value : Number.NaN));
}

export const readSeconds = (value: unknown) => readNumber(value, YEAR_SEC);
export const readLayer = (value: unknown) => readWhole(value, MAX_LAYERS);

function readNumber(value: unknown, max: number): number | null {
  const decimal = readDecimal(value, String(max));
  return decimal === null ? null : Number(decimal);
}

export function readWhole(value: unknown, max: number): number | null {
  const number = readNumber(value, max);
  return number !== null && Number.isInteger(number) ? number : null;
}

export const readWholeSeconds = (value: unknown) => {
  const seconds = readSeconds(value);
  return seconds === null ? null : Math.round(seconds);
};

/**
 * The instant of Unix seconds by the machine's clock; null where it cannot be right.
 * @param clockOffMs how far the machine's clock is before ours; null where it was not seen
 */
export function readUnixTime(value: unknown, now: Instant, clockOffMs: number | null): Instant | null {
  const digits = typeof value === 'string' ? Number.NaN : toNumber(value);
  const ms = Math.round(digits * 1000) - (isClockOff(clockOffMs) ? (clockOffMs as number) : 0);
  if (!(ms >= EARLIEST_MS && ms <= Date.parse(now) + CLOCKS_DIFFER_MS)) return null;
  return new Date(Math.min(ms, Date.parse(now))).toISOString();
}

/** Whether the machine's clock is so far off that it is not used. */
export const isClockOff = (clockOffMs: number | null) => clockOffMs !== null && Math.abs(clockOffMs) > CLOCKS_DIFFER_MS;
