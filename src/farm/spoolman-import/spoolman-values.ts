// Reads the values of a Spoolman's objects: numbers, times, texts, colours and own fields. A fault names the member and never the value.

import { describeUnstorable, tidyText } from '../../values/text';
import { MAX_COLORS } from '../inventory/filament.colors';
import { MAX_TEMPERATURE_C } from '../inventory/inventory.members';
import { decimalOf, isAbove, parsePlainTime } from './spoolman-numbers';

/** Why an object cannot be imported, as a sentence. */
export class Fault extends Error {}

const MAX_AMOUNT = '1000000000';
const MAX_ID = 2_147_483_647;

export const isMissing = (value: unknown): value is null | undefined | '' => value == null || value === '';

/** A decimal without zeros at its end; null if it is missing. */
export function readAmount(value: unknown, member: string): string | null {
  if (isMissing(value)) return null;
  const decimal = decimalOf(value);
  if (decimal === null || isAbove(decimal, MAX_AMOUNT))
    throw new Fault(`${member} is not a number from 0 to 1,000,000,000.`);
  return decimal;
}

export function readPositive(value: unknown, member: string): string {
  const decimal = isMissing(value) ? null : decimalOf(value);
  if (decimal === null || decimal === '0' || isAbove(decimal, MAX_AMOUNT))
    throw new Fault(`${member} is not a number above 0.`);
  return decimal;
}

/** An id of Spoolman; null if it is none. */
export function readId(value: unknown): number | null {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || !/^[1-9]\d{0,9}$/.test(text)) return null;
  return Number(text) <= MAX_ID ? Number(text) : null;
}

export function readTemperature(value: unknown, member: string): number | null {
  if (isMissing(value)) return null;
  const decimal = decimalOf(value);
  const degrees = Math.round(Number(decimal ?? Number.NaN));
  if (!(degrees <= MAX_TEMPERATURE_C)) throw new Fault(`${member} is not a number from 0 to ${MAX_TEMPERATURE_C}.`);
  return degrees;
}

export function readTime(value: unknown, member: string): string | null {
  if (isMissing(value)) return null;
  const instant = parsePlainTime(value);
  if (instant === null) throw new Fault(`${member} is not a time.`);
  return instant;
}

export function readRegistered(value: unknown): string {
  const instant = readTime(value, 'registered');
  if (instant === null) throw new Fault('registered is missing.');
  return instant;
}

/** A text as it is; null if it is missing or blank. */
export function readText(value: unknown, member: string, length: number): string | null {
  if (isMissing(value)) return null;
  if (typeof value !== 'string') throw new Fault(`${member} is not a text.`);
  if (describeUnstorable(value) !== undefined) throw new Fault(`${member} holds a sign that cannot be stored.`);
  const text = value.trim() === '' ? null : value;
  if (text !== null && text.length > length) throw new Fault(`${member} is longer than ${length} characters.`);
  return text;
}

/** A name without white space at its ends; null if it is missing or blank. */
export function readTidy(value: unknown, member: string, length: number): string | null {
  if (typeof value !== 'string') return readText(value, member, length);
  return readText(tidyText(value), member, length);
}

export function readBoolean(value: unknown): boolean {
  if (typeof value === 'string') return /^(true|1|yes|on)$/i.test(value.trim());
  return value === true || value === 1;
}

const COLOR = /^#?([0-9a-f]{6})([0-9a-f]{2})?$/i;

export interface ReadColors {
  colorHex: string | null;
  colorHexes: string[];
  colorArrangement: 'COAXIAL' | 'LONGITUDINAL' | null;
}

/** @param note is called with a sentence about what is lost */
export function readColors(raw: Record<string, unknown>, note: (sentence: string) => void): ReadColors {
  const read = (text: string) => {
    const [, color, alpha] = COLOR.exec(text.trim()) ?? [];
    return color === undefined ? null : { color: `#${color.toUpperCase()}`, alpha: alpha?.toUpperCase() };
  };
  const several = isMissing(raw['multi_color_hexes']) ? [] : String(raw['multi_color_hexes']).split(',').map(read);
  const colors = several.flatMap((color) => color ?? []);
  if (colors.length < several.length || colors.length > MAX_COLORS) {
    note('Its colours are left out, because they are no list of up to 16 colours.');
  } else if (colors.length > 1) {
    const isLongitudinal = String(raw['multi_color_direction']).toLowerCase() === 'longitudinal';
    return {
      colorHex: colors[0]?.color ?? null,
      colorHexes: colors.map(({ color, alpha = '' }) => color + alpha),
      colorArrangement: isLongitudinal ? 'LONGITUDINAL' : 'COAXIAL',
    };
  }
  const one = isMissing(raw['color_hex']) ? colors[0] : read(String(raw['color_hex']));
  if (one === null) note('Its colour is left out, because it is no colour.');
  else if (one?.alpha !== undefined && one.alpha !== 'FF') note('The transparency of its colour is lost.');
  return { colorHex: one?.color ?? null, colorHexes: [], colorArrangement: null };
}

/** The values of own fields by their keys: each is a text of JSON. */
export function readExtra(value: unknown): Record<string, string> {
  if (isMissing(value)) return {};
  if (typeof value !== 'object' || Array.isArray(value)) throw new Fault('extra is not an object.');
  const extra: Record<string, string> = {};
  for (const [key, text] of Object.entries(value)) {
    if (isMissing(text)) continue;
    if (typeof text !== 'string' || !isJson(text)) throw new Fault('A value in extra is not a text of JSON.');
    if (describeUnstorable(text) !== undefined || describeUnstorable(key) !== undefined)
      throw new Fault('extra holds a sign that cannot be stored.');
    extra[key] = text;
  }
  return extra;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
