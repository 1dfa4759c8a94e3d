// Reads the printing time, as slicers write it, into whole seconds; `null` if the text is not a time, or the time is 0.
import Decimal from 'decimal.js';

/** The seconds of each unit by its first letter, because `h`, `hour` and `hours` mean the same. */
const SECONDS_BY_UNIT: Record<string, number> = { d: 86_400, h: 3_600, m: 60, s: 1 };
const MAX_TEXT = 100;
/** A number may have many decimals, because old releases of Kiri:Moto write all digits of a float. */
const PART = /(\d{1,9}(?:[.,]\d{1,20})?)\s*(days?|d|hours?|hrs?|h|minutes?|mins?|m|seconds?|secs?|s)(?![a-z])/gi;

/** Reads texts such as `1d 2h 3m 4s`, `1 hours 3 minutes`, `40m:36s` and `332.83 minutes`. */
export function parseDuration(text: string): number | null {
  if (text.length > MAX_TEXT) return null;
  if (text.replace(PART, '').replace(/[\s:,]/g, '') !== '') return null;
  const parts = [...text.matchAll(PART)].map(([, count = '', unit = '']) =>
    new Decimal(count.replace(',', '.')).times(SECONDS_BY_UNIT[unit.charAt(0).toLowerCase()] ?? 0),
  );
  return toWholeSeconds(Decimal.sum(0, ...parts));
}

/** Reads a number of seconds without a unit, or a duration with units. */
export function parseSeconds(text: string): number | null {
  return /^\d{1,9}(\.\d{1,9})?$/.test(text) ? toWholeSeconds(new Decimal(text)) : parseDuration(text);
}

function toWholeSeconds(seconds: Decimal): number | null {
  const whole = seconds.round();
  return whole.isZero() || whole.gt(2 ** 31 - 1) ? null : whole.toNumber();
}
