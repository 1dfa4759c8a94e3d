// The columns of print jobs and of their parts, each named once: statements and row readers are made from these tables. A job's amounts by
// spool, in SQL.
import { type Columns, rowShape } from '../../database/rows';
import { sql } from '../../database/sql';
import { Prisma } from '../../generated/prisma/client';
import { inUse, printerOf, spoolOf } from '../inventory/inventory.rows';
import { ENDED } from './print-job.status';
import type { PrintJob } from './print-job.types';

/** A job as its table holds it. */
export type StoredJob = Omit<PrintJob, 'printer' | 'spool'> & {
  printerId: string;
  spoolId: string;
  /** Whether it has parts in a table of their own. */
  divided: boolean;
};

/** What a job used of one spool, from one slot, between two layers; null for what was not said. */
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

/** A part as its table holds it. Number 0 is the job's own part, whose other members are null: the job has them. */
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

/** A part `p`. */
export const STORED_PART = rowShape<StoredPart>('p', PART_COLUMNS);
/** A part `p` with its spool. */
export const PART_ROW = rowShape<PartRow, 'spool'>('p', PART_COLUMNS, { spool: spoolOf('p.spool_id') });

/** A job with its printer and its spool; null where another program removed the row, past its foreign key. */
export type JobRow = StoredJob &
  Pick<PrintJob, 'printer' | 'spool'> & {
    /** The parts of a divided job, by number. Null: the job has none. Undefined: the statement did not read them. */
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
export function keepsOrMayUse(owner: 'printer' | 'spool', id: string): Prisma.Sql {
  return Prisma.sql`(print_jobs.${sql(owner)}_id = ${id}::uuid or exists (${inUse(`${owner}s`, Prisma.sql`${id}::uuid`)}))`;
}

/** The own part of an amount of a job `j`: what the others leave, and not below 0. No other line of SQL has this rule. */
const selectMainAmount = (ofJob: string, others: string) => `greatest(j.${ofJob} - coalesce(${others}, 0), 0)`;

/** What a part `p` has of an amount of its job `j`. The row of the own part has none. */
const selectPartAmount = (ofJob: string, ofPart = ofJob) =>
  `case p.number when 0 then ${selectMainAmount(ofJob, `sum(p.${ofPart}) over (partition by p.job_id)`)} else p.${ofPart} end`;

/** Whether a job `j` has ended. The indexes by end have it as their condition (print_jobs_by_end). */
export const HAS_ENDED = sql(`j.status in (${[...ENDED].map((status) => `'${status}'`).join(', ')})`);

/** The grams of the own part of one job `j`. For many jobs a sum over their parts side by side takes two thirds of the time. */
export const OWN_GRAMS = sql(
  selectMainAmount('grams_derived', '(select sum(p.grams_derived) from print_job_parts p where p.job_id = j.id)'),
);

/** The amounts of divided jobs by spool: a row for each part, in the columns spool_id, grams and cost beside those of the job. */
export const amountsBySpool = (jobs: Prisma.Sql, columns: Prisma.Sql) => Prisma.sql`
  select ${columns}, p.job_id, coalesce(p.spool_id, j.spool_id) as spool_id,
    ${sql(selectPartAmount('grams_derived'))} as grams, ${sql(selectPartAmount('cost_per_print', 'cost'))} as cost
  from (${jobs}) j join print_job_parts p on p.job_id = j.id`;

/** The two conditions under which a job `j` used a spool, as its own or beside it, each with its index. No job meets both. */
export const usedSpool = (spool: Prisma.Sql): [own: Prisma.Sql, beside: Prisma.Sql] => [
  Prisma.sql`j.spool_id = ${spool}`,
  Prisma.sql`j.divided and j.spool_id <> ${spool} and j.id in (select p.job_id from print_job_parts p where p.spool_id = ${spool})`,
];
