// Texts: what may not be in one at all, and how long one may be.
import { BadInput } from '../errors';

/** The longest name or key that is indexed, in UTF-16 units: four bytes each still fit PostgreSQL's 2,704-byte index rows. */
export const NAME_LENGTH = 255;

/** Far more than any input has; what writes a value as JSON calls itself for each. */
const MOST_LEVELS = 100;

/**
 * Refuses texts that PostgreSQL cannot store (NUL) or UTF-8 cannot carry (half of a surrogate pair), anywhere in a value.
 * It walks with a list of its own, because a client chooses how deep the value is.
 */
export function refuseBrokenText(value: unknown, member: string): void {
  const rest: [value: object, name: string, level: number][] = [];
  const look = (item: unknown, name: string, level: number) => {
    if (level > MOST_LEVELS) throw new BadInput(`must not be nested deeper than ${MOST_LEVELS} levels`, member);
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

/** A text that can be stored. */
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
