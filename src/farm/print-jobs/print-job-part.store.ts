// The SQL of the parts of jobs.
import type { Queryable } from '../../database/queryable';
import { assignments, columnNames, memberNames, recordType } from '../../database/rows';
import { allOf, isOneOf, listOf } from '../../database/sql';
import { Prisma } from '../../generated/prisma/client';
import { batchedRead } from '../../sharing/batch';
import {
  JOB_COLUMNS,
  keepsOrMayTake,
  PART_COLUMNS,
  PART_ROW,
  type PartRow,
  STORED_JOB,
  STORED_PART,
  type StoredJob,
  type StoredPart,
} from './print-job.rows';

/** A job and its parts as they were when a change of them was decided; no parts of a job that is not divided. */
export interface DividedJob {
  job: StoredJob;
  parts: readonly StoredPart[];
}

/** @param kept those that may be archived; null: all */
interface TakenSpools {
  ids: readonly string[];
  kept: readonly string[] | null;
}

const PART_MEMBERS = Object.keys(PART_COLUMNS) as (keyof StoredPart)[];
const JOB_MEMBERS = Object.keys(JOB_COLUMNS) as (keyof StoredJob)[];

export class PrintJobPartStore {
  constructor(private readonly database: Queryable) {}

  private readonly ofJob = batchedRead<string, PartRow[]>(async (ids) => {
    const rows = await this.database.rows(
      'printJobParts.ofJob',
      PART_ROW,
      Prisma.sql`
      select ${PART_ROW.json} as row from print_job_parts p where ${isOneOf('p.job_id', ids, 'uuid')}
      order by p.job_id, p.number`,
    );
    const parts = new Map<string, PartRow[]>(ids.map((id) => [id, []]));
    for (const row of rows) parts.get(row.jobId)?.push(row);
    return parts;
  });

  /** The parts of a job, by their numbers; a job that is not divided has none. */
  async of({ id, divided }: Pick<StoredJob, 'id' | 'divided'>): Promise<PartRow[]> {
    return divided ? ((await this.ofJob.load(id)) ?? []) : [];
  }

  /**
   * Changes a job and its parts. Null when one of them is not as it was read, or when its printer or a spool is gone or archived.
   * @param parts in place of those that are stored; null leaves them
   * @param spools the spools that the job has then
   */
  replace(
    read: DividedJob,
    changes: Partial<StoredJob>,
    parts: readonly StoredPart[] | null,
    spools: TakenSpools,
  ): Promise<StoredJob | null> {
    return this.database.transaction(async (transaction) => {
      if (!(await isAsRead(transaction, read))) return null;
      const cells = await transaction.attempt('printJobParts.replace', ({ json }, name) =>
        json<unknown[] | null>(name, replacement(read.job.id, changes, parts, spools)),
      );
      return cells && STORED_JOB.read(cells);
    });
  }
}

/** Locks the job. Its parts are then read by a statement of its own, which sees what was committed before the lock. */
async function isAsRead(transaction: Queryable, { job, parts }: DividedJob): Promise<boolean> {
  const id = Prisma.sql`${job.id}::uuid`;
  const locked = await transaction.json<unknown[] | null>(
    'printJobParts.lock',
    Prisma.sql`with j as (select * from print_jobs where id = ${id} for update) select ${STORED_JOB.json} as value from j`,
  );
  if (locked === null || !isSame(STORED_JOB.read(locked), job, JOB_MEMBERS)) return false;
  const stored = await transaction.rows(
    'printJobParts.locked',
    STORED_PART,
    Prisma.sql`select ${STORED_PART.json} as row from print_job_parts p where p.job_id = ${id} order by p.number`,
  );
  const known = job.divided ? parts : stored;
  return stored.length === known.length && stored.every((part, at) => isSame(part, known[at], PART_MEMBERS));
}

const isSame = <Row>(one: Row, other: Row | undefined, members: (keyof Row)[]) =>
  members.every((member) => one[member] === other?.[member]);

/** One statement, so that the triggers see job and parts as they are together. Each piece waits for the one before. */
function replacement(
  id: string,
  changes: Partial<StoredJob>,
  parts: readonly StoredPart[] | null,
  spools: TakenSpools,
): Prisma.Sql {
  const printer = changes.printerId === undefined ? [] : [keepsOrMayTake('printer', changes.printerId)];
  const job = Prisma.sql`
    update print_jobs set ${assignments(JOB_COLUMNS, changes)}
    where ${allOf([Prisma.sql`id = ${id}::uuid`, ...printer, mayTake(spools)])} returning *`;
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

/** The spools are there, and those that must be are in use, until the job is written. */
function mayTake({ ids, kept }: TakenSpools): Prisma.Sql {
  const isKept = kept === null ? Prisma.sql`true` : Prisma.sql`o.id = any(${listOf(kept, 'uuid')}::uuid[])`;
  return Prisma.sql`(select count(*) from (
    select from spools o where ${isOneOf('o.id', ids, 'uuid')} and (o.archived_at is null or ${isKept}) for share
  ) taken) = ${ids.length}::int`;
}
