// Reads lists of print jobs: their orders, the rows of a page, and the number of jobs.
import { limitAndOffset, readPage, readPagesByOwner } from '../../database/pages';
import type { Queryable } from '../../database/queryable';
import { joinConditions, sql } from '../../database/sql';
import { Prisma } from '../../generated/prisma/client';
import { batchedPages } from '../../sharing/batch';
import { parseGuid } from '../../values/guid';
import { parseInstant } from '../../values/instant';
import { type Cursors, defineCursors, type Page, type PageRange } from '../../values/page';
import { snake } from '../../values/spelling';
import { createLists } from './print-job.filter';
import type { JobsOf, PrintJobFilter } from './print-job.inputs';
import { MAX_COUNTED_JOBS } from './print-job.limits';
import { createRecordingCondition } from './print-job.recording.rows';
import { createUsedSpoolConditions, JOB_ROW, type JobRow } from './print-job.rows';
import type { PrintJobOrder, PrintJobRecording } from './print-job.types';

/** An order of jobs: a column, then the id, in one direction. */
interface Order {
  time: 'createdAt' | 'completedAt';
  sql: Prisma.Sql;
  /** The same order, written as in the indexes for the jobs of one printer, spool, status or source. */
  sqlForOneOwner: Prisma.Sql;
  cursors: Cursors;
  beyond: Prisma.Sql;
}

/** The order of a list if the request gives none. */
export const DEFAULT_ORDER: PrintJobOrder = 'CREATED_AT_DESC';

const ORDERS: Record<PrintJobOrder, Order> = {
  CREATED_AT_DESC: {
    time: 'createdAt',
    sql: sql('j.created_at desc, j.id desc'),
    sqlForOneOwner: sql('j.created_at desc nulls last, j.id desc nulls last'),
    cursors: defineCursors('printJobs', parseInstant, parseGuid),
    beyond: sql('<'),
  },
  CREATED_AT_ASC: {
    time: 'createdAt',
    sql: sql('j.created_at, j.id'),
    sqlForOneOwner: sql('j.created_at nulls first, j.id nulls first'),
    cursors: defineCursors('printJobs CREATED_AT_ASC', parseInstant, parseGuid),
    beyond: sql('>'),
  },
  COMPLETED_AT_DESC: {
    time: 'completedAt',
    sql: sql('j.completed_at desc nulls last, j.id desc'),
    sqlForOneOwner: sql('j.completed_at desc nulls last, j.id desc'),
    cursors: defineCursors(
      'printJobs COMPLETED_AT_DESC',
      (value) => (value === '' ? '' : parseInstant(value, 'after')),
      parseGuid,
    ),
    beyond: sql('<'),
  },
};

/**
 * One page in order. The inner select reads only the index; printers and spools are joined for the rows of the page only.
 * @param lists the conditions of each list from which the page is taken
 */
function selectPage(lists: Prisma.Sql[][], range: PageRange, order: Order, hasOneOwner: boolean): Prisma.Sql {
  const orderBy = hasOneOwner ? order.sqlForOneOwner : order.sql;
  const walk = (conditions: Prisma.Sql[], { first, offset }: Pick<PageRange, 'first' | 'offset'>) => Prisma.sql`
    select j.* from print_jobs j where ${joinConditions(conditions)} order by ${orderBy} ${limitAndOffset({ first, offset })}`;
  const startConditions = range.after === null ? [[]] : createConditionsAfter(range.after, order);
  const walks = lists.flatMap((conditions) => startConditions.map((after) => [...conditions, ...after]));
  // The offset counts the rows of all walks, so it is applied after they are joined.
  const upTo = { first: range.first === undefined ? undefined : range.first + range.offset, offset: 0 };
  const jobs =
    walks.length === 1
      ? walk(walks[0] as Prisma.Sql[], range)
      : Prisma.sql`
        select j.* from (${Prisma.join(
          walks.map((conditions) => Prisma.sql`(${walk(conditions, upTo)})`),
          ' union all ',
        )}) j order by ${orderBy} ${limitAndOffset(range)}`;
  return Prisma.sql`select ${JOB_ROW.json} as row from (${jobs}) j order by ${orderBy}`;
}

/** Whether the index of a printer, spool, status or source has the jobs in this order. */
function hasIndexedMember({ printerId, spoolId, ownSpoolId, status, dataSource }: PrintJobFilter): boolean {
  return printerId != null || spoolId != null || ownSpoolId != null || dataSource != null || status?.length === 1;
}

/** The conditions of the jobs after a cursor. Jobs without the time come last, in a separate range of the index. */
function createConditionsAfter(after: string, { time, cursors, beyond }: Order): Prisma.Sql[][] {
  const [instant, id] = cursors.keyOf(after);
  const column = sql(`j.${snake(time)}`);
  if (instant === '') return [[Prisma.sql`${column} is null`, Prisma.sql`j.id ${beyond} ${id}::uuid`]];
  const timed = [Prisma.sql`(${column}, j.id) ${beyond} (${instant}::timestamptz, ${id}::uuid)`];
  return time === 'createdAt' ? [timed] : [timed, [Prisma.sql`${column} is null`]];
}

const createCursorReader =
  ({ time, cursors }: Order) =>
  (row: JobRow): string =>
    cursors.to(row[time] ?? '', row.id);

/** The conditions of the lists that hold the jobs of an owner `k`. */
const LISTS_OF_OWNER = {
  printer: [[sql('j.printer_id = k.id')]],
  spool: createUsedSpoolConditions(sql('k.id')).map((condition) => [condition]),
};

export class PrintJobPages {
  constructor(private readonly database: Queryable) {}

  async page(
    filter: PrintJobFilter,
    order: PrintJobOrder,
    range: PageRange,
    recording: readonly PrintJobRecording[] | null = null,
  ): Promise<Page<JobRow>> {
    const lists =
      recording === null ? createLists(filter) : createLists(filter, [[createRecordingCondition(recording)]]);
    const rows = selectPage(lists, range, ORDERS[order], hasIndexedMember(filter));
    const page = { rows, total: this.selectTotal(filter, lists, recording !== null) };
    return readPage(this.database, 'printJobs.page', JOB_ROW, page, range, createCursorReader(ORDERS[order]));
  }

  /** The page of one printer's or spool's jobs. */
  readonly pageOfOwner = batchedPages<Omit<JobsOf, 'id'>, JobRow>(({ owner, filter, order, range }) => {
    const lists = createLists(filter, LISTS_OF_OWNER[owner]);
    const page = {
      rows: selectPage(lists, range, ORDERS[order], true),
      total: this.selectTotal({ ...filter, [`${owner}Id`]: '' }, lists),
    };
    return (ids) =>
      readPagesByOwner(this.database, 'printJobs.pageOf', JOB_ROW, ids, page, range, createCursorReader(ORDERS[order]));
  });

  async countByStatus(): Promise<Record<string, number>> {
    return this.database.json(
      'printJobs.countByStatus',
      Prisma.sql`
      select coalesce(json_object_agg(j.status, j.jobs), '{}') as value
      from (select status, sum(jobs)::bigint as jobs from print_job_counts group by status) j`,
    );
  }

  /** Merges counts with the same key into one row. If two gateways merge at the same time, each adds up only the rows that it removes. */
  foldCounts(): Promise<unknown> {
    return this.database.json(
      'printJobs.foldCounts',
      Prisma.sql`
      with removed as (
        delete from print_job_counts returning *
      ), folded as (
        insert into print_job_counts (printer_id, status, data_source, jobs)
        select printer_id, status, data_source, sum(jobs) from removed group by 1, 2, 3 having sum(jobs) <> 0
      )
      select to_json(count(*)) as value from removed`,
    );
  }

  /** How many printers have a job that is printing. */
  busyPrinters(): Promise<number> {
    return this.database.json(
      'printJobs.busyPrinters',
      Prisma.sql`
      select to_json(count(*)) as value from (
        select from print_job_counts where status = 'Printing' group by printer_id having sum(jobs) > 0
      ) p`,
    );
  }

  /** The number of jobs: added up from the stored counts if they are grouped by all members of the filter, counted otherwise. */
  private selectTotal(filter: PrintJobFilter, lists: Prisma.Sql[][], hasRecording = false): Prisma.Sql {
    const { spoolId, ownSpoolId, createdFrom, createdTo, search } = filter;
    const isBounded = hasRecording || createdFrom != null || createdTo != null || Boolean(search);
    if (spoolId == null && ownSpoolId == null && !isBounded) {
      return Prisma.sql`select coalesce(sum(j.jobs), 0)::bigint from print_job_counts j where ${joinConditions(lists[0] ?? [])}`;
    }
    return Prisma.sql`
      select count(*) from (
        ${Prisma.join(
          lists.map((conditions) => Prisma.sql`select from print_jobs j where ${joinConditions(conditions)}`),
          ' union all ',
        )} limit ${isBounded ? MAX_COUNTED_JOBS : null}::bigint
      ) found`;
  }
}
