// Reads the filters of a list into conditions. A filter that the gateway does not know is refused: without it the client would take the whole
// list for the answer to its question.
import { sql } from '../../database/sql';
import { BadInput } from '../../errors';
import { readTagUid } from '../../farm/inventory/tag.service';
import { Prisma } from '../../generated/prisma/client';
import { FILTERS, type Kind } from './members.filter';
import { readFlag } from './query';
import { matchIds, matchTexts, matchTimes } from './text.filter';

/** An own field that a filter names. */
interface NamedField {
  kind: Kind;
  key: string;
}

export interface ListFilter {
  conditions: Prisma.Sql[];
  /** Each must be defined. */
  fields: NamedField[];
}

export function readFilter(kind: Kind, query: ReadonlyMap<string, string>): ListFilter {
  const { texts, ids, times, extra } = FILTERS[kind];
  const filter: ListFilter = { conditions: [], fields: [] };
  for (const [name, value] of query) {
    if (Object.hasOwn(texts, name)) filter.conditions.push(matchTexts([texts[name] as string], value));
    else if (Object.hasOwn(ids, name)) filter.conditions.push(matchIds(ids[name] as (typeof ids)[string], value, name));
    else if (Object.hasOwn(times, name)) filter.conditions.push(matchTimes(times[name] as string, value, name));
    else if (name === 'tag' && kind !== 'vendor') filter.conditions.push(matchTag(kind, value));
    else if (name === 'color_hex' && kind !== 'vendor')
      throw new BadInput('The filter color_hex is not offered. Filter by material or vendor instead');
    else if (name.includes('.')) {
      const prefix = Object.keys(extra).find((one) => name.startsWith(one) && !name.slice(one.length).includes('.'));
      if (prefix === undefined) throw new BadInput(`The filter ${name} is unknown. Leave it out`);
      const { column, kind: owner } = extra[prefix] as (typeof extra)[string];
      const key = name.slice(prefix.length);
      filter.fields.push({ kind: owner, key });
      if (/^[a-z0-9_]{1,64}$/.test(key)) filter.conditions.push(matchTexts(formsOf(column, key), value));
    }
  }
  return filter;
}

/** Archived spools are in the list only if the query asks for them. */
export function isListed(kind: Kind, query: ReadonlyMap<string, string>): Prisma.Sql[] {
  if (kind === 'vendor') return [];
  if (kind === 'filament') return [sql('f.archived_at is null')];
  const asked = query.get('allow_archived');
  return asked !== undefined && readFlag(asked, 'allow_archived') ? [] : [sql('s.archived_at is null')];
}

function matchTag(kind: Kind, value: string): Prisma.Sql {
  const uid = readTagUid(value, 'tag');
  if (kind === 'filament') return sql('false');
  return Prisma.sql`s.id = (select t.spool_id from spool_tags t where t.uid = ${uid}::text)`;
}

/** The value of an own field as its JSON, and the text in it. The key has only letters, digits and underscores. */
function formsOf(column: string, key: string): string[] {
  const json = `(${column}->>'${key}')`;
  return [json, `(case when ${json} like '"%' then ${json}::jsonb #>> '{}' end)`];
}
