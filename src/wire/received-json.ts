// The JSON of machines, with all digits of its numbers. Some programs write numbers that JSON does not have.
import { parseExactJson } from '../values/json';
import { Failure } from './faults';

/** Each text as a whole, so that the words in it stay; a text without an end is one too. */
const TEXT_OR_NOT_A_NUMBER = /"[^"\\]*(?:\\[\s\S][^"\\]*)*(?:"|\\?$)|-?\b(?:NaN|Infinity)\b/g;

/** Python's json writes NaN, Infinity and -Infinity for a temperature that is not known: they are read as null. */
export function parseMachineJson(bytes: Buffer): unknown {
  try {
    return parseExactJson(bytes.includes('NaN') || bytes.includes('Infinity') ? withNulls(bytes) : bytes);
  } catch {
    throw new Failure('PROTOCOL_ERROR');
  }
}

/** A byte is a character here: what is not ASCII stays as it is. */
function withNulls(bytes: Buffer): Buffer {
  const text = bytes.toString('latin1').replace(TEXT_OR_NOT_A_NUMBER, (found) => (found[0] === '"' ? found : 'null'));
  return Buffer.from(text, 'latin1');
}
