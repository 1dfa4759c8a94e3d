// Reads lists of print jobs: the rows of a page, and the number of jobs.
import { limitAndOffset, readPage, readPagesByOwner } from '../../database/pages';
import type { Queryable } from '../../database/queryable';
import { joinConditions, sql } from '../../database/sql';
import { Prisma } from '../../generated/prisma/client';
import { batchedPages } from '../../sharing/batch';
import type { Page, PageRange } from '../../values/page';
import { createLists } from './print-job.filter';
import type { JobsOf, PrintJobFilter } from './print-job.inputs';
import { MAX_COUNTED_JOBS } from './print-job.limits';
import { ORDERS, type Order } from './print-job.order.rows';
import { createRecordingCondition } from './print-job.recording.rows';
import { createUsedSpoolConditions, type JobRow } from './print-job.rows';
import type { PrintJobOrder, PrintJobRecording } from './print-job.types';

/**
 * One page in order. The inner select reads only the index; printers and spools are joined for the rows of the page only.
 * @param lists the conditions of each list from which the page is taken
 */
function selectPage(lists: Prisma.Sql[][], range: PageRange, order: Order, hasOneOwner: boolean): Prisma.Sql {
  const orderBy = hasOneOwner ? order.sqlForOneOwner : order.sql;
  const walk = (conditions: Prisma.Sql[], { first, offset }: Pick<PageRange, 'first' | 'offset'>) => Prisma.sql`
    select j.* from print_jobs j where ${joinConditions(conditions)} order by ${orderBy} ${limitAndOffset({ first, offset })}`;
  const startConditions = range.after === null ? [[]] : order.createConditionsAfter(range.after);
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
  return Prisma.sql`select ${order.shape.json} as row from (${jobs}) j order by ${orderBy}`;
}

/** Whether the index of a printer, spool, status or source has the jobs in this order. */
function hasIndexedMember({ printerId, spoolId, ownSpoolId, status, dataSource }: PrintJobFilter): boolean {
  return printerId != null || spoolId != null || ownSpoolId != null || dataSource != null || status?.length === 1;
}

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
    const { shape, cursorOf } = ORDERS[order];
    return readPage(this.database, 'printJobs.page', shape, page, range, cursorOf);
  }

  /** The page of one printer's or spool's jobs. */
  readonly pageOfOwner = batchedPages<Omit<JobsOf, 'id'>, JobRow>(({ owner, filter, order, range }) => {
    const lists = createLists(filter, LISTS_OF_OWNER[owner]);
    const { shape, cursorOf } = ORDERS[order];
    const page = {
      rows: selectPage(lists, range, ORDERS[order], true),
      total: this.selectTotal({ ...filter, [`${owner}Id`]: '' }, lists),
    };
    return (ids) => readPagesByOwner(this.database, 'printJobs.pageOf', shape, ids, page, range, cursorOf);
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
