// The SQL of reports: sums of the jobs themselves, read from indexes that have all that they need.

import { isUnknownZone } from '../database/failures';
import type { Queryable } from '../database/queryable';
import { allOf, isOneOf, sql } from '../database/sql';
import { BadInput } from '../errors';
import { Prisma } from '../generated/prisma/client';
import { REMAINING_GRAMS } from '../inventory/inventory.rows';
import { conditionsOf } from '../print-jobs/print-job.filter';
import { batchedRead } from '../sharing/batch';
import type { FilamentUsageArguments } from './usage.inputs';
import { MAX_USAGE_ROWS } from './usage.limits';
import { SPOOL_SUMS, SPOOL_USAGE_ROW, type SpoolUsage, USAGE_ROW, USE, type UsageRow } from './usage.rows';
import type { UsageGroup } from './usage.types';

export interface Report {
  /** The time in which the jobs ended, `from` included; null for no bound. */
  from: string | null;
  to: string | null;
  /** The periods that have rows of their own; null for none. */
  unit: 'day' | 'week' | 'month' | null;
  zone: string;
  groups: ReadonlySet<UsageGroup>;
  filter: NonNullable<FilamentUsageArguments['filter']>;
}

/** The groups beside time: their columns in a source, and the tables with the names that sort them. */
const KINDS = [
  { group: 'PRINTER', id: 'printer_id', of: 'j.printer_id', table: 'printers', name: 'name' },
  { group: 'SPOOL', id: 'spool_id', of: 'j.spool_id', table: 'spools', name: 'spool_serial' },
  { group: 'MATERIAL', id: 'material_id', of: 's.material_id', table: 'materials', name: 'name' },
] as const;
const IDS = KINDS.map(({ id }) => id);

const joined = (parts: string[]) => sql(parts.join(', '));
const groupedBy = (source: string) => joined(['period', ...IDS].map((column) => `${source}.${column}`));
const NO_IDS = joined(IDS.map((id) => `null::uuid as ${id}`));
const NO_GROUP = Prisma.sql`null::timestamp as period, ${NO_IDS}`;
const columnsByUse = (expression: (use: string, figure: string) => string) =>
  joined(['completed', 'wasted'].flatMap((use) => ['jobs', 'grams', 'cost'].map((figure) => expression(use, figure))));
/** The columns of jobs `j` that are added up by their use. */
const OF_JOBS = columnsByUse((use, figure) => `case when j.use = '${use}' then j.${figure} end as ${use}_${figure}`);
/** The sums of the rows `u` of all sources. A sum of decimals may have zeros at its end from a job that is gone. */
const SUMS = columnsByUse((use, figure) => {
  const sum = `coalesce(sum(u.${use}_${figure}), 0)`;
  return `${figure === 'jobs' ? `${sum}::bigint` : `trim_scale(${sum})`} as ${use}_${figure}`;
});
const DAY = sql(`interval '24 hours'`);

export class UsageStore {
  constructor(private readonly database: Queryable) {}

  /** Up to one row more than a report may have. */
  async usage(report: Report): Promise<UsageRow[]> {
    try {
      return await this.database.rows('reports.usage', USAGE_ROW, statementOf(report));
    } catch (error) {
      // The database may know other zones than this program.
      if (isUnknownZone(error)) throw new BadInput('must be a time zone that the database knows', 'timeZone');
      throw error;
    }
  }

  /**
   * How many jobs a report reads, counted up to a number: those in its time or, if they are fewer, those of the printer and
   * the spool in its filter.
   */
  countJobs({ from, to, filter: { printerId, spoolId } }: Report, most: number): Promise<number> {
    const counted = (jobs: Prisma.Sql) =>
      Prisma.sql`(select count(*) from (select from (${jobs}) j limit ${most}::bigint) j)`;
    const inTime = counted(endedIn(...boundsOf({ from, to }), []));
    const owners = conditionsOf({ printerId, spoolId });
    const ofOwners = counted(Prisma.sql`select from print_jobs j where ${allOf(owners)}`);
    return this.database.json(
      'reports.countJobs',
      Prisma.sql`select to_json(${owners.length === 0 ? inTime : Prisma.sql`least(${inTime}, ${ofOwners})`}) as value`,
    );
  }

  readonly ofSpool = batchedRead<string, SpoolUsage>(async (ids) => {
    const rows = await this.database.rows(
      'reports.ofSpool',
      SPOOL_USAGE_ROW,
      Prisma.sql`
      select ${SPOOL_USAGE_ROW.json} as row from (
        select s.id, trim_scale(f.used_grams) as used_grams,
          trim_scale(f.planned_grams) as planned_grams, trim_scale(${REMAINING_GRAMS}) as remaining_grams
        from spools s cross join ${SPOOL_SUMS} where ${isOneOf('s.id', ids, 'uuid')}
      ) g`,
    );
    return new Map(rows.map((row) => [row.id, row]));
  });
}

function statementOf({ unit, zone, groups, ...report }: Report): Prisma.Sql {
  const [from, to] = boundsOf(report);
  const clockAt = (instant: Prisma.Sql) => Prisma.sql`(${instant} at time zone ${zone}::text)`;
  const periodOf = (instant: Prisma.Sql) =>
    unit === null ? Prisma.sql`null::timestamp` : Prisma.sql`date_trunc(${unit}::text, ${clockAt(instant)})`;
  const conditions = conditionsOf(report.filter);
  const kinds = KINDS.filter(({ group }) => groups.has(group));
  const jobs = jobsBy(kinds, periodOf, endedIn(from, to, conditions));
  const source = Prisma.sql`select ${groupedBy('j')}, ${OF_JOBS} from (${jobs}) j`;
  const isGrouped = unit !== null || kinds.length > 0;
  // A clock that was set back may show the begin of a day twice: the first time counts. It is where the clock would have
  // shown it by the offset of the day before.
  const begin = clockAt(sql('g.period'));
  const dayBefore = Prisma.sql`(${begin} - ${DAY})`;
  const byOldOffset = Prisma.sql`(${dayBefore} + (g.period - ${clockAt(dayBefore)}))`;
  return Prisma.sql`
    select ${USAGE_ROW.json} as row from (
      select case when g.period is not null then greatest('0001-01-01Z', least(${begin},
        case when ${clockAt(byOldOffset)} = g.period then ${byOldOffset} end)) end as "from", g.*
      from (
        select ${isGrouped ? groupedBy('u') : NO_GROUP}, ${SUMS} from (${source}) u
        ${isGrouped ? sql('group by 1, 2, 3, 4 having sum(u.completed_jobs) > 0 or sum(u.wasted_jobs) > 0') : Prisma.empty}
      ) g
    ) g
    ${sql(kinds.map(({ id, table }) => `left join ${table} on ${table}.id = g.${id}`).join(' '))}
    order by ${joined(['g.period', ...kinds.map(({ table, name }) => `${table}.${name}`), ...kinds.map(({ id }) => `g.${id}`)])}
    limit ${MAX_USAGE_ROWS + 1}::bigint`;
}

const boundsOf = ({ from, to }: Pick<Report, 'from' | 'to'>): [from: Prisma.Sql, to: Prisma.Sql] => [
  Prisma.sql`${from ?? '-infinity'}::timestamptz`,
  Prisma.sql`${to ?? 'infinity'}::timestamptz`,
];

/** Ended jobs `j` that meet the conditions, added up by period, groups and use. */
function jobsBy(
  kinds: readonly (typeof KINDS)[number][],
  periodOf: (instant: Prisma.Sql) => Prisma.Sql,
  ended: Prisma.Sql,
): Prisma.Sql {
  const ids = KINDS.map((kind) => `${kinds.includes(kind) ? kind.of : 'null::uuid'} as ${kind.id}`);
  const spools = kinds.some(({ group }) => group === 'MATERIAL') ? 'join spools s on s.id = j.spool_id' : '';
  return Prisma.sql`
    select ${periodOf(sql('j.at'))} as period, ${joined(ids)}, ${USE} as use,
      count(*) as jobs, sum(j.grams_derived) as grams, sum(j.cost_per_print) as cost
    from (${ended}) j ${sql(spools)} group by 1, 2, 3, 4, 5`;
}

/** The jobs that ended in a time, as two ranges of the index print_jobs_by_end, each without a look at the table. */
function endedIn(from: Prisma.Sql, to: Prisma.Sql, conditions: Prisma.Sql[]): Prisma.Sql {
  const range = (ended: string, having: Prisma.Sql[]) => Prisma.sql`
    select j.printer_id, j.spool_id, j.status, j.started_at, j.grams_derived, j.cost_per_print, ${sql(ended)} as at
    from print_jobs j where j.status in ('Completed', 'Failed', 'Cancelled')
      and ${sql(ended)} >= ${from} and ${sql(ended)} < ${to} and ${allOf([...having, ...conditions])}`;
  return Prisma.sql`${range('j.completed_at', [])} union all ${range('j.updated_at', [sql('j.completed_at is null')])}`;
}
