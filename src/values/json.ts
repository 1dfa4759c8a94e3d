// JSON from the wire, with every digit of its numbers.
import { isUtf8 } from 'node:buffer';
import Decimal from 'decimal.js';
import { LosslessNumber, type NumberParser, parse } from 'lossless-json';
import { BadInput } from '../errors';

// A number of up to 15 digits without an exponent, and without a zero at its end, comes through a binary float as it
// was written; only a text with another one is read the slow way. (A number follows one of these characters: without
// them every second GUID would look like one with an exponent.)
const MAY_LOSE_DIGITS = /(?:^|[:,[\s])-?(?:[\d.]{16}|[\d.]+(?:[eE]|\.\d*0(?!\d)))/;

/** For readers that take every number for a decimal: numbers that a float would respell stay texts of digits. */
export function parseExactJson(bytes: Buffer): unknown {
  return parseJson(bytes, (text) => new LosslessNumber(text));
}

/** For GraphQL, whose Int and Float want plain numbers: only what no float can hold stays a text of digits. */
export function parsePlainJson(bytes: Buffer): unknown {
  return parseJson(bytes, (text) => {
    const value = Number(text);
    return Number.isFinite(value) && new Decimal(text).eq(String(value)) ? value : new LosslessNumber(text);
  });
}

function parseJson(bytes: Buffer, parseNumber: NumberParser): unknown {
  if (!isUtf8(bytes)) throw new BadInput('The body is not JSON: it is not UTF-8');
  const text = bytes.toString();
  try {
    return MAY_LOSE_DIGITS.test(text)
      ? parse(text, null, { parseNumber, onDuplicateKey: ({ newValue }) => newValue })
      : JSON.parse(text);
  } catch (error) {
    throw new BadInput(`The body is not JSON: ${(error as Error).message}`);
  }
}
