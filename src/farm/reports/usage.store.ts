// The SQL of reports: sums of the jobs themselves, read from indexes that have all columns that the sums need.

import { isUnknownZone } from '../../database/failures';
import type { Queryable } from '../../database/queryable';
import { joinConditions, sql } from '../../database/sql';
import { BadInput } from '../../errors';
import { Prisma } from '../../generated/prisma/client';
import { createJobConditions, createLists } from '../print-jobs/print-job.filter';
import { createUsedSpoolConditions, HAS_ENDED, selectAmountsBySpool } from '../print-jobs/print-job.rows';
import {
  type LossRange,
  selectAdjustments,
  selectLosses,
  selectReports,
  selectUsesOfLedgers,
} from '../stock/losses.rows';
import { USE } from '../stock/stock.rows';
import type { FilamentUsageArguments } from './usage.inputs';
import { USAGE_ROW, type UsageRow } from './usage.rows';
import type { UsageGroup } from './usage.types';

/** The most rows of one report: some megabytes, 27 years by day, or one year by day for 27 printers. */
export const MAX_USAGE_ROWS = 10_000;

export interface Report {
  /** The time in which the jobs ended, from `from` until before `to`; `null` for no bound. */
  from: string | null;
  to: string | null;
  /** The unit of the periods; `null` if the report is not grouped by time. */
  unit: 'day' | 'week' | 'month' | null;
  zone: string;
  groups: ReadonlySet<UsageGroup>;
  filter: NonNullable<FilamentUsageArguments['filter']>;
  /** Whether the request selects lostGrams or lostCost. The report has the same rows either way. */
  hasLosses: boolean;
  /** Whether the report has only jobs: no losses, and nothing that other programs reported. */
  isOfJobs?: boolean;
}

/** The groups besides time: their columns in a source, and the tables with the names that order the rows. */
const GROUPS = [
  { group: 'PRINTER', id: 'printer_id', column: 'j.printer_id', table: 'printers', name: 'name' },
  { group: 'SPOOL', id: 'spool_id', column: 'j.spool_id', table: 'spools', name: 'spool_serial' },
  { group: 'MATERIAL', id: 'material_id', column: 's.material_id', table: 'materials', name: 'name' },
  { group: 'FILAMENT', id: 'filament_id', column: 's.filament_id', table: 'filaments', name: 'name' },
] as const;
const IDS = GROUPS.map(({ id }) => id);

const joinSql = (parts: string[]) => sql(parts.join(', '));
const listGroupColumns = (source: string) => joinSql(['period', ...IDS].map((column) => `${source}.${column}`));
const GROUPED_ROWS = sql(`group by ${['period', ...IDS].map((_, at) => at + 1)}
  having sum(u.completed_jobs) > 0 or sum(u.wasted_jobs) > 0 or bool_or(u.is_of_ledger)`);
const NO_IDS = joinSql(IDS.map((id) => `null::uuid as ${id}`));
const NO_GROUP = Prisma.sql`null::timestamp as period, ${NO_IDS}`;
const listColumnsByUse = (expression: (use: string, figure: string) => string) =>
  joinSql(['completed', 'wasted'].flatMap((use) => ['jobs', 'grams', 'cost'].map((figure) => expression(use, figure))));
/** The figures of jobs `j`, split by use. */
const JOB_FIGURES = listColumnsByUse(
  (use, figure) =>
    `case when ${use === 'completed' ? '' : 'not '}j.is_completed then j.${figure} end as ${use}_${figure}`,
);
/**
 * `true` for a completed job, `false` for a wasted job, null for others. With a boolean, PostgreSQL's planner expects few groups and adds up
 * in memory. With a text it expected 67,000 groups instead of 650, and sorted a million jobs on disk.
 */
const IS_COMPLETED = sql(`(${USE.text}) = 'completed'`);
const NO_JOB_FIGURES = listColumnsByUse((use, figure) => `null as ${use}_${figure}`);
/** The sums over the rows `u` of all sources. trim_scale removes zeros at the end, which a sum may keep from a job that no longer counts. */
const SUMS = listColumnsByUse((use, figure) => {
  const sum = `coalesce(sum(u.${use}_${figure}), 0)`;
  return `${figure === 'jobs' ? `${sum}::bigint` : `trim_scale(${sum})`} as ${use}_${figure}`;
});
const LOST_SUMS = joinSql(
  ['grams', 'cost'].map((figure) => `trim_scale(coalesce(sum(u.lost_${figure}), 0)) as lost_${figure}`),
);
const NOTHING_LOST = sql('null::numeric as lost_grams, null::numeric as lost_cost');
const REPORTED_SUM = sql('trim_scale(coalesce(sum(u.reported_grams), 0)) as reported_grams');
const NOTHING_REPORTED = sql('null::numeric as reported_grams');
const DAY = sql(`interval '24 hours'`);

export class UsageStore {
  constructor(private readonly database: Queryable) {}

  /** Reads up to one row more than a report may have. */
  async usage(report: Report): Promise<UsageRow[]> {
    try {
      return await this.database.rows('reports.usage', USAGE_ROW, createStatement(report));
    } catch (error) {
      // The database may have another list of time zones than this program.
      if (isUnknownZone(error)) throw new BadInput('must be a time zone that the database knows', 'timeZone');
      throw error;
    }
  }

  /**
   * How many jobs a report reads, counted up to a maximum: the jobs in its time or, if these are fewer, the jobs of the printer and the
   * spool in its filter.
   */
  countJobs({ from, to, filter: { printerId, spoolId } }: Report, most: number): Promise<number> {
    const counted = (jobs: Prisma.Sql) =>
      Prisma.sql`(select count(*) from (select from (${jobs}) j limit ${most}::bigint) j)`;
    const inTime = counted(selectEndedJobs(...createBounds({ from, to }), [], sql('j.status')));
    const lists = createLists({ printerId, spoolId });
    const ofOwners = counted(
      Prisma.join(
        lists.map((owners) => Prisma.sql`select from print_jobs j where ${joinConditions(owners)}`),
        ' union all ',
      ),
    );
    const hasOwners = printerId != null || spoolId != null;
    return this.database.json(
      'reports.countJobs',
      Prisma.sql`select to_json(${hasOwners ? Prisma.sql`least(${inTime}, ${ofOwners})` : inTime}) as value`,
    );
  }

  /** How many uses of spools a report reads to calculate losses, counted up to a maximum. */
  async countLedgerUses(report: Report, most: number): Promise<number> {
    const range = report.hasLosses ? findLossRange(report) : null;
    if (range === null) return 0;
    return this.database.json(
      'reports.countUsesOfLedgers',
      Prisma.sql`select to_json(count(*)) as value from (${selectUsesOfLedgers(range)} limit ${most}::bigint) u`,
    );
  }
}

/** @returns null for a report of printers or of filtered jobs: a loss belongs to a spool, not to a job, so such a report has no losses */
function findLossRange({ groups, filter, isOfJobs, ...report }: Report): LossRange | null {
  if (isOfJobs || groups.has('PRINTER') || createJobConditions(filter).length > 0) return null;
  const [from, to] = createBounds(report);
  return { from, to, spool: filter.spoolId == null ? null : Prisma.sql`${filter.spoolId}::uuid` };
}

function createStatement(report: Report): Prisma.Sql {
  const { unit, zone, groups } = report;
  const [from, to] = createBounds(report);
  const clockAt = (instant: Prisma.Sql) => Prisma.sql`(${instant} at time zone ${zone}::text)`;
  const periodOf = (instant: Prisma.Sql) =>
    unit === null ? Prisma.sql`null::timestamp` : Prisma.sql`date_trunc(${unit}::text, ${clockAt(instant)})`;
  const kinds = GROUPS.filter(({ group }) => groups.has(group));
  const jobs = Prisma.join(
    listUseSources(from, to, kinds, report.filter).map((uses) => selectJobSums(kinds, periodOf, uses)),
    ' union all ',
  );
  const range = findLossRange(report);
  const others =
    range === null
      ? []
      : [selectLossRows(kinds, periodOf, range, report.hasLosses), selectReportRows(kinds, periodOf, range)];
  const ofJobs = Prisma.sql`select ${listGroupColumns('j')}, ${JOB_FIGURES}, ${NOTHING_LOST}, ${NOTHING_REPORTED}, false as is_of_ledger
    from (${jobs}) j`;
  const source = Prisma.join([ofJobs, ...others], ' union all ');
  const isGrouped = unit !== null || kinds.length > 0;
  // A clock that is set back may show the start of a day twice, and the first time counts. This is the time that the offset of the day
  // before leads to.
  const periodStart = clockAt(sql('g.period'));
  const dayBefore = Prisma.sql`(${periodStart} - ${DAY})`;
  const byOldOffset = Prisma.sql`(${dayBefore} + (g.period - ${clockAt(dayBefore)}))`;
  return Prisma.sql`
    select ${USAGE_ROW.json} as row from (
      select case when g.period is not null then greatest('0001-01-01Z', least(${periodStart},
        case when ${clockAt(byOldOffset)} = g.period then ${byOldOffset} end)) end as "from", g.*
      from (
        select ${isGrouped ? listGroupColumns('u') : NO_GROUP}, ${SUMS}, ${range === null || !report.hasLosses ? NOTHING_LOST : LOST_SUMS},
          ${range === null ? NOTHING_REPORTED : REPORTED_SUM}
        from (${source}) u
        ${isGrouped ? GROUPED_ROWS : Prisma.empty}
      ) g
    ) g
    ${sql(kinds.map(({ id, table }) => `left join ${table} on ${table}.id = g.${id}`).join(' '))}
    order by ${joinSql(['g.period', ...kinds.map(({ table, name }) => `${table}.${name}`), ...kinds.map(({ id }) => `g.${id}`)])}
    limit ${MAX_USAGE_ROWS + 1}::bigint`;
}

const createBounds = ({ from, to }: Pick<Report, 'from' | 'to'>): [from: Prisma.Sql, to: Prisma.Sql] => [
  Prisma.sql`${from ?? '-infinity'}::timestamptz`,
  Prisma.sql`${to ?? 'infinity'}::timestamptz`,
];

type Group = (typeof GROUPS)[number];

type PeriodOf = (instant: Prisma.Sql) => Prisma.Sql;

/** The columns of the groups of rows `j`. joinSpools adds the spools `s` that these columns need. */
const selectGroupIds = (kinds: readonly Group[]) =>
  joinSql(GROUPS.map((kind) => `${kinds.includes(kind) ? kind.column : 'null::uuid'} as ${kind.id}`));
const joinSpools = (kinds: readonly Group[]) =>
  kinds.some(({ column }) => column.startsWith('s.')) ? sql('join spools s on s.id = j.spool_id') : Prisma.empty;

/** Sums over uses `j` of ended jobs, by period, groups and use. */
function selectJobSums(kinds: readonly Group[], periodOf: PeriodOf, uses: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    select ${periodOf(sql('j.at'))} as period, ${selectGroupIds(kinds)}, ${IS_COMPLETED} as is_completed,
      count(*) filter (where j.counts) as jobs, sum(j.grams) as grams, sum(j.cost) as cost
    from (${uses}) j ${joinSpools(kinds)} group by 1, 2, 3, 4, 5, 6`;
}

/** The adjustments of spools. Their losses need the uses of all jobs of these spools. */
function selectLossRows(
  kinds: readonly Group[],
  periodOf: PeriodOf,
  range: LossRange,
  hasFigures: boolean,
): Prisma.Sql {
  const [rows, figures] = hasFigures
    ? [selectLosses(range), sql('j.grams as lost_grams, j.cost as lost_cost')]
    : [selectAdjustments(range), NOTHING_LOST];
  return Prisma.sql`select ${periodOf(sql('j.at'))} as period, ${selectGroupIds(kinds)}, ${NO_JOB_FIGURES}, ${figures},
      ${NOTHING_REPORTED}, true
    from (${rows}) j ${joinSpools(kinds)}`;
}

/** What other programs reported of spools and counts. */
const selectReportRows = (kinds: readonly Group[], periodOf: PeriodOf, range: LossRange): Prisma.Sql =>
  Prisma.sql`select ${periodOf(sql('j.at'))} as period, ${selectGroupIds(kinds)}, ${NO_JOB_FIGURES}, ${NOTHING_LOST},
      j.grams as reported_grams, true
    from (${selectReports(range)}) j ${joinSpools(kinds)}`;

const COLUMNS_OF_DIVIDED = sql(
  'j.id, j.printer_id, j.spool_id, j.status, j.started_at, j.grams_derived, j.cost_per_print',
);
const COLUMNS_OF_WHOLE =
  'j.printer_id, j.spool_id, j.status, j.started_at, j.grams_derived as grams, j.cost_per_print as cost';

/**
 * The uses of ended jobs, in sources that are added up separately: a row for each job or, in a report of spools, materials or filaments, a
 * row for each part of a divided job. A job with several parts in a group counts there once, by its first row.
 */
function listUseSources(
  from: Prisma.Sql,
  to: Prisma.Sql,
  kinds: readonly Group[],
  filter: Report['filter'],
): Prisma.Sql[] {
  const conditions = createJobConditions(filter);
  const spoolKinds = kinds.filter(({ group }) => group !== 'PRINTER');
  const whole = sql(`${COLUMNS_OF_WHOLE}, true as counts`);
  if (spoolKinds.length === 0 && filter.spoolId == null) return [selectEndedJobs(from, to, conditions, whole)];
  const spool = filter.spoolId == null ? null : Prisma.sql`${filter.spoolId}::uuid`;
  const spoolConditions = spool === null ? [] : [Prisma.sql`j.spool_id = ${spool}`];
  const undivided = selectEndedJobs(from, to, [sql('not j.divided'), ...spoolConditions, ...conditions], whole);
  const divided = Prisma.join(
    (spool === null ? [[]] : createUsedSpoolConditions(spool).map((condition) => [condition])).map((usedConditions) =>
      selectEndedJobs(from, to, [sql('j.divided'), ...usedConditions, ...conditions], COLUMNS_OF_DIVIDED),
    ),
    ' union all ',
  );
  const amounts = selectAmountsBySpool(divided, sql('j.printer_id, j.status, j.started_at, j.at'));
  const parts = Prisma.sql`
    select j.*, row_number() over (partition by ${joinSql(['j.job_id', ...spoolKinds.map(({ column }) => column)])}) = 1 as counts
    from (${amounts}) j ${joinSpools(spoolKinds)} where ${joinConditions(spoolConditions)}`;
  return [undivided, parts];
}

/** The jobs that ended in a range of time, as two ranges of the index print_jobs_by_end. Both are read from the index alone. */
function selectEndedJobs(from: Prisma.Sql, to: Prisma.Sql, conditions: Prisma.Sql[], columns: Prisma.Sql): Prisma.Sql {
  const range = (at: string, having: Prisma.Sql[]) => Prisma.sql`
    select ${columns}, ${sql(at)} as at
    from print_jobs j where ${HAS_ENDED}
      and ${sql(at)} >= ${from} and ${sql(at)} < ${to} and ${joinConditions([...having, ...conditions])}`;
  return Prisma.sql`${range('j.completed_at', [])} union all ${range('j.updated_at', [sql('j.completed_at is null')])}`;
}
