// Reads, locks and writes single print jobs and their parts. print-job.pages.ts reads lists.

import { readById } from '../../database/pages';
import type { Queryable } from '../../database/queryable';
import { assignments, columnNames, memberNames, type RowShape, recordType } from '../../database/rows';
import { AFTER_WAIT, arrayParameter, joinConditions, matchesOneOf, sql } from '../../database/sql';
import { Prisma } from '../../generated/prisma/client';
import { batchedRead } from '../../sharing/batch';
import { groupCommit } from '../../sharing/group-commit';
import { type Instant, instantNow } from '../../values/instant';
import {
  JOB_COLUMNS,
  JOB_ROW,
  type JobRow,
  keepsOrMayUse,
  PART_COLUMNS,
  PART_ROW,
  type PartRow,
  STORED_JOB,
  STORED_PART,
  type StoredJob,
  type StoredPart,
} from './print-job.rows';
import type { JobStatus, StatusWrite } from './print-job.status';
import type { PrintJobStatusChange } from './print-job.types';

type FilamentValues = Pick<StoredJob, 'filamentDiameterAtPrintMm' | 'materialDensityAtPrint'>;
type KeptMember =
  | 'id'
  | 'status'
  | 'dataSource'
  | 'startedAt'
  | 'completedAt'
  | 'createdAt'
  | 'divided'
  | keyof FilamentValues;

/** The members that PUT replaces, and diameter and density if PUT has derived them. */
type PrintJobReplacement = Omit<StoredJob, KeptMember> & Partial<FilamentValues>;

/** A job and its parts as they were when a change was decided. A job that is not divided has no parts. */
export interface DividedJob {
  job: StoredJob;
  parts: readonly StoredPart[];
}

/** The spools that a job gets, and which of these spools may be archived (`null` for all). */
interface UsedSpools {
  ids: readonly string[];
  mayBeArchived: readonly string[] | null;
}

const PART_MEMBERS = Object.keys(PART_COLUMNS) as (keyof StoredPart)[];
const JOB_MEMBERS = Object.keys(JOB_COLUMNS) as (keyof StoredJob)[];

export class PrintJobStore {
  constructor(private readonly database: Queryable) {}

  readonly byId = batchedRead<string, JobRow>((ids) =>
    readById(this.database, 'printJobs.byId', JOB_ROW, sql('print_jobs j'), 'j.id', ids),
  );

  /**
   * The Queued jobs of a printer that were created before an instant, the oldest first. A job of an earlier print is left out, even if
   * another program set it to Queued again: each print has a separate job.
   */
  queuedBefore(printerId: string, instant: Instant): Promise<{ id: string; gcodeFilePath: string }[]> {
    return this.database.models('printJobs.queuedBefore', async (prisma) => {
      const queued = await prisma.printJob.findMany({
        where: {
          printerId,
          status: 'Queued',
          // A job from the future was created by a wrong clock, so it may be older than the instant.
          OR: [{ createdAt: { lte: instant } }, { createdAt: { gt: instantNow() } }],
        },
        select: { id: true, gcodeFilePath: true },
        orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
      });
      if (queued.length === 0) return queued;
      const jobsOfPrints = await prisma.observedPrint.findMany({
        where: { jobId: { in: queued.map(({ id }) => id) } },
        select: { jobId: true },
      });
      return queued.filter(({ id }) => jobsOfPrints.every(({ jobId }) => jobId !== id));
    });
  }

  /** As byId, with a lock: until the transaction ends no other writer changes the job. */
  async lockJob(id: string): Promise<JobRow | null> {
    await this.database.json(
      'printJobs.lock',
      Prisma.sql`with j as (select from print_jobs where id = ${id}::uuid for update) select to_json(count(*)) as value from j`,
    );
    return this.byId.load(id);
  }

  private readonly parts = batchedRead<string, PartRow[]>(async (ids) => {
    const rows = await this.database.rows(
      'printJobParts.ofJob',
      PART_ROW,
      Prisma.sql`
      select ${PART_ROW.json} as row from print_job_parts p where ${matchesOneOf('p.job_id', ids, 'uuid')}
      order by p.job_id, p.number`,
    );
    const parts = new Map<string, PartRow[]>(ids.map((id) => [id, []]));
    for (const row of rows) parts.get(row.jobId)?.push(row);
    return parts;
  });

  /** The parts of a job by number. A job that is not divided has none. */
  async partsOf({ id, divided }: Pick<StoredJob, 'id' | 'divided'>): Promise<PartRow[]> {
    return divided ? ((await this.parts.load(id)) ?? []) : [];
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

  /**
   * Stores a new job. The job is not read back, which would take an eighth of the statement's time (W6 of docs/explanation/speed.md).
   * @returns false if its printer or spool is gone or archived
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

  /** @returns null if there is no such job, if the job was divided meanwhile, or if a new printer or spool was removed or archived */
  replace(id: string, job: PrintJobReplacement): Promise<StoredJob | null> {
    return this.updateJob(
      'replace',
      STORED_JOB,
      Prisma.sql`${assignments(JOB_COLUMNS, job)} where id = ${id}::uuid and not divided
        and ${keepsOrMayUse('printer', job.printerId)} and ${keepsOrMayUse('spool', job.spoolId)}`,
    );
  }

  /**
   * Changes a job and its parts.
   * @param parts the parts that replace the stored parts; null to keep the stored parts
   * @param spools the spools that the job has after the change
   * @returns null if the job or a part changed after it was read, or if the printer or a spool is gone or archived
   */
  replaceDivided(
    read: DividedJob,
    changes: Partial<StoredJob>,
    parts: readonly StoredPart[] | null,
    spools: UsedSpools,
  ): Promise<StoredJob | null> {
    return this.database.transaction(async (transaction) => {
      if (!(await lockUnchanged(transaction, read))) return null;
      const cells = await transaction.attempt('printJobParts.replace', ({ json }, name) =>
        json<unknown[] | null>(name, createReplacement(read.job.id, changes, parts, spools)),
      );
      return cells && STORED_JOB.read(cells);
    });
  }

  /**
   * Changes the status of a job. Triggers note the change: counts.sql, status-history.sql, stock/first-end.sql, changes/feed.sql, and
   * note-unreported.sql for notifications.
   * @returns null if the job is gone or no longer in the expected status; the service then reads and decides again
   */
  writeStatus(id: string, expected: JobStatus, change: StatusWrite, now: string): Promise<JobRow | null> {
    return this.updateJob(
      'writeStatus',
      JOB_ROW,
      Prisma.sql`
        status = ${change.status},
        started_at = coalesce(started_at, ${change.startedAtIfEmpty}::timestamptz),
        completed_at = coalesce(${change.completedAt}::timestamptz, completed_at),
        updated_at = ${now}::timestamptz
        where id = ${id}::uuid and status = ${expected}`,
    );
  }

  /** Corrects a start that a wrong clock wrote. @returns null if another writer has changed the start */
  moveStart(id: string, from: string, to: string, now: string): Promise<StoredJob | null> {
    return this.updateJob(
      'moveStart',
      STORED_JOB,
      Prisma.sql`started_at = ${to}::timestamptz, updated_at = ${now}::timestamptz
        where id = ${id}::uuid and started_at = ${from}::timestamptz`,
    );
  }

  /** @returns null if there is no such job */
  withdraw(id: string, notes: string, now: string): Promise<JobRow | null> {
    return this.updateJob(
      'withdraw',
      JOB_ROW,
      Prisma.sql`status = 'Cancelled', started_at = null, completed_at = ${now}::timestamptz,
        mm_extruded = 0, grams_derived = 0, cost_per_print = 0, notes = ${notes}, updated_at = ${now}::timestamptz, divided = false
        where id = ${id}::uuid`,
      Prisma.sql`, gone as (delete from print_job_parts p using j where p.job_id = j.id)`,
    );
  }

  /**
   * @param change the SQL of what is set and of the condition
   * @param furtherStatements further statements over the changed row `j`
   * @returns the changed row; null if no row matched
   */
  private updateJob<Row>(
    name: string,
    { json, read }: RowShape<Row>,
    change: Prisma.Sql,
    furtherStatements = Prisma.empty,
  ): Promise<Row | null> {
    return this.database.attempt(`printJobs.${name}`, async (inAttempt, statement) => {
      const cells = await inAttempt.json<unknown[] | null>(
        statement,
        Prisma.sql`with j as (update print_jobs set ${change} returning *) ${furtherStatements} select ${json} as value from j`,
      );
      return cells && read(cells);
    });
  }
}

/** Locks the job and compares it. A second statement reads the parts, because it sees what was committed before the lock. */
async function lockUnchanged(transaction: Queryable, { job, parts }: DividedJob): Promise<boolean> {
  const id = Prisma.sql`${job.id}::uuid`;
  const locked = await transaction.json<unknown[] | null>(
    'printJobParts.lock',
    Prisma.sql`with j as (select * from print_jobs where id = ${id} for update) select ${STORED_JOB.json} as value from j`,
  );
  if (locked === null || !haveEqualMembers(STORED_JOB.read(locked), job, JOB_MEMBERS)) return false;
  const stored = await transaction.rows(
    'printJobParts.locked',
    STORED_PART,
    Prisma.sql`select ${STORED_PART.json} as row from print_job_parts p where p.job_id = ${id} order by p.number`,
  );
  const known = job.divided ? parts : stored;
  return stored.length === known.length && stored.every((part, at) => haveEqualMembers(part, known[at], PART_MEMBERS));
}

const haveEqualMembers = <Row>(a: Row, b: Row | undefined, members: (keyof Row)[]) =>
  members.every((member) => a[member] === b?.[member]);

/** One statement, so that the triggers see the job together with its new parts. Each subquery waits for the previous one. */
function createReplacement(
  id: string,
  changes: Partial<StoredJob>,
  parts: readonly StoredPart[] | null,
  spools: UsedSpools,
): Prisma.Sql {
  const printer = changes.printerId === undefined ? [] : [keepsOrMayUse('printer', changes.printerId)];
  const job = Prisma.sql`
    update print_jobs set ${assignments(JOB_COLUMNS, changes)}
    where ${joinConditions([Prisma.sql`id = ${id}::uuid`, ...printer, lockSpools(spools)])} returning *`;
  if (parts === null) return Prisma.sql`with j as (${job}) select ${STORED_JOB.json} as value from j`;
  return Prisma.sql`
    with j as (${job}), gone as (
      delete from print_job_parts p using j where p.job_id = j.id returning 1
    ), stored as (
      insert into print_job_parts (${columnNames(PART_COLUMNS)}) select ${memberNames(PART_COLUMNS)}
      from j, (select count(*) from gone) g,
        json_to_recordset(${JSON.stringify(parts)}::json) as given (${recordType(PART_COLUMNS)})
      returning 1
    )
    select ${STORED_JOB.json} as value from j, (select count(*) from stored) s`;
}

/** Locks the spools until the job is written: they cannot be removed, and nobody archives a spool that must not be archived. */
function lockSpools({ ids, mayBeArchived }: UsedSpools): Prisma.Sql {
  const isExempt =
    mayBeArchived === null
      ? Prisma.sql`true`
      : Prisma.sql`o.id = any(${arrayParameter(mayBeArchived, 'uuid')}::uuid[])`;
  return Prisma.sql`(select count(*) from (
    select from spools o where ${matchesOneOf('o.id', ids, 'uuid')} and (o.archived_at is null or ${isExempt}) for share
  ) taken) = ${ids.length}::int`;
}
