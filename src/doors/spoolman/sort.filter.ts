// Reads the parameter `sort` into the order of a list.
import { sql } from '../../database/sql';
import { BadInput } from '../../errors';
import { Prisma } from '../../generated/prisma/client';
import { type Kind, SORTED_BY } from './members.filter';

/** Equal objects are in the order of their ids, and objects without a value come last. */
export function readSort(kind: Kind, text: string | undefined): Prisma.Sql {
  const keys = (text ?? '') === '' ? [] : (text as string).split(',').flatMap((part) => readKey(kind, part.trim()));
  return Prisma.join([...keys, sql(`${SORTED_BY[kind]['id']}`)]);
}

function readKey(kind: Kind, part: string): Prisma.Sql[] {
  const [, name = '', direction] = /^([^:]*):(asc|desc)$/i.exec(part) ?? [];
  const expressions = Object.hasOwn(SORTED_BY[kind], name) ? SORTED_BY[kind][name] : undefined;
  if (direction === undefined)
    throw new BadInput('must be FIELD:asc or FIELD:desc, or several of these with commas', 'sort');
  if (expressions === undefined) throw new BadInput(`must not have the unknown field ${name}`, 'sort');
  return [expressions].flat().map((expression) => sql(`${expression} ${direction} nulls last`));
}
