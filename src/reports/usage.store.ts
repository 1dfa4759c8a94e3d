// The SQL of reports. Sums that triggers keep answer by time alone; the jobs themselves answer the rest.
//
// For example, a report by day in Europe/Berlin (UTC+2 in June) of 1 June from 08:10 on and of 2 June. In UTC it goes from
// 06:10 on 1 June to 22:00 on 2 June. It reads:
// - No sum of a day of UTC: Berlin's day begins at 22:00, so each day of UTC lies in two days of the report.
// - The sums of 39 hours: of 1 June from 07:00 on, of 2 June to 22:00. Those of 1 June from 22:00 on count for 2 June.
// - The sums of three quarters of the hour that the report cuts: 06:15, 06:30 and 06:45.
// - The jobs that ended from 06:10 to 06:15, because the report cuts that quarter too.
// A report by month reads sums of days too: of each day of UTC that lies in one month of Berlin.

import { isUnknownZone } from '../database/failures';
import type { Queryable } from '../database/queryable';
import { allOf, isOneOf, sql } from '../database/sql';
import { BadInput } from '../errors';
import { Prisma } from '../generated/prisma/client';
import { conditionsOf } from '../print-jobs/print-job.filter';
import { batchedRead } from '../sharing/batch';
import type { FilamentUsageArguments } from './usage.inputs';
import { MAX_USAGE_ROWS } from './usage.limits';
import {
  PLANNED_GRAMS,
  REMAINING_GRAMS,
  SPOOL_USAGE_ROW,
  type SpoolUsage,
  spoolsWithSums,
  USAGE_ROW,
  type UsageRow,
} from './usage.rows';
import type { UsageGroup } from './usage.types';

interface Report {
  /** The time in which the jobs ended, `from` included; null for no bound. */
  from: string | null;
  to: string | null;
  /** The stretches of time that have rows of their own; null for none. */
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
/** The columns of a row `t` of the kept sums. */
const OF_KEPT_SUMS = columnsByUse((use, figure) => `t.${use}_${figure}`);
/** The columns of jobs `j` that are added up by their use. */
const OF_JOBS = columnsByUse((use, figure) => `case when j.use = '${use}' then j.${figure} end as ${use}_${figure}`);
/** The sums of the rows `u` of all sources. A sum of decimals may have zeros at its end from a job that is gone. */
const SUMS = columnsByUse((use, figure) => {
  const sum = `coalesce(sum(u.${use}_${figure}), 0)`;
  return `${figure === 'jobs' ? `${sum}::bigint` : `trim_scale(${sum})`} as ${use}_${figure}`;
});
/** The last instant of a stretch is so long before its end, because times are kept in milliseconds. */
const MILLISECOND = sql(`interval '1 millisecond'`);
const DAY = sql(`interval '24 hours'`);
const QUARTER = sql(`interval '15 minutes'`);

/** Added by one statement: about 50 ms. */
const ROWS_FOLDED = 5000;

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

  readonly ofSpool = batchedRead<string, SpoolUsage>(async (ids) => {
    const rows = await this.database.rows(
      'reports.ofSpool',
      SPOOL_USAGE_ROW,
      Prisma.sql`
      select ${SPOOL_USAGE_ROW.json} as row from (
        select s.id, trim_scale(coalesce(f.used_grams, 0)) as used_grams,
          trim_scale(${sql(PLANNED_GRAMS)}) as planned_grams,
          trim_scale(${sql(REMAINING_GRAMS)}) as remaining_grams
        from ${spoolsWithSums(this.database)} where ${isOneOf('s.id', ids, 'uuid')}
      ) g`,
    );
    return new Map(rows.map((row) => [row.id, row]));
  });

  /** Adds the notes of the triggers to the sums by time, in short transactions. */
  async fold(): Promise<void> {
    for (let folded = ROWS_FOLDED; folded === ROWS_FOLDED; ) {
      folded = await this.database.json<number>(
        'reports.fold',
        Prisma.sql`select to_json(fold_filament(${ROWS_FOLDED}::bigint)) as value`,
      );
    }
  }
}

function statementOf({ unit, zone, groups, ...report }: Report): Prisma.Sql {
  const from = Prisma.sql`${report.from ?? '-infinity'}::timestamptz`;
  const to = Prisma.sql`${report.to ?? 'infinity'}::timestamptz`;
  const clockAt = (instant: Prisma.Sql) => Prisma.sql`(${instant} at time zone ${zone}::text)`;
  const periodOf = (instant: Prisma.Sql) =>
    unit === null ? Prisma.sql`null::timestamp` : Prisma.sql`date_trunc(${unit}::text, ${clockAt(instant)})`;
  const conditions = conditionsOf(report.filter);
  const kinds = KINDS.filter(({ group }) => groups.has(group));
  const source =
    kinds.length === 0 && conditions.length === 0
      ? keptSums(periodOf, unit === null ? periodOf : clockAt, from, to)
      : Prisma.sql`select ${groupedBy('j')}, ${OF_JOBS} from (
          ${jobsBy(kinds, periodOf, allOf([endedIn(from, to), ...conditions]))}
        ) j`;
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

/** The jobs that end in a stretch, as two ranges of the index print_jobs_by_end. */
function endedIn(from: Prisma.Sql, to: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`filament_use(j.status, j.started_at) <> 'planned'
    and (j.completed_at >= ${from} and j.completed_at < ${to}
      or j.completed_at is null and j.updated_at >= ${from} and j.updated_at < ${to})`;
}

/** The begin of the period of an instant, or its time by the clock of the zone; null in a report without periods. */
type TimeOf = (instant: Prisma.Sql) => Prisma.Sql;

/** Jobs `j` that meet the condition, added up by period, groups and use. */
function jobsBy(kinds: readonly (typeof KINDS)[number][], periodOf: TimeOf, condition: Prisma.Sql): Prisma.Sql {
  const ids = KINDS.map((kind) => `${kinds.includes(kind) ? kind.of : 'null::uuid'} as ${kind.id}`);
  const spools = kinds.some(({ group }) => group === 'MATERIAL') ? 'join spools s on s.id = j.spool_id' : '';
  return Prisma.sql`
    select ${periodOf(sql('coalesce(j.completed_at, j.updated_at)'))} as period, ${joined(ids)},
      filament_use(j.status, j.started_at) as use,
      count(*) as jobs, sum(j.grams_derived) as grams, sum(j.cost_per_print) as cost
    from print_jobs j ${sql(spools)} where ${condition} group by 1, 2, 3, 4, 5`;
}

/**
 * The kept sums of days of UTC. A day that lies in two periods of the report, or only in part in it, is replaced by its
 * hours; such an hour by its quarters of an hour; such a quarter by its jobs. All zones of today differ from UTC by whole
 * quarters, so only the quarters at the two ends of a report read jobs.
 */
function keptSums(periodOf: TimeOf, clockAt: TimeOf, from: Prisma.Sql, to: Prisma.Sql): Prisma.Sql {
  const isWhole = (begins: Prisma.Sql, length: Prisma.Sql) => {
    const last = Prisma.sql`(${begins} + ${length} - ${MILLISECOND})`;
    // A clock that is set back may leave a period for a minute within an hour, and come back to it.
    return Prisma.sql`${begins} >= ${from} and ${begins} + ${length} <= ${to}
      and ${periodOf(begins)} is not distinct from ${periodOf(last)}
      and coalesce(${clockAt(last)} - ${clockAt(begins)} = ${last} - ${begins}, true)`;
  };
  const length = sql(`s.minutes * interval '1 minute'`);
  // OFFSET keeps the planner from a join that reads all sums for each stretch.
  const sums = (condition: Prisma.Sql) => Prisma.sql`
    select s.*, ${periodOf(sql('s.begins'))} as period, ${isWhole(sql('s.begins'), length)} as whole
    from filament_by_time s where ${condition} and s.begins + ${length} > ${from} and s.begins < ${to} offset 0`;
  return Prisma.sql`
    with recursive part as (
      select t.* from (${sums(sql('s.minutes = 1440'))}) t
      union all
      select t.* from part p cross join lateral (${sums(
        sql(`s.minutes = case p.minutes when 1440 then 60 else 15 end
          and s.begins >= p.begins and s.begins < p.begins + p.minutes * interval '1 minute'`),
      )}) t
      where not p.whole and p.minutes > 15
    ), unfolded as materialized (
      select t.*, ${periodOf(sql('t.begins'))} as period, ${isWhole(sql('t.begins'), QUARTER)} as whole
      from filament_to_fold t where t.begins + ${QUARTER} > ${from} and t.begins < ${to}
    )
    select t.period, ${NO_IDS}, ${OF_KEPT_SUMS} from part t where t.whole
    union all
    select t.period, ${NO_IDS}, ${OF_KEPT_SUMS} from unfolded t where t.whole
    union all
    select ${groupedBy('j')}, ${OF_JOBS} from (
      select p.begins from part p where p.minutes = 15 and not p.whole
      union
      select f.begins from unfolded f where not f.whole
    ) q cross join lateral (${jobsBy(
      [],
      periodOf,
      endedIn(Prisma.sql`greatest(q.begins, ${from})`, Prisma.sql`least(q.begins + ${QUARTER}, ${to})`),
    )}) j`;
}
