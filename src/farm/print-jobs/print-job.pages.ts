// The SQL of lists of print jobs: their orders, and the rows of a page.
import { limitOf } from '../../database/pages';
import { allOf, sql } from '../../database/sql';
import { Prisma } from '../../generated/prisma/client';
import { parseGuid } from '../../values/guid';
import { parseInstant } from '../../values/instant';
import { type Cursors, cursorsOf, type PageRange } from '../../values/page';
import { snake } from '../../values/spelling';
import type { PrintJobFilter } from './print-job.inputs';
import { JOB_ROW, type JobRow } from './print-job.rows';
import type { PrintJobOrder } from './print-job.types';

/** An order of jobs: a column, then the id, in one direction. */
interface Order {
  time: 'createdAt' | 'completedAt';
  sql: Prisma.Sql;
  /** The same order for the jobs of one printer, spool, status or source: the index of that column has it. */
  ofOne: Prisma.Sql;
  cursors: Cursors;
  beyond: Prisma.Sql;
}

export const ORDERS: Record<PrintJobOrder, Order> = {
  CREATED_AT_DESC: {
    time: 'createdAt',
    sql: sql('j.created_at desc, j.id desc'),
    ofOne: sql('j.created_at desc nulls last, j.id desc nulls last'),
    cursors: cursorsOf('printJobs', parseInstant, parseGuid),
    beyond: sql('<'),
  },
  CREATED_AT_ASC: {
    time: 'createdAt',
    sql: sql('j.created_at, j.id'),
    ofOne: sql('j.created_at nulls first, j.id nulls first'),
    cursors: cursorsOf('printJobs CREATED_AT_ASC', parseInstant, parseGuid),
    beyond: sql('>'),
  },
  COMPLETED_AT_DESC: {
    time: 'completedAt',
    sql: sql('j.completed_at desc nulls last, j.id desc'),
    ofOne: sql('j.completed_at desc nulls last, j.id desc'),
    cursors: cursorsOf(
      'printJobs COMPLETED_AT_DESC',
      (value) => (value === '' ? '' : parseInstant(value, 'after')),
      parseGuid,
    ),
    beyond: sql('<'),
  },
};

/**
 * One page in order. The inner select walks the index alone; only the rows of the page are fetched and linked.
 * @param lists the conditions of each list that the page is taken from
 */
export function rowsOf(lists: Prisma.Sql[][], range: PageRange, order: Order, isOfOne: boolean): Prisma.Sql {
  const by = isOfOne ? order.ofOne : order.sql;
  const walk = (conditions: Prisma.Sql[], { first, offset }: Pick<PageRange, 'first' | 'offset'>) => Prisma.sql`
    select j.* from print_jobs j where ${allOf(conditions)} order by ${by} ${limitOf({ first, offset })}`;
  const begins = range.after === null ? [[]] : walksAfter(range.after, order);
  const walks = lists.flatMap((conditions) => begins.map((after) => [...conditions, ...after]));
  // The offset counts the rows of all walks, so it is applied after they are joined.
  const upTo = { first: range.first === undefined ? undefined : range.first + range.offset, offset: 0 };
  const jobs =
    walks.length === 1
      ? walk(walks[0] as Prisma.Sql[], range)
      : Prisma.sql`
        select j.* from (${Prisma.join(
          walks.map((conditions) => Prisma.sql`(${walk(conditions, upTo)})`),
          ' union all ',
        )}) j order by ${by} ${limitOf(range)}`;
  return Prisma.sql`select ${JOB_ROW.json} as row from (${jobs}) j order by ${by}`;
}

/** Whether an index of a printer, spool, status or source has the jobs in order. */
export function isOfOne({ printerId, spoolId, ownSpoolId, status, dataSource }: PrintJobFilter): boolean {
  return printerId != null || spoolId != null || ownSpoolId != null || dataSource != null || status?.length === 1;
}

/** The conditions of the jobs after a cursor. Jobs without the time come last, in a part of their own of the index. */
function walksAfter(after: string, { time, cursors, beyond }: Order): Prisma.Sql[][] {
  const [instant, id] = cursors.keyOf(after);
  const column = sql(`j.${snake(time)}`);
  if (instant === '') return [[Prisma.sql`${column} is null`, Prisma.sql`j.id ${beyond} ${id}::uuid`]];
  const timed = [Prisma.sql`(${column}, j.id) ${beyond} (${instant}::timestamptz, ${id}::uuid)`];
  return time === 'createdAt' ? [timed] : [timed, [Prisma.sql`${column} is null`]];
}

export const cursorIn =
  ({ time, cursors }: Order) =>
  (row: JobRow): string =>
    cursors.to(row[time] ?? '', row.id);
