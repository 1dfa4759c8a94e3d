// Makes the parts of SQL that several stores need: conditions, lists as parameters, the clock, and the limit of waits for locks.
import { Prisma } from '../generated/prisma/client';
import { CLOCKS_DIFFER_MS } from '../values/instant';
import { wholeMs } from '../values/timers';

/** Makes SQL of a text. The text must come from this program, never from a client. */
export const sql = (text: string) => Prisma.raw(text);

export const joinConditions = (conditions: Prisma.Sql[]) =>
  conditions.length === 0 ? Prisma.sql`true` : Prisma.join(conditions, ' and ');

/**
 * A list as a parameter. It is in a subquery, which hides its length from the planner: knowing the length, PostgreSQL would plan
 * the statement again each time (W4 at 16 and 64: 0.1 of the 0.3 ms for 10 jobs).
 */
export const arrayParameter = (values: readonly (string | number | null)[], type: string) =>
  Prisma.sql`(select ${values as string[]}::${sql(type)}[])`;

/**
 * The condition that a column has one of the values. For a single value it is an equality, because PostgreSQL keeps the plan of
 * an equality: planning took half of the 0.36 ms for a single job (W4 for one client).
 */
export const matchesOneOf = (column: string, values: readonly string[], type: string) =>
  values.length === 1
    ? Prisma.sql`${sql(column)} = ${values[0]}::${sql(type)}`
    : Prisma.sql`${sql(column)} = any(${arrayParameter(values, type)}::${sql(type)}[])`;

/**
 * The condition that one of the columns contains the text. It ignores upper and lower case and the normalisation form of
 * Unicode, and the text has no wildcards.
 */
export function containsText(columns: readonly string[], text: string): Prisma.Sql {
  const pattern = `%${text.normalize().replace(/[\\%_]/g, '\\$&')}%`;
  return Prisma.sql`(${Prisma.join(
    columns.map((column) => Prisma.sql`matches_in_any_case(${sql(column)}, ${pattern}::text)`),
    ' or ',
  )})`;
}

const CLOCKS_DIFFER = `interval '${CLOCKS_DIFFER_MS} milliseconds'`;

/**
 * The rule of discardFutureTime (values/instant.ts) in SQL: the time in a column, or null if the clock that wrote it was wrong.
 * @param now CLOCK, or the time of the request
 */
export const withoutFutureTime = (column: string, now: Prisma.Sql) =>
  Prisma.sql`(case when ${sql(`${column} - ${CLOCKS_DIFFER}`)} <= ${now} then least(${sql(column)}, ${now}) end)`;

/** The clock of the database, which all processes of a farm share. */
export const CLOCK = sql('clock_timestamp()');

/**
 * A common table expression `wait`. Once the statement has read it, the transaction waits for each lock at most so many
 * milliseconds; with 0 it waits as long as the statement may take. The part of the statement that locks rows must have the
 * condition AFTER_WAIT.
 */
export const lockWait = (ms: number) =>
  Prisma.sql`wait (ms) as materialized (select set_config('lock_timeout', ${`${ms === 0 ? 0 : wholeMs(ms)}ms`}, true))`;

/** Always true. A derived table with this condition is read after `wait`, so the limit is set before rows of the table are locked. */
export const AFTER_WAIT = sql('wait.ms is not null');
