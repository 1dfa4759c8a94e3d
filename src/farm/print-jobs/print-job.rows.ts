// The columns of print jobs and of their parts, from which statements and row readers are built, and the SQL of the amounts of a job by
// spool.
import { type Columns, rowShape } from '../../database/rows';
import { sql } from '../../database/sql';
import { Prisma } from '../../generated/prisma/client';
import { nestPrinter, nestSpool, selectUnarchived } from '../inventory/inventory.rows';
import { ENDED_STATUSES } from './print-job.status';
import type { PrintJob } from './print-job.types';

/** A job as it is stored. */
export type StoredJob = Omit<PrintJob, 'printer' | 'spool'> & {
  printerId: string;
  spoolId: string;
  /** Whether the job has parts in print_job_parts. */
  divided: boolean;
};

/** What a job used of one spool, from one slot, between two layers; unknown values are `null`. */
export interface JobPart {
  spoolId: string;
  slot: string | null;
  fromLayer: number | null;
  toLayer: number | null;
  mmExtruded: string;
  gramsDerived: string;
  cost: string;
  filamentDiameterAtPrintMm: string;
  materialDensityAtPrint: string;
  filamentBasis: string;
}

type StoredWithJob =
  | 'spoolId'
  | 'mmExtruded'
  | 'gramsDerived'
  | 'cost'
  | 'filamentDiameterAtPrintMm'
  | 'materialDensityAtPrint';

/** A part as it is stored. Part 0 has the spool of the job; its spool and amounts are `null`, because they follow from the job. */
export type StoredPart = Omit<JobPart, StoredWithJob> & { [Member in StoredWithJob]: JobPart[Member] | null } & {
  jobId: string;
  number: number;
};

export const PART_COLUMNS = {
  jobId: 'uuid',
  number: 'int',
  slot: 'text',
  fromLayer: 'int',
  toLayer: 'int',
  spoolId: 'uuid',
  mmExtruded: 'numeric',
  gramsDerived: 'numeric',
  cost: 'numeric',
  filamentDiameterAtPrintMm: 'numeric',
  materialDensityAtPrint: 'numeric',
  filamentBasis: 'text',
} satisfies Columns<StoredPart>;

/** A part with its spool. */
export type PartRow = StoredPart & Pick<PrintJob, 'spool'>;

/** The members of a part `p`. */
export const STORED_PART = rowShape<StoredPart>('p', PART_COLUMNS);
/** The members of a part `p` with its spool. */
export const PART_ROW = rowShape<PartRow, 'spool'>('p', PART_COLUMNS, { spool: nestSpool('p.spool_id') });

/** A job with its printer and its spool; they are `null` if another program removed their rows without checking foreign keys. */
export type JobRow = StoredJob &
  Pick<PrintJob, 'printer' | 'spool'> & {
    /** The parts of a divided job by number; `null` for a whole job, undefined if the statement did not read parts. */
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

/** The members of a job `j` without its printer and spool. */
export const STORED_JOB = rowShape<StoredJob>('j', JOB_COLUMNS);

/**
 * The statement of the job also reads its parts, because a second statement would see another moment, and the parts might not add up to the
 * job. It does not read the spools of the parts, because planning these reads would take a quarter of the time of one job (W4 of docs/explanation/speed.md).
 */
const PARTS_OF_JOB = {
  sql: `case when j.divided then (
    select json_agg(${STORED_PART.json.sql} order by p.number) from print_job_parts p where p.job_id = j.id) end`,
  read: (rows: unknown[][] | null) => rows?.map(STORED_PART.read),
};

/** The members of a job `j` with printer, spool and material. One statement reads all of them; three statements were slower (W2, W4). */
export const JOB_ROW = rowShape<JobRow, 'printer' | 'spool' | 'parts'>('j', JOB_COLUMNS, {
  parts: PARTS_OF_JOB,
  printer: nestPrinter('j.printer_id'),
  spool: nestSpool('j.spool_id'),
});

/** Whether a job already has this printer or spool, or may get it because it is not archived. A lock prevents archiving until the job is written. */
export function keepsOrMayUse(owner: 'printer' | 'spool', id: string): Prisma.Sql {
  return Prisma.sql`(print_jobs.${sql(owner)}_id = ${id}::uuid or exists (${selectUnarchived(`${owner}s`, Prisma.sql`${id}::uuid`)}))`;
}

/** An amount of part 0 of a job `j`: what the other parts leave, not below 0. This is the only place in SQL with this rule. */
const selectMainAmount = (column: string, others: string) => `greatest(j.${column} - coalesce(${others}, 0), 0)`;

/** The amount of a part `p` of its job `j`. The row of part 0 stores no amounts. */
const selectPartAmount = (column: string, partColumn = column) =>
  `case p.number when 0 then ${selectMainAmount(column, `sum(p.${partColumn}) over (partition by p.job_id)`)} else p.${partColumn} end`;

/** Whether a job `j` has ended. The index print_jobs_by_end has the same condition. */
export const HAS_ENDED = sql(`j.status in (${[...ENDED_STATUSES].map((status) => `'${status}'`).join(', ')})`);

/** The grams of part 0 of one job `j`. For many jobs use selectAmountsBySpool, which takes two thirds of the time. */
export const GRAMS_OF_PART_0 = sql(
  selectMainAmount('grams_derived', '(select sum(p.grams_derived) from print_job_parts p where p.job_id = j.id)'),
);

/** The amounts of divided jobs by spool: a row for each part with spool_id, grams, cost and the given columns of the job. */
export const selectAmountsBySpool = (jobs: Prisma.Sql, columns: Prisma.Sql) => Prisma.sql`
  select ${columns}, p.job_id, coalesce(p.spool_id, j.spool_id) as spool_id,
    ${sql(selectPartAmount('grams_derived'))} as grams, ${sql(selectPartAmount('cost_per_print', 'cost'))} as cost
  from (${jobs}) j join print_job_parts p on p.job_id = j.id`;

/** The two conditions under which a job `j` used a spool: as the spool of the job, or in a part. Each has an index; no job meets both. */
export const createUsedSpoolConditions = (spool: Prisma.Sql): [ofJob: Prisma.Sql, ofPart: Prisma.Sql] => [
  Prisma.sql`j.spool_id = ${spool}`,
  Prisma.sql`j.divided and j.spool_id <> ${spool} and j.id in (select p.job_id from print_job_parts p where p.spool_id = ${spool})`,
];
