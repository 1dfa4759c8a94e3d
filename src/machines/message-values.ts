// Reads values in the messages of machines, with limits: each reader returns a value that the database can store, or `null`.
import Decimal from 'decimal.js';
import { exactDigits, parseDecimal } from '../values/decimal';
import { CLOCKS_DIFFER_MS, type Instant } from '../values/instant';

const MAX_NAME = 500;
const MAX_PATH = 1000;
const MAX_MESSAGE = 200;
/** 100 km of filament, or a ton, is more than any spool has. */
const MAX_MM = '100000000';
const MAX_GRAMS = '1000000';
const YEAR_SEC = 366 * 24 * 3600;
const MAX_LAYERS = 1_000_000;
/** An earlier time comes from a wrong clock. Klipper hosts without a clock start in 1970. */
const EARLIEST_MS = Date.parse('2020-01-01T00:00:00Z');

/** Returns the value at a path of members; `undefined` if a member is missing. */
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

/** Makes a text that PostgreSQL can store: NUL and halves of surrogate pairs are replaced. */
function toStorableText(value: unknown, max: number): string | null {
  if (typeof value !== 'string' || value === '') return null;
  // A surrogate pair across the limit is removed completely.
  const short = value.slice(0, /[\uD800-\uDBFF]/.test(value[max - 1] as string) ? max - 1 : max);
  return copyText(short.toWellFormed().replaceAll('\0', '\uFFFD'));
}

/** Copies a text out of a message. V8 stores a part of 13 characters or more as a reference to the whole text, so the message would stay in memory. */
export const copyText = (text: string): string => (text.length < 13 ? text : Buffer.from(text).toString());

export const readMillimetres = (value: unknown) => readAmount(value, MAX_MM);
export const readGrams = (value: unknown) => readAmount(value, MAX_GRAMS);

/** No machine measures more exactly. Further digits come from binary floats, such as 176.94693999999993. */
const AMOUNT_DECIMALS = 4;

function readAmount(value: unknown, max: string): string | null {
  const decimal = readDecimal(value, max);
  if (decimal === null || !/\.\d{5}/.test(decimal)) return decimal;
  return new Decimal(decimal).toDecimalPlaces(AMOUNT_DECIMALS, Decimal.ROUND_HALF_EVEN).toFixed();
}

/** Reads an exact decimal that is not negative, from a JSON number, its digits, or a numeric text. */
function readDecimal(value: unknown, max: string): string | null {
  const decimal = parseNumeric(value);
  return decimal === null || decimal.startsWith('-') || new Decimal(decimal).gt(max) ? null : decimal;
}

/** Reads a share from 0 to 1. @param whole the value that means everything, such as 100 for percent */
export function readShare(value: unknown, whole = 1): string | null {
  const decimal = parseNumeric(value);
  if (decimal === null || decimal.startsWith('-')) return null;
  return Decimal.min(new Decimal(decimal).div(whole), 1).toFixed();
}

/** Calculates the share of an amount in a whole, up to 1. */
export const calculateShare = (amount: string | null, whole: string): string | null =>
  amount === null || Number(whole) === 0 ? null : Decimal.min(new Decimal(amount).div(whole), 1).toFixed();

function parseNumeric(value: unknown): string | null {
  // Most members are missing in most messages. Throwing an error for each of them took a third of an adapter's time.
  if (value === undefined || value === null) return null;
  try {
    return copyText(parseDecimal(value, ''));
  } catch {
    return null;
  }
}

/** Reads a JSON number, its digits, or a numeric text; NaN for everything else. The built-in `Number` and `String` throw for some objects. */
export function toNumber(value: unknown): number {
  return typeof value === 'number'
    ? value
    : Number(exactDigits(value) ?? (typeof value === 'string' ? value : Number.NaN));
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
 * Reads Unix seconds of the machine's clock as an instant of our clock; `null` if the time cannot be right.
 * @param clockOffMs by how much the machine's clock is ahead of ours; `null` if that is unknown
 */
export function readUnixTime(value: unknown, now: Instant, clockOffMs: number | null): Instant | null {
  const digits = typeof value === 'string' ? Number.NaN : toNumber(value);
  const ms = Math.round(digits * 1000) - (isClockOff(clockOffMs) ? (clockOffMs as number) : 0);
  if (!(ms >= EARLIEST_MS && ms <= Date.parse(now) + CLOCKS_DIFFER_MS)) return null;
  return new Date(Math.min(ms, Date.parse(now))).toISOString();
}

/** Whether the machine's clock is so wrong that its times must be corrected or ignored. */
export const isClockOff = (clockOffMs: number | null) => clockOffMs !== null && Math.abs(clockOffMs) > CLOCKS_DIFFER_MS;
