// Texts: forbidden characters and maximum lengths.
import { BadInput } from '../errors';

/** The longest indexed text in UTF-16 units: at four bytes each it fits into PostgreSQL's index rows of 2,704 bytes. */
export const MAX_KEY_LENGTH = 255;

/** No input of the schema has so many. JSON.stringify calls itself once for each level. */
const MAX_LEVELS = 100;

/**
 * Refuses NUL, which PostgreSQL cannot store, and half of a surrogate pair, which UTF-8 cannot carry, in any value.
 * Uses a list instead of recursion, because the client decides how deep the value is.
 */
export function refuseBrokenText(value: unknown, member: string): void {
  const rest: [value: object, name: string, level: number][] = [];
  const look = (item: unknown, name: string, level: number) => {
    if (level > MAX_LEVELS) throw new BadInput(`must not be nested deeper than ${MAX_LEVELS} levels`, member);
    if (typeof item === 'string') {
      if (item.includes('\0')) throw new BadInput('must not contain NUL characters', name);
      if (!item.isWellFormed()) throw new BadInput('must not contain half of a surrogate pair', name);
    } else if (typeof item === 'object' && item !== null) rest.push([item, name, level + 1]);
  };
  look(value, member, 0);
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const [holder, name, level] = next;
    if (Array.isArray(holder)) for (const item of holder) look(item, name, level);
    else for (const key of Object.keys(holder)) look(holder[key as never], key, level);
  }
}

/** Refuses a value that is not a text or cannot be stored. */
export function parseText(value: unknown, member: string): string {
  if (typeof value !== 'string') throw new BadInput('must be a text', member);
  refuseBrokenText(value, member);
  return value;
}

export function textUpTo(length: number, value: string, member: string): string {
  if (value.length > length) throw new BadInput(`must have at most ${length} characters`, member);
  return value;
}

export function nonEmptyText(length: number, value: string, member: string): string {
  if (value === '') throw new BadInput('must not be empty', member);
  return textUpTo(length, value, member);
}
