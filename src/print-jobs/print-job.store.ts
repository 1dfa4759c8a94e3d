// The SQL of print jobs.
import type { Queryable } from '../database/database';
import { violatedConstraint } from '../database/failures';
import { limitOf, type PageCells, pageOf, pageStatement, readPage } from '../database/pages';
import { columnNames, memberNames, type RowShape, recordType } from '../database/rows';
import { allOf, containing, isOneOf, listOf, sql } from '../database/sql';
import { unknownLink } from '../errors';
import { Prisma } from '../generated/prisma/client';
import { batchedRead, groupCommit } from '../sharing/batch';
import { parseGuid } from '../values/guid';
import { parseInstant } from '../values/instant';
import { cursorsOf, type Page, type PageRange } from '../values/page';
import type { PrintJobFilter } from './print-job.inputs';
import { MAX_COUNTED } from './print-job.limits';
import { JOB_COLUMNS, JOB_ROW, type JobRow, STATUS_CHANGE_ROW, STORED_JOB, type StoredJob } from './print-job.rows';
import type { JobStatus, StatusChange } from './print-job.status';
import type { PrintJobStatusChange } from './print-job.types';

/** The members that PUT replaces; undefined keeps the stored value. */
export type PrintJobReplacement = Pick<
  StoredJob,
  | 'printerId'
  | 'spoolId'
  | 'printName'
  | 'gcodeFilePath'
  | 'mmExtruded'
  | 'gramsDerived'
  | 'costPerPrint'
  | 'notes'
  | 'updatedAt'
> &
  Partial<Pick<StoredJob, 'filamentDiameterAtPrintMm' | 'materialDensityAtPrint'>>;

/** A page of the jobs of one printer or spool. */
export interface JobsOf {
  owner: 'printer' | 'spool';
  id: string;
  filter: PrintJobFilter;
  range: PageRange;
}

const OWNER_COLUMN = { printer: sql('j.printer_id'), spool: sql('j.spool_id') };
const CURSORS = cursorsOf('printJobs', parseInstant, parseGuid);
const NEWEST_FIRST = sql('j.created_at desc, j.id desc');
/** The same order, which only the indexes of a printer, spool, status or source have. */
const NEWEST_OF_ONE_FIRST = sql('j.created_at desc nulls last, j.id desc nulls last');

export class PrintJobStore {
  constructor(private readonly database: Queryable) {}

  readonly byId = batchedRead<string, JobRow>(async (ids) => {
    const rows = await this.database.rows(
      'printJobs.byId',
      JOB_ROW,
      Prisma.sql`select ${JOB_ROW.json} as row from print_jobs j where ${isOneOf('j.id', ids, 'uuid')}`,
    );
    return new Map(rows.map((row) => [row.id, row]));
  });

  async page(filter: PrintJobFilter, range: PageRange): Promise<Page<JobRow>> {
    const conditions = conditionsOf(filter);
    const page = { rows: rowsOf(conditions, range, orderOf(filter)), total: totalOf(filter, conditions) };
    return readPage(this.database, 'printJobs.page', JOB_ROW, page, range, cursorOf);
  }

  async countByStatus(): Promise<Record<string, number>> {
    return this.database.json(
      'printJobs.countByStatus',
      Prisma.sql`
      select coalesce(json_object_agg(j.status, j.jobs), '{}') as value
      from (select status, sum(jobs)::bigint as jobs from print_job_counts group by status) j`,
    );
  }

  /** The stored changes of a job's status, oldest first. */
  readonly statusChanges = batchedRead<string, PrintJobStatusChange[]>(async (ids) => {
    const changes = await this.database.json<[string, unknown[][]][]>(
      'printJobs.statusChanges',
      Prisma.sql`
      select coalesce(json_agg(json_build_array(c.job_id, c.changes)), '[]') as value from (
        select c.job_id, json_agg(${STATUS_CHANGE_ROW.json} order by c.id) as changes
        from print_job_status_changes c where ${isOneOf('c.job_id', ids, 'uuid')} group by c.job_id
      ) c`,
    );
    return new Map(changes.map(([id, rows]) => [id, rows.map(STATUS_CHANGE_ROW.read)]));
  });

  /** Grams and cost of the jobs completed on each UTC day from this one on, as texts; days without any are left out. */
  completedByDay(from: string): Promise<{ day: string; grams: string; cost: string }[]> {
    return this.database.json(
      'printJobs.completedByDay',
      Prisma.sql`
      select coalesce(json_agg(json_build_object('day', d.day, 'grams', d.grams::text, 'cost', d.cost::text)), '[]') as value
      from (
        select to_char(j.completed_at at time zone 'UTC', 'YYYY-MM-DD') as day,
          sum(j.grams_derived) as grams, sum(j.cost_per_print) as cost
        from print_jobs j where j.status = 'Completed' and j.completed_at >= ${from}::timestamptz
        group by 1
      ) d`,
    );
  }

  /** The page of one printer's or spool's jobs. Requests for pages that are alike share a statement. */
  async pageOf({ owner, id, filter, range }: JobsOf): Promise<Page<JobRow>> {
    const alike = JSON.stringify([owner, filter, range]);
    const pages = this.pages.get(alike) ?? { waiting: 0, loader: this.pagesLike(owner, filter, range) };
    this.pages.set(alike, pages);
    pages.waiting += 1;
    try {
      return (await pages.loader.load(id)) as Page<JobRow>;
    } finally {
      pages.waiting -= 1;
      if (pages.waiting === 0) this.pages.delete(alike);
    }
  }

  /** Loaders of pages by filter and range, as long as a request waits for them. */
  private readonly pages = new Map<string, { waiting: number; loader: ReturnType<PrintJobStore['pagesLike']> }>();

  private pagesLike(owner: JobsOf['owner'], filter: PrintJobFilter, range: PageRange) {
    const conditions = [Prisma.sql`${OWNER_COLUMN[owner]} = k.id`, ...conditionsOf(filter)];
    const page = {
      rows: rowsOf(conditions, range, NEWEST_OF_ONE_FIRST),
      total: totalOf({ ...filter, [`${owner}Id`]: '' }, conditions),
    };
    return batchedRead<string, Page<JobRow>>(async (ids) => {
      const cells = await this.database.json<PageCells[]>(
        'printJobs.pageOf',
        Prisma.sql`
        select json_agg(json_build_array(p.value, p.total) order by k.n) as value
        from unnest(${listOf(ids, 'uuid')}) with ordinality as k (id, n) cross join lateral (${pageStatement(range, page)}) p`,
      );
      return new Map(ids.map((id, index) => [id, pageOf(cells[index] as PageCells, JOB_ROW, range, cursorOf)]));
    });
  }

  /** Stores a new job as it is given. It is not read back: that would be an eighth of the statement's time (W6). */
  async create(job: StoredJob): Promise<void> {
    await refusingUnknown(this.insert(job));
  }

  private readonly insert = groupCommit<StoredJob, null>(async (jobs, lockMs) => {
    await this.database.attempt('printJobs.create', ({ json }) =>
      json(
        'printJobs.create',
        Prisma.sql`
        with ${this.database.lockWait(lockMs)}
        insert into print_jobs (${columnNames(JOB_COLUMNS)}) select ${memberNames(JOB_COLUMNS)}
        from wait, json_to_recordset(${JSON.stringify(jobs)}::json) as given (${recordType(JOB_COLUMNS)})`,
      ),
    );
    return jobs.map(() => null);
  });

  /** Null when there is no such job. */
  async replace(id: string, job: PrintJobReplacement): Promise<StoredJob | null> {
    const replaced = this.database.attempt('printJobs.write', (database) =>
      changed(
        database,
        'printJobs.replace',
        STORED_JOB,
        Prisma.sql`
        with j as (
          update print_jobs set
            printer_id = ${job.printerId}::uuid, spool_id = ${job.spoolId}::uuid, print_name = ${job.printName},
            gcode_file_path = ${job.gcodeFilePath}, mm_extruded = ${job.mmExtruded}::numeric,
            grams_derived = ${job.gramsDerived}::numeric, cost_per_print = ${job.costPerPrint}::numeric,
            notes = ${job.notes}, updated_at = ${job.updatedAt}::timestamptz,
            filament_diameter_at_print_mm =
              coalesce(${job.filamentDiameterAtPrintMm ?? null}::numeric, filament_diameter_at_print_mm),
            material_density_at_print = coalesce(${job.materialDensityAtPrint ?? null}::numeric, material_density_at_print)
          where id = ${id}::uuid returning *
        )
        select ${STORED_JOB.json} as value from j`,
      ),
    );
    return refusingUnknown(replaced);
  }

  /** Null when the job is gone, or no longer in the expected status: the service reads again and decides again. */
  async changeStatus(id: string, expected: JobStatus, change: StatusChange, now: string): Promise<JobRow | null> {
    return this.database.attempt('printJobs.write', (database) =>
      changed(
        database,
        'printJobs.changeStatus',
        JOB_ROW,
        Prisma.sql`
      with j as (
        update print_jobs set
          status = ${change.status},
          started_at = coalesce(started_at, ${change.startedAtIfEmpty}::timestamptz),
          completed_at = coalesce(${change.completedAt}::timestamptz, completed_at),
          updated_at = ${now}::timestamptz
        where id = ${id}::uuid and status = ${expected} returning *
      )
      select ${JOB_ROW.json} as value from j`,
      ),
    );
  }
}

/** A printer or spool may be gone between its look-up and the write of the job. */
async function refusingUnknown<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    switch (violatedConstraint(error)?.constraint) {
      case 'print_jobs_printer_id_fkey':
        throw unknownLink('printer');
      case 'print_jobs_spool_id_fkey':
        throw unknownLink('spool');
      default:
        throw error;
    }
  }
}

/** The changed row; null when no row matched. */
async function changed<Row>(
  database: Queryable,
  name: string,
  { read }: RowShape<Row>,
  update: Prisma.Sql,
): Promise<Row | null> {
  const cells = await database.json<unknown[] | null>(name, update);
  return cells && read(cells);
}

/** One page, newest first. The inner select walks the index alone; only the rows of the page are fetched and linked. */
function rowsOf(conditions: Prisma.Sql[], range: PageRange, order: Prisma.Sql): Prisma.Sql {
  const after = range.after === null ? [] : [isAfter(range.after)];
  return Prisma.sql`
    select ${JOB_ROW.json} as row from (
      select j.* from print_jobs j where ${allOf([...conditions, ...after])}
      order by ${order} ${limitOf(range)}
    ) j order by ${order}`;
}

function orderOf({ printerId, spoolId, status, dataSource }: PrintJobFilter): Prisma.Sql {
  const ofOne = printerId != null || spoolId != null || dataSource != null || status?.length === 1;
  return ofOne ? NEWEST_OF_ONE_FIRST : NEWEST_FIRST;
}

function isAfter(after: string): Prisma.Sql {
  const [createdAt, id] = CURSORS.placeOf(after);
  return Prisma.sql`(j.created_at, j.id) < (${createdAt}::timestamptz, ${id}::uuid)`;
}

function cursorOf(row: JobRow): string {
  return CURSORS.to(row.createdAt, row.id);
}

/** Exact, out of the maintained counts, unless the filter has a member that they are not grouped by. */
function totalOf({ spoolId, createdFrom, createdTo, search }: PrintJobFilter, conditions: Prisma.Sql[]): Prisma.Sql {
  const isBounded = createdFrom != null || createdTo != null || Boolean(search);
  if (spoolId == null && !isBounded) {
    return Prisma.sql`select coalesce(sum(j.jobs), 0)::bigint from print_job_counts j where ${allOf(conditions)}`;
  }
  return Prisma.sql`
    select count(*) from (
      select from print_jobs j where ${allOf(conditions)} limit ${isBounded ? MAX_COUNTED : null}::bigint
    ) found`;
}

function conditionsOf(filter: PrintJobFilter): Prisma.Sql[] {
  const conditions: Prisma.Sql[] = [];
  if (filter.printerId != null) conditions.push(Prisma.sql`j.printer_id = ${filter.printerId}::uuid`);
  if (filter.spoolId != null) conditions.push(Prisma.sql`j.spool_id = ${filter.spoolId}::uuid`);
  // One status is an equality, which the index on (status, newest first) answers in order; several need a list.
  if (filter.status?.length === 1) conditions.push(Prisma.sql`j.status = ${filter.status[0]}`);
  else if (filter.status != null) conditions.push(Prisma.sql`j.status = any(${filter.status}::text[])`);
  if (filter.dataSource != null) conditions.push(Prisma.sql`j.data_source = ${filter.dataSource}`);
  if (filter.createdFrom != null) conditions.push(Prisma.sql`j.created_at >= ${filter.createdFrom}::timestamptz`);
  if (filter.createdTo != null) conditions.push(Prisma.sql`j.created_at <= ${filter.createdTo}::timestamptz`);
  if (filter.search != null && filter.search !== '') {
    conditions.push(Prisma.sql`j.print_name ilike ${containing(filter.search)}`);
  }
  return conditions;
}
