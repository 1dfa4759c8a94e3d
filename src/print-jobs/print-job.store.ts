// The SQL of print jobs.
import { groupCommit, sharedLoader } from '../database/batch';
import type { Queryable } from '../database/database';
import { violatedConstraint } from '../database/failures';
import {
  cursorsOf,
  type Page,
  type PageCells,
  type PageRange,
  pageOf,
  pageStatement,
  readPage,
} from '../database/paging';
import {
  allOf,
  containing,
  isOneOf,
  listOf,
  membersOf,
  type PrintJobRow,
  printerRow,
  printJobRow,
  type RowShape,
  type StoredJobRow,
  spoolRow,
  sql,
  storedJobRow,
} from '../database/rows';
import { BadInput } from '../errors';
import { Prisma } from '../generated/prisma/client';
import { parseGuid } from '../values/guid';
import { parseInstant } from '../values/instant';
import type { Links } from './link.store';
import type { PrintJobFilter } from './print-job.inputs';
import type { JobStatus, StatusChange } from './print-job.status';

/** What PUT replaces; undefined keeps what is stored. */
export type PrintJobReplacement = Pick<
  StoredJobRow,
  | 'printerId'
  | 'spoolId'
  | 'printName'
  | 'gcodeFilePath'
  | 'mmExtruded'
  | 'gramsDerived'
  | 'costPerPrint'
  | 'notes'
  | 'updatedAt'
> & { filamentDiameterAtPrintMm?: string; materialDensityAtPrint?: string };

/** A new job, and the digests of its printer and its spool if it depends on them. */
type GivenJob = StoredJobRow & { printer: string | undefined; spool: string | undefined };

/** A page of the jobs of one printer or spool. */
export interface JobsOf {
  owner: 'printer' | 'spool';
  id: string;
  filter: PrintJobFilter;
  range: PageRange;
}

const MEMBERS = {
  id: 'uuid',
  printerId: 'uuid',
  spoolId: 'uuid',
  printName: 'text',
  gcodeFilePath: 'text',
  mmExtruded: 'numeric',
  gramsDerived: 'numeric',
  costPerPrint: 'numeric',
  startedAt: 'timestamptz',
  completedAt: 'timestamptz',
  status: 'text',
  dataSource: 'text',
  filamentDiameterAtPrintMm: 'numeric',
  materialDensityAtPrint: 'numeric',
  notes: 'text',
  createdAt: 'timestamptz',
  updatedAt: 'timestamptz',
} satisfies Record<keyof StoredJobRow, string>;
const GIVEN = membersOf(MEMBERS);
const PRINTER = printerRow('p');
const SPOOL = spoolRow('s');
const JOB = printJobRow('j');
const STORED = storedJobRow('j');
const OWNER_COLUMN = { printer: sql('j.printer_id'), spool: sql('j.spool_id') };
/** Where a total is counted while it is asked for, and nothing bounds what is counted, it ends here. */
export const MOST_COUNTED = 10_000;
const CURSORS = cursorsOf('printJobs', parseInstant, parseGuid);
const NEWEST_FIRST = sql('j.created_at desc, j.id desc');
/** The same order, which only the indexes of a printer, spool, status or source have. */
const NEWEST_OF_ONE_FIRST = sql('j.created_at desc nulls last, j.id desc nulls last');

export class PrintJobStore {
  constructor(private readonly database: Queryable) {}

  readonly byId = sharedLoader<string, PrintJobRow>(
    async (ids) => {
      const rows = await this.database.rows(
        JOB,
        Prisma.sql`
      select ${JOB.json} as row from print_jobs j where ${isOneOf('j.id', ids, 'uuid')}`,
      );
      return new Map(rows.map((row) => [row.id, row]));
    },
    String,
    this.database.isApart,
  );

  async page(filter: PrintJobFilter, range: PageRange): Promise<Page<PrintJobRow>> {
    const conditions = conditionsOf(filter);
    const page = { rows: rowsOf(conditions, range, orderOf(filter)), total: totalOf(filter, conditions) };
    return readPage(this.database, JOB, page, range, cursorOf);
  }

  async countByStatus(): Promise<Record<string, number>> {
    return this.database.json(Prisma.sql`
      select coalesce(json_object_agg(j.status, j.jobs), '{}') as value
      from (select status, sum(jobs)::bigint as jobs from print_job_counts group by status) j`);
  }

  /** Grams and cost of the jobs completed on each UTC day from this one on, as texts; days without any are left out. */
  completedByDay(from: string): Promise<{ day: string; grams: string; cost: string }[]> {
    return this.database.json(Prisma.sql`
      select coalesce(json_agg(json_build_object('day', d.day, 'grams', d.grams::text, 'cost', d.cost::text)), '[]') as value
      from (
        select to_char(j.completed_at at time zone 'UTC', 'YYYY-MM-DD') as day,
          sum(j.grams_derived) as grams, sum(j.cost_per_print) as cost
        from print_jobs j where j.status = 'Completed' and j.completed_at >= ${from}::timestamptz
        group by 1
      ) d`);
  }

  /**
   * The pages of many printers or spools in one statement, as far as their filters and ranges are the same. Others do not
   * wait for it, however long it takes.
   */
  async pageOf({ owner, id, filter, range }: JobsOf): Promise<Page<PrintJobRow>> {
    const alike = JSON.stringify([owner, filter, range]);
    const pages = this.pages.get(alike) ?? { waiting: 0, loader: this.pagesLike(owner, filter, range) };
    this.pages.set(alike, pages);
    pages.waiting += 1;
    try {
      return (await pages.loader.load(id)) as Page<PrintJobRow>;
    } finally {
      pages.waiting -= 1;
      if (pages.waiting === 0) this.pages.delete(alike);
    }
  }

  private readonly pages = new Map<string, { waiting: number; loader: ReturnType<PrintJobStore['pagesLike']> }>();

  private pagesLike(owner: JobsOf['owner'], filter: PrintJobFilter, range: PageRange) {
    const conditions = [Prisma.sql`${OWNER_COLUMN[owner]} = k.id`, ...conditionsOf(filter)];
    const page = {
      rows: rowsOf(conditions, range, NEWEST_OF_ONE_FIRST),
      total: totalOf({ ...filter, [`${owner}Id`]: '' }, conditions),
    };
    return sharedLoader<string, Page<PrintJobRow>>(async (ids) => {
      const cells = await this.database.json<PageCells[]>(Prisma.sql`
        select json_agg(json_build_array(p.value, p.total) order by k.n) as value
        from unnest(${listOf(ids, 'uuid')}) with ordinality as k (id, n) cross join lateral (${pageStatement(range, page)}) p`);
      return new Map(ids.map((id, index) => [id, pageOf(cells[index] as PageCells, JOB, range, cursorOf)]));
    });
  }

  /**
   * Stored as it is given, and not read back: that would be an eighth of the statement's time. With `links` it is stored
   * only if printer and spool are still as they were read; if not, the answer is false.
   */
  create(job: StoredJobRow, links?: Links): Promise<boolean> {
    const given = { ...job, printer: links?.printer.digest, spool: links?.spool.digest };
    return this.refusingUnknown(() => this.insert(given));
  }

  private readonly insert = groupCommit<GivenJob, boolean>((jobs) => this.insertAll(jobs), this.database.isApart);

  private async insertAll(jobs: readonly GivenJob[]): Promise<boolean[]> {
    const ids = await this.database.json<string[]>(Prisma.sql`
      with unchanged as materialized (
        select ${GIVEN.names}
        from json_to_recordset(${JSON.stringify(jobs)}::json) as given (${GIVEN.types}, "printer" bigint, "spool" bigint)
        where ("printer" is null or "printer" = (select ${PRINTER.digest} from printers p where p.id = "printerId"))
          and ("spool" is null or "spool" = (select ${SPOOL.digest} from spools s where s.id = "spoolId"))
      ), stored as (
        insert into print_jobs (${GIVEN.columns}) select * from unchanged
      )
      select coalesce(json_agg("id"), '[]') as value from unchanged`);
    const stored = new Set(ids);
    return jobs.map((job) => stored.has(job.id));
  }

  /** Null when there is no such job. */
  async replace(id: string, job: PrintJobReplacement): Promise<StoredJobRow | null> {
    return this.refusingUnknown(() =>
      this.changed(
        STORED,
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
        select ${STORED.json} as value from j`,
      ),
    );
  }

  /** Null when the job is not in the expected status any more (or gone): the caller reads again and decides again. */
  async changeStatus(id: string, expected: JobStatus, change: StatusChange, now: string): Promise<PrintJobRow | null> {
    return this.changed(
      JOB,
      Prisma.sql`
      with j as (
        update print_jobs set
          status = ${change.status},
          started_at = coalesce(started_at, ${change.startedAtIfEmpty}::timestamptz),
          completed_at = coalesce(${change.completedAt}::timestamptz, completed_at),
          updated_at = ${now}::timestamptz
        where id = ${id}::uuid and status = ${expected} returning *
      )
      select ${JOB.json} as value from j`,
    );
  }

  /** A printer or spool that was there when it was looked up and is gone when the job is written. */
  private async refusingUnknown<T>(write: () => Promise<T>): Promise<T> {
    try {
      return await this.database.attempt(write);
    } catch (error) {
      switch (violatedConstraint(error)?.constraint) {
        case 'print_jobs_printer_id_fkey':
          throw new BadInput('must be the id of a printer', 'printerId');
        case 'print_jobs_spool_id_fkey':
          throw new BadInput('must be the id of a spool', 'spoolId');
        default:
          throw error;
      }
    }
  }

  private async changed<Row>({ read }: RowShape<Row>, update: Prisma.Sql): Promise<Row | null> {
    const cells = await this.database.json<unknown[] | null>(update);
    return cells && read(cells);
  }
}

/** One page, newest first. The inner select walks the index alone; only the rows of the page are fetched and linked. */
function rowsOf(conditions: Prisma.Sql[], range: PageRange, order: Prisma.Sql): Prisma.Sql {
  const after = range.after === null ? [] : [isAfter(range.after)];
  return Prisma.sql`
    select ${JOB.json} as row from (
      select j.* from print_jobs j where ${allOf([...conditions, ...after])}
      order by ${order} limit ${(range.first ?? 0) + 1}::bigint offset ${range.offset}::bigint
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

function cursorOf(row: PrintJobRow): string {
  return CURSORS.to(row.createdAt, row.id);
}

/** Exact and out of the maintained counts, unless the filter has what they do not know. */
function totalOf({ spoolId, createdFrom, createdTo, search }: PrintJobFilter, conditions: Prisma.Sql[]): Prisma.Sql {
  const isBounded = createdFrom != null || createdTo != null || Boolean(search);
  if (spoolId == null && !isBounded) {
    return Prisma.sql`select coalesce(sum(j.jobs), 0)::bigint from print_job_counts j where ${allOf(conditions)}`;
  }
  return Prisma.sql`
    select count(*) from (
      select from print_jobs j where ${allOf(conditions)} limit ${isBounded ? MOST_COUNTED : null}::bigint
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
