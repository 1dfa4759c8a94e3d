// The columns of print jobs, each named once: statements and row readers are made from this table.
import { type Columns, rowShape } from '../../database/rows';
import { sql } from '../../database/sql';
import { Prisma } from '../../generated/prisma/client';
import { inUse, printerOf, spoolOf } from '../inventory/inventory.rows';
import type { PrintJob } from './print-job.types';
import { STORED_PART, type StoredPart } from './print-job-part.rows';

/** A job as its table holds it. */
export type StoredJob = Omit<PrintJob, 'printer' | 'spool'> & {
  printerId: string;
  spoolId: string;
  /** Whether it has parts in a table of their own. */
  divided: boolean;
};
/** A job with its printer and its spool; null where another program removed the row, past its foreign key. */
export type JobRow = StoredJob &
  Pick<PrintJob, 'printer' | 'spool'> & {
    /** Of a divided job, by number; left out behind a write, and null without any. */
    parts?: StoredPart[] | null;
  };

export const JOB_COLUMNS = {
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
  divided: 'boolean',
} satisfies Columns<StoredJob>;

/** A job `j` alone. */
export const STORED_JOB = rowShape<StoredJob>('j', JOB_COLUMNS);

/**
 * In the statement of the job: a second one would see another moment, and the parts would not add up to the job. Without their
 * spools: to plan these too takes a quarter of the time of one job (W4).
 */
const PARTS_OF_JOB = {
  sql: `case when j.divided then (
    select json_agg(${STORED_PART.json.sql} order by p.number) from print_job_parts p where p.job_id = j.id) end`,
  read: (rows: unknown[][] | null) => rows?.map(STORED_PART.read),
};

/** A job `j` with printer, spool and material. One statement reads all of them, instead of three (W2, W4). */
export const JOB_ROW = rowShape<JobRow, 'printer' | 'spool' | 'parts'>('j', JOB_COLUMNS, {
  parts: PARTS_OF_JOB,
  printer: printerOf('j.printer_id'),
  spool: spoolOf('j.spool_id'),
});

/** The condition that a job has this printer or spool already, or that it is in use and stays so until the job is written. */
export function keepsOrMayTake(owner: 'printer' | 'spool', id: string): Prisma.Sql {
  return Prisma.sql`(print_jobs.${sql(owner)}_id = ${id}::uuid or exists (${inUse(`${owner}s`, Prisma.sql`${id}::uuid`)}))`;
}
