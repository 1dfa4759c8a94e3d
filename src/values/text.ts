// Reads texts: refuses characters that cannot be stored, and limits the length.
import { BadInput, type Issue } from '../errors';

/** The most UTF-16 units of an indexed text. With four bytes for each, it fits into an index row of PostgreSQL, which may have 2,704 bytes. */
export const MAX_KEY_LENGTH = 255;

/** The most levels of nested objects. No input of the schema has so many, and JSON.stringify calls itself once for each level. */
const MAX_LEVELS = 100;

/** Whether a parameter of a query counts as missing because it is empty or has only spaces. */
export const isBlank = (text: string): boolean => /^ *$/.test(text);

/** Why a text cannot be stored: PostgreSQL cannot store NUL, and UTF-8 cannot represent half of a surrogate pair. Undefined if it can be. */
export function describeUnstorable(text: string): string | undefined {
  if (text.includes('\0')) return 'must not contain NUL characters';
  return text.isWellFormed() ? undefined : 'must not contain half of a surrogate pair';
}

/**
 * Finds all texts inside a value that cannot be stored. It uses a list instead of recursion, because the client decides how deep
 * the value is.
 * @param place the path of the value
 */
export function findUnstorableTexts(value: unknown, ...place: Issue['path']): Issue[] {
  if (isStorable(value, MAX_LEVELS)) return [];
  const issues: Issue[] = [];
  const pending: [value: object, path: Issue['path']][] = [];
  const visit = (item: unknown, path: Issue['path']) => {
    if (typeof item === 'string') {
      const message = describeUnstorable(item);
      if (message !== undefined) issues.push({ path, message });
    } else if (typeof item === 'object' && item !== null) pending.push([item, path]);
  };
  visit(value, place);
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [parent, path] = next;
    if (path.length >= place.length + MAX_LEVELS)
      return [{ path: place, message: `must not be nested deeper than ${MAX_LEVELS} levels` }];
    if (Array.isArray(parent)) for (const [index, item] of parent.entries()) visit(item, [...path, index]);
    else for (const key of Object.keys(parent)) visit(parent[key as never], [...path, key]);
  }
  return issues;
}

/**
 * Whether all texts can be stored. This quick check makes no paths, which take a hundred times as long: 0.3 s for 1 MB.
 * @param levels how many levels the value may have
 */
function isStorable(value: unknown, levels: number): boolean {
  if (typeof value === 'string') return describeUnstorable(value) === undefined;
  if (typeof value !== 'object' || value === null) return true;
  if (levels === 0) return false;
  if (Array.isArray(value)) return value.every((item) => isStorable(item, levels - 1));
  for (const key of Object.keys(value)) if (!isStorable(value[key as never], levels - 1)) return false;
  return true;
}

/** Refuses a value that contains texts that cannot be stored. */
export function refuseUnstorableTexts(value: unknown, ...place: Issue['path']): void {
  const issues = findUnstorableTexts(value, ...place);
  if (issues.length > 0) throw new BadInput(issues);
}

/** Refuses a value that is not a text or cannot be stored. */
export function parseText(value: unknown, member: string): string {
  if (typeof value !== 'string') throw new BadInput('must be a text', member);
  refuseUnstorableTexts(value, member);
  return value;
}

export function textUpTo(length: number): (value: unknown, member: string) => string {
  return (value, member) => {
    const text = parseText(value, member);
    if (text.length > length) throw new BadInput(`must have at most ${length} characters`, member);
    return text;
  };
}

export function nonEmptyText(length: number): (value: unknown, member: string) => string {
  const read = textUpTo(length);
  return (value, member) => {
    if (value === '') throw new BadInput('must not be empty', member);
    return read(value, member);
  };
}

/** Characters that nothing shows: soft hyphen, zero-width space, word joiner and byte order mark. */
const UNSEEN = /[\u00AD\u200B\u2060\uFEFF]/g;

/**
 * The text without white space at its ends, and with one space for each white space within it. Texts that look the same become the
 * same text: a spreadsheet or a web page may add a no-break space that nobody sees.
 */
export const tidyText = (text: string): string => text.replace(UNSEEN, '').replace(/\s+/g, ' ').trim();

/** Tidies a text before it is read. For the names that people give to objects of the inventory. */
export function tidied<Value>(read: (value: unknown, member: string) => Value) {
  return (value: unknown, member: string): Value => read(typeof value === 'string' ? tidyText(value) : value, member);
}

/** The last part of a path of any system. */
export function takeBaseName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}
