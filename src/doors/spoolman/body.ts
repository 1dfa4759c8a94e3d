// Reads the body of a request: a JSON object whose numbers, booleans and times may have several forms.
import { BadInput } from '../../errors';
import { readAmount } from '../../values/decimal';
import { isJsonObject, parseExactJson } from '../../values/json';
import { emptyAsNull, type Reader } from '../../values/members';
import { refuseUnstorableTexts, textUpTo } from '../../values/text';
import { Unprocessable } from './errors';
import { MAX_ID } from './query';

export class Body {
  private constructor(private readonly members: Record<string, unknown>) {}

  static parse(bytes: Buffer | undefined): Body {
    const json = parseOrUndefined(bytes);
    if (!isJsonObject(json)) throw new Unprocessable('The body must be a JSON object.');
    refuseUnstorableTexts(json, 'body');
    return new Body(json);
  }

  /** The members as they were sent, for services that read them. */
  get values(): Record<string, unknown> {
    return this.members;
  }

  has(name: string): boolean {
    return Object.hasOwn(this.members, name);
  }

  /** @returns undefined for a member that is not there */
  read<Value>(name: string, reader: Reader<Value>): Value | null | undefined {
    if (!this.has(name)) return undefined;
    const value = this.members[name];
    return value === null ? null : reader(value, name);
  }

  /** Reads a member that cannot be emptied: null counts as missing. */
  readKept<Value>(name: string, reader: Reader<Value>): Value | undefined {
    return this.read(name, reader) ?? undefined;
  }
}

function parseOrUndefined(bytes: Buffer = Buffer.alloc(0)): unknown {
  try {
    return parseExactJson(bytes);
  } catch (error) {
    if (error instanceof BadInput) throw new Unprocessable(error.issues);
    throw error;
  }
}

/** Reads a number of 0 or more, which may be a text with blanks around it. */
export const readWeight: Reader<string> = (value, member) =>
  readAmount(typeof value === 'string' ? value.trim() : value, member);

export const readInteger =
  (min: number, max: number): Reader<number> =>
  (value, member) => {
    const number = Number(String(value).trim() || Number.NaN);
    if (!Number.isInteger(number) || number < min || number > max)
      throw new BadInput(`must be a whole number from ${min} to ${max}`, member);
    return number;
  };

/** The id of an object. */
export const readId = readInteger(1, MAX_ID);

/** An empty text is no value. */
export const readTextUpTo = (length: number) => {
  const read = emptyAsNull(textUpTo(length));
  return (value: unknown, member: string): string | null => read(value, member) ?? null;
};

/** The values of own fields: texts, or null to remove a value. */
export const readExtra: Reader<Record<string, string | null>> = (value, member) => {
  if (!isJsonObject(value)) throw new BadInput('must be an object of texts', member);
  for (const [key, text] of Object.entries(value))
    if (text !== null && typeof text !== 'string') throw new BadInput(`must have a text of JSON for ${key}`, member);
  return value as Record<string, string | null>;
};
