// Reads decimals and times as Spoolman's API, its JSON and its CSV write them, and calculates with them exactly.
import Decimal from 'decimal.js';
import { parseDecimal } from '../../values/decimal';
import { parseInstant } from '../../values/instant';

/** The decimal without zeros at its end; null if the value is no number, or below 0. */
export function decimalOf(value: unknown): string | null {
  try {
    const digits = parseDecimal(value, 'value');
    return digits.startsWith('-') && /[1-9]/.test(digits) ? null : new Decimal(digits.replace(/^-/, '')).toFixed();
  } catch {
    return null;
  }
}

export const isAbove = (amount: string, limit: string) => new Decimal(amount).gt(limit);

/** What is left of a spool, with 2 decimals, half to even. */
export const subtractUsed = (weight: string, used: string) =>
  Decimal.max(new Decimal(weight).minus(used), 0).toDecimalPlaces(2, Decimal.ROUND_HALF_EVEN).toFixed();

const TIME = /^(\d{4}-\d\d-\d\d)[t ](\d\d:\d\d:\d\d(?:\.\d+)?)(z|[+-]\d\d:\d\d)?$/i;

/** A time without an offset is UTC. @returns null if the value is no time */
export function parsePlainTime(value: unknown): string | null {
  const [, day, time, offset = 'Z'] = TIME.exec(typeof value === 'string' ? value.trim() : '') ?? [];
  if (day === undefined || time === undefined) return null;
  try {
    return parseInstant(`${day}T${time}${offset}`, 'time');
  } catch {
    return null;
  }
}
