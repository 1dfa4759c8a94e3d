// Reads amounts as slicers write them: decimals with a point or a comma, lists, and lengths with a unit. No binary floats.
import Decimal from 'decimal.js';
import type { AmountsBySlot } from './used-slots';

const NUMBER = /^\d{1,18}(?:\.\d{0,28})?$/;
/** Not mm3, mm^3 or mm³: a volume is not a length. */
const LENGTH = /(?<![\w.,])(\d{1,18}(?:[.,]\d{1,28})?)\s*(mm|m)(?![\w^³])/g;

/** The shortest text of the number; null where the text is none, such as a template that was not filled in. */
export function parseAmount(text: string): string | null {
  const plain = text.trim().replace(/^\./, '0.').replace(',', '.');
  return NUMBER.test(plain) ? new Decimal(plain).toFixed() : null;
}

/** A list of amounts without units; null where none is above 0. */
export function parseAmounts(text: string): AmountsBySlot | null {
  return anyOf(entriesOf(text.trim()).map(parseAmount));
}

/** A list of lengths with their units, in millimetres; null where none is above 0. */
export function parseLengths(text: string): AmountsBySlot | null {
  return anyOf([...text.matchAll(LENGTH)].map(([, digits = '', unit]) => millimetres(digits, unit === 'm' ? 3 : 0)));
}

/** A shift of the point is exact; a product would be rounded to 20 digits. */
export function millimetres(digits: string, shift: 0 | 3): string | null {
  const plain = parseAmount(digits);
  return plain === null ? null : new Decimal(`${plain}e${shift}`).toFixed();
}

export function slotNumbersOf(text: string): number[] | null {
  return /^[1-9]\d{0,2}(,\s*[1-9]\d{0,2})*$/.test(text) ? text.split(',').map(Number) : null;
}

/** A single comma without a space or a point is a decimal comma: slicers write the entries of lists with decimals. */
function entriesOf(text: string): string[] {
  if (text.includes(';')) return text.split(';');
  if (/,\s/.test(text)) return text.split(/,\s+/);
  return text.includes('.') || text.indexOf(',') !== text.lastIndexOf(',') ? text.split(',') : [text];
}

function anyOf(amounts: AmountsBySlot): AmountsBySlot | null {
  return amounts.some((amount) => amount !== null && amount !== '0') ? amounts : null;
}
