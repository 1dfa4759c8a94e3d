// Makes the conditions of filters by texts, ids and times.
import { arrayParameter, containsText, sql } from '../../database/sql';
import { BadInput } from '../../errors';
import { Prisma } from '../../generated/prisma/client';
import { readIds, readTime, splitTexts } from './query';

const anyOf = (conditions: Prisma.Sql[]) => Prisma.sql`(${Prisma.join(conditions, ' or ')})`;

/** @param columns the value; several of them are other forms of the same value */
export function matchTexts(columns: readonly string[], list: string): Prisma.Sql {
  return anyOf(
    splitTexts(list).map(({ text, isWhole }) => {
      if (text === '') return sql(`coalesce(${columns[0]}, '') = ''`);
      if (!isWhole) return containsText(columns, text);
      return anyOf(columns.map((column) => Prisma.sql`${sql(column)} = ${text}::text`));
    }),
  );
}

export function matchIds(
  { column, hasNone }: { column: string; hasNone: boolean },
  list: string,
  name: string,
): Prisma.Sql {
  const ids = readIds(list, name, hasNone ? -1 : 0);
  const matches = Prisma.sql`${sql(column)} = any(${arrayParameter(ids, 'int')}::int[])`;
  return ids.includes(-1) ? Prisma.sql`(${matches} or ${sql(column)} is null)` : matches;
}

/** The API shows times to the second, so times are compared to the second. */
export function matchTimes(column: string, list: string, name: string): Prisma.Sql {
  const second = sql(`date_trunc('second', ${column})`);
  const compare = (sign: '<=' | '>=' | '=', text: string) =>
    Prisma.sql`${second} ${sql(sign)} date_trunc('second', ${readTime(text, name)}::timestamptz)`;
  return anyOf(
    list.split(',').map((part) => {
      if (part.trim() === '') return sql(`${column} is null`);
      const ends = part.split('|').map((end) => end.trim());
      if (ends.length === 1) return compare('=', part);
      const [from = '', to = ''] = ends;
      if (ends.length > 2 || (from === '' && to === ''))
        throw new BadInput('must be FROM|TO, one time or an empty text', name);
      return Prisma.sql`(${from === '' ? sql('true') : compare('>=', from)} and ${to === '' ? sql('true') : compare('<=', to)}
        and ${sql(column)} is not null)`;
    }),
  );
}
