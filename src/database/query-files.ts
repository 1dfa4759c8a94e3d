// Reads a long statement from its `.query.sql` file beside a store. Such a file can be pasted into psql as it is.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Prisma } from '../generated/prisma/client';
import { PACKAGE_FOLDER } from './migrations';

/** A variable as psql reads it. A cast such as `::bigint` is none. */
const VARIABLE = /(?<![:\w]):([a-z_]+)/g;

/** A line with which psql gives a variable a value. The program does not read it. */
const FOR_PSQL = /^\\set .*\n/gm;

/**
 * @param path the path of the file below `src`
 * @returns makes the statement of the values of its variables: columns, shared conditions and parameters. A variable without a value is an error.
 */
export function readQuery<Name extends string>(
  path: string,
): (values: Record<Name, Prisma.Sql | number>) => Prisma.Sql {
  const text = readFileSync(join(PACKAGE_FOLDER, 'src', path), 'utf8').replaceAll('\r\n', '\n');
  // Comments go, because they may have colons, and because each statement would carry them to the database.
  const parts = text
    .replace(FOR_PSQL, '')
    .replace(/^\s*--.*\n/gm, '')
    .trim()
    .replace(/;$/, '')
    .split(VARIABLE);
  const names = parts.filter((_, index) => index % 2 === 1) as Name[];
  return (values) => {
    const missing = names.find((name) => values[name] === undefined);
    if (missing !== undefined) throw new Error(`src/${path} needs a value for its variable "${missing}"`);
    return Prisma.sql(
      parts.filter((_, index) => index % 2 === 0),
      ...names.map((name) => values[name]),
    );
  };
}
