// The SQL of print jobs.

import { readById, readPage, readPagesOf } from '../../database/pages';
import type { Queryable } from '../../database/queryable';
import { assignments, columnNames, memberNames, type RowShape, recordType } from '../../database/rows';
import { AFTER_WAIT, allOf, sql } from '../../database/sql';
import { Prisma } from '../../generated/prisma/client';
import { batchedPages, batchedRead } from '../../sharing/batch';
import { groupCommit } from '../../sharing/group-commit';
import { type Instant, instantNow } from '../../values/instant';
import type { Page, PageRange } from '../../values/page';
import { listsOf } from './print-job.filter';
import type { JobsOf, PrintJobFilter } from './print-job.inputs';
import { MAX_COUNTED_JOBS } from './print-job.limits';
import { cursorIn, isOfOne, ORDERS, rowsOf } from './print-job.pages';
import {
  JOB_COLUMNS,
  JOB_ROW,
  type JobRow,
  keepsOrMayTake,
  STORED_JOB,
  type StoredJob,
  usedSpool,
} from './print-job.rows';
import type { JobStatus, StatusChange } from './print-job.status';
import type { PrintJobOrder, PrintJobStatusChange } from './print-job.types';

type Measured = Pick<StoredJob, 'filamentDiameterAtPrintMm' | 'materialDensityAtPrint'>;
type KeptMember =
  | 'id'
  | 'status'
  | 'dataSource'
  | 'startedAt'
  | 'completedAt'
  | 'createdAt'
  | 'divided'
  | keyof Measured;

/** The members that PUT replaces, and the measures where it has derived them. */
type PrintJobReplacement = Omit<StoredJob, KeptMember> & Partial<Measured>;

/** The conditions of the lists that the jobs of an owner `k` are in. */
const LISTS_OF = { printer: [[sql('j.printer_id = k.id')]], spool: usedSpool(sql('k.id')).map((one) => [one]) };

export class PrintJobStore {
  constructor(private readonly database: Queryable) {}

  readonly byId = batchedRead<string, JobRow>((ids) =>
    readById(this.database, 'printJobs.byId', JOB_ROW, sql('print_jobs j'), 'j.id', ids),
  );

  async page(filter: PrintJobFilter, order: PrintJobOrder, range: PageRange): Promise<Page<JobRow>> {
    const lists = listsOf(filter);
    const rows = rowsOf(lists, range, ORDERS[order], isOfOne(filter));
    const page = { rows, total: this.totalOf(filter, lists) };
    return readPage(this.database, 'printJobs.page', JOB_ROW, page, range, cursorIn(ORDERS[order]));
  }

  async countByStatus(): Promise<Record<string, number>> {
    return this.database.json(
      'printJobs.countByStatus',
      Prisma.sql`
      select coalesce(json_object_agg(j.status, j.jobs), '{}') as value
      from (select status, sum(jobs)::bigint as jobs from print_job_counts group by status) j`,
    );
  }

  /** Makes one row of the counts with the same key. Two gateways that do so at once each add up the rows that they remove. */
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

  /** The Queued jobs of a printer that were made before the instant, the oldest first. */
  queuedBefore(printerId: string, instant: Instant): Promise<{ id: string; gcodeFilePath: string }[]> {
    return this.database.models('printJobs.queuedBefore', (prisma) =>
      prisma.printJob.findMany({
        where: {
          printerId,
          status: 'Queued',
          // A clock that was ahead made it: when is not known.
          OR: [{ createdAt: { lte: instant } }, { createdAt: { gt: instantNow() } }],
        },
        select: { id: true, gcodeFilePath: true },
        orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
      }),
    );
  }

  /** Until the transaction ends, no other writer changes the job. */
  async lock(id: string): Promise<void> {
    await this.database.json(
      'printJobs.lock',
      Prisma.sql`with j as (select from print_jobs where id = ${id}::uuid for update) select to_json(count(*)) as value from j`,
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

  /** The stored changes of a job's status, oldest first. */
  readonly statusChanges = batchedRead<string, PrintJobStatusChange[]>(async (ids) => {
    const rows = await this.database.models('printJobs.statusChanges', (prisma) =>
      prisma.printJobStatusChange.findMany({ where: { jobId: { in: [...ids] } }, orderBy: { id: 'asc' } }),
    );
    const changes = new Map<string, PrintJobStatusChange[]>(ids.map((id) => [id, []]));
    for (const { jobId, fromStatus, toStatus, at } of rows)
      changes.get(jobId)?.push({ from: fromStatus, to: toStatus, at: at.toISOString() });
    return changes;
  });

  /** The page of one printer's or spool's jobs. */
  readonly pageOf = batchedPages<Omit<JobsOf, 'id'>, JobRow>(({ owner, filter, order, range }) => {
    const lists = listsOf(filter, LISTS_OF[owner]);
    const page = {
      rows: rowsOf(lists, range, ORDERS[order], true),
      total: this.totalOf({ ...filter, [`${owner}Id`]: '' }, lists),
    };
    return (ids) => readPagesOf(this.database, 'printJobs.pageOf', JOB_ROW, ids, page, range, cursorIn(ORDERS[order]));
  });

  /** Exact, added up from the counts, unless the filter has a member that they are not grouped by. */
  private totalOf(filter: PrintJobFilter, lists: Prisma.Sql[][]): Prisma.Sql {
    const { spoolId, ownSpoolId, createdFrom, createdTo, search } = filter;
    const isBounded = createdFrom != null || createdTo != null || Boolean(search);
    if (spoolId == null && ownSpoolId == null && !isBounded) {
      return Prisma.sql`select coalesce(sum(j.jobs), 0)::bigint from print_job_counts j where ${allOf(lists[0] ?? [])}`;
    }
    return Prisma.sql`
      select count(*) from (
        ${Prisma.join(
          lists.map((conditions) => Prisma.sql`select from print_jobs j where ${allOf(conditions)}`),
          ' union all ',
        )} limit ${isBounded ? MAX_COUNTED_JOBS : null}::bigint
      ) found`;
  }

  /**
   * Stores a new job as it is given; false when its printer or spool is gone or archived. It is not read back: that would
   * be an eighth of the statement's time (W6).
   */
  readonly create = groupCommit<StoredJob, boolean>(async (jobs, lockMs) => {
    const admitted = await this.database.attempt('printJobs.create', (database, name) =>
      database.json<string[]>(
        name,
        Prisma.sql`
        with ${database.lockWait(lockMs)}, admitted as materialized (
          select given.*
          from wait, json_to_recordset(${JSON.stringify(jobs)}::json) as given (${recordType(JOB_COLUMNS)}),
            lateral (
              select from printers p, spools s
              where ${AFTER_WAIT} and p.id = given."printerId" and p.archived_at is null
                and s.id = given."spoolId" and s.archived_at is null
              for share of p, s
            ) in_use
        ), stored as (
          insert into print_jobs (${columnNames(JOB_COLUMNS)}) select ${memberNames(JOB_COLUMNS)} from admitted
        )
        select coalesce(json_agg(id), '[]') as value from admitted`,
      ),
    );
    return jobs.map(({ id }) => admitted.includes(id));
  });

  /** Null when there is no such job, when it is divided by now, or when another printer or spool is gone or archived. */
  replace(id: string, job: PrintJobReplacement): Promise<StoredJob | null> {
    return this.changed(
      'replace',
      STORED_JOB,
      Prisma.sql`${assignments(JOB_COLUMNS, job)} where id = ${id}::uuid and not divided
        and ${keepsOrMayTake('printer', job.printerId)} and ${keepsOrMayTake('spool', job.spoolId)}`,
    );
  }

  /** Null when the job is gone, or no longer in the expected status: the service reads again and decides again. */
  writeStatus(id: string, expected: JobStatus, change: StatusChange, now: string): Promise<JobRow | null> {
    return this.changed(
      'changeStatus',
      JOB_ROW,
      Prisma.sql`
        status = ${change.status},
        started_at = coalesce(started_at, ${change.startedAtIfEmpty}::timestamptz),
        completed_at = coalesce(${change.completedAt}::timestamptz, completed_at),
        updated_at = ${now}::timestamptz
        where id = ${id}::uuid and status = ${expected}`,
    );
  }

  /** The clock that gave the start of a job was wrong. Null when another writer has given it another start. */
  moveStart(id: string, from: string, to: string, now: string): Promise<StoredJob | null> {
    return this.changed(
      'moveStart',
      STORED_JOB,
      Prisma.sql`started_at = ${to}::timestamptz, updated_at = ${now}::timestamptz
        where id = ${id}::uuid and started_at = ${from}::timestamptz`,
    );
  }

  /** Null when there is no such job. */
  withdraw(id: string, notes: string, now: string): Promise<JobRow | null> {
    return this.changed(
      'withdraw',
      JOB_ROW,
      Prisma.sql`status = 'Cancelled', started_at = null, completed_at = ${now}::timestamptz,
        mm_extruded = 0, grams_derived = 0, cost_per_print = 0, notes = ${notes}, updated_at = ${now}::timestamptz, divided = false
        where id = ${id}::uuid`,
      Prisma.sql`, gone as (delete from print_job_parts p using j where p.job_id = j.id)`,
    );
  }

  /** The changed row `j`; null when no row matched. @param change what is set, and where @param also further statements over `j` */
  private changed<Row>(
    name: string,
    { json, read }: RowShape<Row>,
    change: Prisma.Sql,
    also = Prisma.empty,
  ): Promise<Row | null> {
    return this.database.attempt(`printJobs.${name}`, async (database, attempt) => {
      const cells = await database.json<unknown[] | null>(
        attempt,
        Prisma.sql`with j as (update print_jobs set ${change} returning *) ${also} select ${json} as value from j`,
      );
      return cells && read(cells);
    });
  }
}
