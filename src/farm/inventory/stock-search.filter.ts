// Builds the search of spools and filaments: by number, by a label of Spoolman, by the UID of a tag, or by a part of a text.
import { containsText, sql } from '../../database/sql';
import { Prisma } from '../../generated/prisma/client';
import { normalizeTagUid } from '../../values/tag-uid';
import { MAX_KEY_LENGTH, textUpTo } from '../../values/text';
import { findSearchedNumber } from './inventory.texts';
import { readSpoolmanLabel, type SpoolmanLabel } from './spoolman-label';

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

/** The tables of what labels of Spoolman name, and the columns of external_objects that refer to them. */
const LABELLED = {
  SPOOL: { alias: 's', table: sql('spools'), link: sql('spool_id') },
  FILAMENT: { alias: 'f', table: sql('filaments'), link: sql('filament_id') },
};

/** The number of the object that was imported with the id; of several sources, the object that was registered last. Otherwise the id. */
export const selectNumberOfLabel = ({ kind, id }: SpoolmanLabel) => Prisma.sql`coalesce((
  select o.number from external_objects e join ${LABELLED[kind].table} o on o.id = e.${LABELLED[kind].link}
  where e.kind = ${kind} and e.external_id = ${id}::int order by e.registered desc, e.source limit 1
), ${id}::int)`;

/** The condition for a spool `s` with its material `m` and its filament `f`, or for a filament `f` with its material `m`. */
export function matchSearch(alias: keyof typeof TEXTS, search: string | null): Prisma.Sql[] {
  if (search === null) return [];
  const label = readSpoolmanLabel(search);
  if (label !== null) {
    if (LABELLED[label.kind].alias !== alias) return [sql('false')];
    return [Prisma.sql`${sql(`${alias}.number`)} = ${selectNumberOfLabel(label)}`];
  }
  const hasNumber = (digits: string) => Prisma.sql`${sql(`${alias}.number`)} = ${digits}::numeric`;
  const onlyNumber = findSearchedNumber(search);
  if (onlyNumber !== undefined) return [hasNumber(onlyNumber)];
  const matches = [containsText(TEXTS[alias], search)];
  if (DIGITS.test(search)) matches.push(hasNumber(search));
  const uid = alias === 's' ? normalizeTagUid(search) : null;
  if (uid !== null) matches.push(Prisma.sql`s.id = (select t.spool_id from spool_tags t where t.uid = ${uid})`);
  return [Prisma.sql`(${Prisma.join(matches, ' or ')})`];
}
