// Builds the search of spools and filaments: by number, or by a part of a text.
import { containsText, sql } from '../../database/sql';
import { Prisma } from '../../generated/prisma/client';
import { MAX_KEY_LENGTH, textUpTo } from '../../values/text';
import { findSearchedNumber } from './inventory.texts';

/** Longer than any searched text, because the address of a label can be longer. */
const MAX_SEARCH_LENGTH = 8 * MAX_KEY_LENGTH;
const DIGITS = /^\d+$/;
/** The columns that are searched for a spool `s` and for a filament `f`; `m` is the material of both. */
const TEXTS = {
  s: ['s.spool_serial', 's.vendor', 's.place', 'm.name', 'f.name', 'f.article_number'],
  f: ['f.name', 'f.vendor', 'm.name', 'f.article_number'],
};

/** @returns null if the search is empty. White space is removed, because a scanner may add a line break. */
export function parseSearch(search: string | null | undefined): string | null {
  const text = textUpTo(MAX_SEARCH_LENGTH)(search ?? '', 'search').trim();
  return text === '' ? null : text;
}

/** The condition for a spool `s` with its material `m` and its filament `f`, or for a filament `f` with its material `m`. */
export function matchSearch(alias: keyof typeof TEXTS, search: string | null): Prisma.Sql[] {
  if (search === null) return [];
  const hasNumber = (digits: string) => Prisma.sql`${sql(`${alias}.number`)} = ${digits}::numeric`;
  const onlyNumber = findSearchedNumber(search);
  if (onlyNumber !== undefined) return [hasNumber(onlyNumber)];
  const hasPart = containsText(TEXTS[alias], search);
  return [DIGITS.test(search) ? Prisma.sql`(${hasNumber(search)} or ${hasPart})` : hasPart];
}
