// Decides the orders of lists of jobs: the SQL of each order, and its cursors.
import type { RowShape } from '../../database/rows';
import { sql } from '../../database/sql';
import { BadInput } from '../../errors';
import { Prisma } from '../../generated/prisma/client';
import { parseGuid } from '../../values/guid';
import { parseInstant } from '../../values/instant';
import { defineCursors } from '../../values/page';
import { snake } from '../../values/spelling';
import { parseText } from '../../values/text';
import { RECORDED_SHARE } from './print-job.recording.rows';
import { JOB_ROW, type JobRow } from './print-job.rows';
import { JOB_STATUSES } from './print-job.status';
import type { PrintJobOrder } from './print-job.types';

/** An order of jobs `j`. */
export interface Order {
  sql: Prisma.Sql;
  /** Whether an index has the order. Other orders read all jobs of the list, so they cost as much as a search. */
  isIndexed: boolean;
  /** The same order, written as in the indexes for the jobs of one printer, spool, status or source. */
  sqlForOneOwner: Prisma.Sql;
  /** Selects a job with the values that its cursor needs. */
  shape: Pick<RowShape<JobRow>, 'json' | 'read'>;
  cursorOf(row: JobRow): string;
  /** The conditions of the ranges of the list that together have the jobs after a cursor. */
  createConditionsAfter(after: string): Prisma.Sql[][];
}

/** The order of a list if the request gives none. */
export const DEFAULT_ORDER: PrintJobOrder = 'CREATED_AT_DESC';

type Direction = 'asc' | 'desc';

const BEYOND = { asc: sql('>'), desc: sql('<') };

/** A column with times and the id, in one direction. An index has each of these orders. */
function createTimeOrder(
  list: string,
  member: 'createdAt' | 'completedAt',
  direction: Direction,
  [orderBy, orderByForOneOwner]: [string, string],
): Order {
  const column = sql(`j.${snake(member)}`);
  const beyond = BEYOND[direction];
  const mayBeMissing = member === 'completedAt';
  const parseTime = (value: unknown) => (mayBeMissing && value === '' ? '' : parseInstant(value, 'after'));
  const cursors = defineCursors(list, parseTime, parseGuid);
  return {
    sql: sql(orderBy),
    isIndexed: true,
    sqlForOneOwner: sql(orderByForOneOwner),
    shape: JOB_ROW,
    cursorOf: (row) => cursors.to(row[member] ?? '', row.id),
    // Jobs without the time come last, in a separate range of the index.
    createConditionsAfter(after) {
      const [instant, id] = cursors.keyOf(after);
      if (instant === '') return [[Prisma.sql`${column} is null`, Prisma.sql`j.id ${beyond} ${id}::uuid`]];
      const timed = [Prisma.sql`(${column}, j.id) ${beyond} (${instant}::timestamptz, ${id}::uuid)`];
      return mayBeMissing ? [timed, [Prisma.sql`${column} is null`]] : [timed];
    },
  };
}

/** A value of a job `j` that no index has. It is never null. */
interface Rank {
  sql: string;
  type: 'bigint' | 'text';
}

/** A job with its rank, which only the cursor needs. */
type RankedJob = JobRow & { rank?: string };

const RANK_READERS: Record<Rank['type'], (value: unknown, member: string) => string> = {
  text: parseText,
  bigint(value, member) {
    if (typeof value !== 'string' || !/^-?\d{1,9}$/.test(value)) throw new BadInput('must be a whole number', member);
    return value;
  },
};

/** Jobs by a rank that is calculated for all jobs of the list; equal jobs are newest first. */
function createRankOrder(list: string, rank: Rank, direction: Direction): Order {
  const value = sql(rank.sql);
  const cursors = defineCursors(list, RANK_READERS[rank.type], parseInstant, parseGuid);
  const orderBy = sql(`${rank.sql} ${direction}, j.created_at desc, j.id desc`);
  return {
    sql: orderBy,
    isIndexed: false,
    sqlForOneOwner: orderBy,
    shape: {
      json: Prisma.sql`json_build_array((${value})::text, ${JOB_ROW.json})`,
      read: ([key, cells]): RankedJob => ({ ...JOB_ROW.read(cells as unknown[]), rank: key as string }),
    },
    cursorOf: (row: RankedJob) => cursors.to(row.rank ?? '', row.createdAt, row.id),
    createConditionsAfter(after) {
      const [key, createdAt, id] = cursors.keyOf(after);
      const last = Prisma.sql`${key}::${sql(rank.type)}`;
      const isAfter = Prisma.sql`(${value} ${BEYOND[direction]} ${last} or (${value} = ${last}
        and (j.created_at, j.id) < (${createdAt}::timestamptz, ${id}::uuid)))`;
      return [[isAfter]];
    },
  };
}

const rankByText = (text: string): Rank => ({ sql: `coalesce(lower((${text}) collate "C"), '')`, type: 'text' });

const STATUS_RANK: Rank = {
  sql: `coalesce(array_position(array[${JOB_STATUSES.map((status) => `'${status}'`).join(', ')}], j.status), 0)::bigint`,
  type: 'bigint',
};
const PRINTER_RANK = rankByText('select p.name from printers p where p.id = j.printer_id');
const SPOOL_RANK = rankByText('select s.spool_serial from spools s where s.id = j.spool_id');
/** @param missing the rank of a job without a final recording */
const rankByRecording = (missing: number): Rank => ({
  sql: `coalesce(${RECORDED_SHARE}, ${missing})::bigint`,
  type: 'bigint',
});

export const ORDERS: Record<PrintJobOrder, Order> = {
  CREATED_AT_DESC: createTimeOrder('printJobs', 'createdAt', 'desc', [
    'j.created_at desc, j.id desc',
    'j.created_at desc nulls last, j.id desc nulls last',
  ]),
  CREATED_AT_ASC: createTimeOrder('printJobs CREATED_AT_ASC', 'createdAt', 'asc', [
    'j.created_at, j.id',
    'j.created_at nulls first, j.id nulls first',
  ]),
  COMPLETED_AT_DESC: createTimeOrder('printJobs COMPLETED_AT_DESC', 'completedAt', 'desc', [
    'j.completed_at desc nulls last, j.id desc',
    'j.completed_at desc nulls last, j.id desc',
  ]),
  STATUS_ASC: createRankOrder('printJobs STATUS_ASC', STATUS_RANK, 'asc'),
  STATUS_DESC: createRankOrder('printJobs STATUS_DESC', STATUS_RANK, 'desc'),
  PRINTER_ASC: createRankOrder('printJobs PRINTER_ASC', PRINTER_RANK, 'asc'),
  PRINTER_DESC: createRankOrder('printJobs PRINTER_DESC', PRINTER_RANK, 'desc'),
  SPOOL_ASC: createRankOrder('printJobs SPOOL_ASC', SPOOL_RANK, 'asc'),
  SPOOL_DESC: createRankOrder('printJobs SPOOL_DESC', SPOOL_RANK, 'desc'),
  RECORDED_ASC: createRankOrder('printJobs RECORDED_ASC', rankByRecording(10_001), 'asc'),
  RECORDED_DESC: createRankOrder('printJobs RECORDED_DESC', rankByRecording(-1), 'desc'),
};

export const UNINDEXED_ORDERS: ReadonlySet<string> = new Set(
  Object.entries(ORDERS).flatMap(([name, { isIndexed }]) => (isIndexed ? [] : [name])),
);
