// Pieces of SQL for the statements of stores.
import { Prisma } from '../generated/prisma/client';
import { CLOCKS_DIFFER_MS } from '../values/instant';
import { wholeMs } from '../values/timers';

/** SQL of this program, never from a client. */
export const sql = (text: string) => Prisma.raw(text);

export const allOf = (conditions: Prisma.Sql[]) =>
  conditions.length === 0 ? Prisma.sql`true` : Prisma.join(conditions, ' and ');

/**
 * A list as a parameter, in a subquery that hides its length from the planner. With the length, PostgreSQL would plan
 * the statement again each time (W4 at 16 and 64: 0.1 of the 0.3 ms of 10 jobs).
 */
export const listOf = (values: readonly (string | number | null)[], type: string) =>
  Prisma.sql`(select ${values as string[]}::${sql(type)}[])`;

/**
 * The condition that a column has one of the values. For a single value it is an equality, whose plan PostgreSQL keeps:
 * planning was half of a single job's 0.36 ms (W4 for one client).
 */
export const isOneOf = (column: string, values: readonly string[], type: string) =>
  values.length === 1
    ? Prisma.sql`${sql(column)} = ${values[0]}::${sql(type)}`
    : Prisma.sql`${sql(column)} = any(${listOf(values, type)}::${sql(type)}[])`;

/** The condition that one of the columns contains the text; upper and lower case are the same, as are the forms of Unicode. The text has no wildcards. */
export function containing(columns: readonly string[], text: string): Prisma.Sql {
  const pattern = `%${text.normalize().replace(/[\\%_]/g, '\\$&')}%`;
  return Prisma.sql`(${Prisma.join(
    columns.map((column) => Prisma.sql`matches_in_any_case(${sql(column)}, ${pattern}::text)`),
    ' or ',
  )})`;
}

const CLOCKS_DIFFER = `interval '${CLOCKS_DIFFER_MS} milliseconds'`;

/** The rule of asEvidence (values/instant.ts) for a column: its time as far as it is evidence, else null. @param now CLOCK, or the time of a request */
export const evidence = (column: string, now: Prisma.Sql) =>
  Prisma.sql`(case when ${sql(`${column} - ${CLOCKS_DIFFER}`)} <= ${now} then least(${sql(column)}, ${now}) end)`;

/** The clock of the database, which all processes of a farm share. */
export const CLOCK = sql('clock_timestamp()');

/**
 * A common table `wait`: after it is read, the transaction waits for each lock at most so many ms; with 0, as long as the
 * statement may take. The part of the statement that locks rows must have the condition AFTER_WAIT.
 */
export const lockWait = (ms: number) =>
  Prisma.sql`wait (ms) as materialized (select set_config('lock_timeout', ${`${ms === 0 ? 0 : wholeMs(ms)}ms`}, true))`;

/** Always true. A derived table with this condition is read after `wait`, so the lock timeout is set before its rows are locked. */
export const AFTER_WAIT = sql('wait.ms is not null');
