// JSON from the wire, with every digit of its numbers.
import { isUtf8 } from 'node:buffer';
import Decimal from 'decimal.js';
import { LosslessNumber, parse } from 'lossless-json';
import { BadInput } from '../errors';

// A number of up to 15 digits without an exponent survives a binary float; only a text with more is read the slow way.
const MAY_LOSE_DIGITS = /[\d.]{16}|\d[eE]/;

export function parseJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new BadInput('The body is not JSON: it is not UTF-8');
  const text = bytes.toString();
  try {
    return MAY_LOSE_DIGITS.test(text)
      ? parse(text, null, { parseNumber: exactNumber, onDuplicateKey: ({ newValue }) => newValue })
      : JSON.parse(text);
  } catch (error) {
    throw new BadInput(`The body is not JSON: ${(error as Error).message}`);
  }
}

/** A plain number where that is the same number; otherwise the digits themselves. */
function exactNumber(text: string): number | LosslessNumber {
  const value = Number(text);
  return Number.isFinite(value) && new Decimal(text).eq(String(value)) ? value : new LosslessNumber(text);
}
