// Reads amounts as slicers write them: decimals with a point or a comma, lists, and lengths with a unit. It never uses binary floats.
import Decimal from 'decimal.js';
import type { AmountsBySlot } from './used-slots';

const NUMBER = /^\d{1,18}(?:\.\d{0,28})?$/;
/** The end of the pattern excludes volumes: mm3, mm^3 and mm³. */
const LENGTH = /(?<![\w.,])(\d{1,18}(?:[.,]\d{1,28})?)\s*(mm|m)(?![\w^³])/g;

/** The shortest text of the number; `null` if the text is not a number, such as a template that the slicer did not fill in. */
export function parseAmount(text: string): string | null {
  const plain = text.trim().replace(/^\./, '0.').replace(',', '.');
  return NUMBER.test(plain) ? new Decimal(plain).toFixed() : null;
}

/** Reads a list of amounts without units; `null` if no amount is above 0. */
export function parseAmounts(text: string): AmountsBySlot | null {
  return nullIfUnused(splitEntries(text.trim()).map(parseAmount));
}

/** Reads a list of lengths with units into millimetres; `null` if no length is above 0. */
export function parseLengths(text: string): AmountsBySlot | null {
  return nullIfUnused(
    [...text.matchAll(LENGTH)].map(([, digits = '', unit]) => toMillimetres(digits, unit === 'm' ? 3 : 0)),
  );
}

/** The millimetres as a text. Shifting the decimal point is exact; a multiplication would be rounded to 20 digits. */
export function toMillimetres(digits: string, shift: 0 | 3): string | null {
  const plain = parseAmount(digits);
  return plain === null ? null : new Decimal(`${plain}e${shift}`).toFixed();
}

export function parseSlotNumbers(text: string): number[] | null {
  return /^[1-9]\d{0,2}(,\s*[1-9]\d{0,2})*$/.test(text) ? text.split(',').map(Number) : null;
}

/** Splits a list. A single comma without a space or a point is a decimal comma, because slicers write the entries of lists with decimals. */
function splitEntries(text: string): string[] {
  if (text.includes(';')) return text.split(';');
  if (/,\s/.test(text)) return text.split(/,\s+/);
  return text.includes('.') || text.indexOf(',') !== text.lastIndexOf(',') ? text.split(',') : [text];
}

function nullIfUnused(amounts: AmountsBySlot): AmountsBySlot | null {
  return amounts.some((amount) => amount !== null && amount !== '0') ? amounts : null;
}
