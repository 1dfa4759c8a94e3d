// The SQL that calculates what is left of spools and filaments: grams that jobs used and will use, grams that other programs reported,
// weighings, and corrections.
import { type Columns, rowShape } from '../../database/rows';
import { sql } from '../../database/sql';
import { GRAMS_OF_PART_0 } from '../print-jobs/print-job.rows';
import type { FilamentStock } from './stock.types';

/** The grams of a spool. */
export interface SpoolGrams {
  id: string;
  usedGrams: string;
  /** The part of usedGrams that other programs reported. */
  reportedGrams: string;
  /** The part of usedGrams that the latest weighing found used of jobs that still print. */
  printingGrams: string;
  plannedGrams: string;
  adjustedGrams: string;
  remainingGrams: string;
}

/** The members of a spool `g` with its sums. */
export const SPOOL_GRAMS_ROW = rowShape<SpoolGrams>('g', {
  id: 'uuid',
  usedGrams: 'numeric',
  reportedGrams: 'numeric',
  printingGrams: 'numeric',
  plannedGrams: 'numeric',
  adjustedGrams: 'numeric',
  remainingGrams: 'numeric',
});

/** The members of a filament `g` with its sums. */
export const FILAMENT_STOCK_COLUMNS = {
  spools: 'int',
  remainingGrams: 'numeric',
  plannedGrams: 'numeric',
  freeGrams: 'numeric',
  isLow: 'boolean',
} satisfies Columns<FilamentStock>;
export const FILAMENT_STOCK_ROW = rowShape<FilamentStock & { id: string }>('g', {
  id: 'uuid',
  ...FILAMENT_STOCK_COLUMNS,
});

/**
 * How the filament of a job `j` counts; null for a job that was cancelled before it had started. A job has started if its started_at is set.
 * All statements take this rule from here.
 */
export const USE = sql(`case
  when j.status = 'Completed' then 'completed'
  when j.status = 'Failed' or (j.status = 'Cancelled' and j.started_at is not null) then 'wasted'
  when j.status in ('Queued', 'Printing') then 'planned' end`);

/** The time from which an ended job `j` counts for what is left of its spool: the earliest end that the job has had. Reports take the latest end. */
export const FIRST_END = sql('coalesce(least(j.completed_at, j.earlier_completed_at), j.updated_at)');

/** The uses of a spool by jobs `j`: jobs whose spool it is, and parts of other jobs. Both halves find their rows by an index. */
const selectJobUses = (spool: string, columns: string, condition = 'true') => `
  select case when j.divided then ${GRAMS_OF_PART_0.text} else j.grams_derived end as grams, ${columns}
  from print_jobs j where j.spool_id = ${spool} and ${condition}
  union all select p.grams_derived, ${columns} from print_job_parts p join print_jobs j on j.id = p.job_id and j.divided
  where p.spool_id = ${spool} and ${condition}`;

/** What other programs reported of a spool and counts. A spool without reports costs one look into an index. */
const selectReportedGrams = (spool: string) => `
  select r.at, r.grams from counted_reports(${spool}) r
  where (select true from reported_uses o where o.spool_id = ${spool} limit 1)`;

/** All uses of a spool: those of jobs `j`, and reports. A report counts as a job without an id that completed at the end of the report. */
export const selectUses = (spool: string, columns: string) => `
  ${selectJobUses(spool, columns)}
  union all select j.grams, ${columns} from (
    select r.grams, null::uuid as id, 'Completed' as status, r.at as started_at, r.at as completed_at, r.at as earlier_completed_at,
      r.at as updated_at
    from (${selectReportedGrams(spool)}) r
  ) j`;

const IS_WEIGHING = `kind in ('OPENING', 'WEIGHED')`;

/** The latest weighing or starting weight of a spool for which a condition on the row `a` holds. */
export const selectLatestWeighing = (spool: string, condition = 'true') =>
  sql(`(
    select a.* from spool_adjustments a where a.spool_id = ${spool} and a.${IS_WEIGHING} and a.taken_back_at is null and ${condition}
    order by a.at desc, a.id desc limit 1
  )`);

/** The grams that users corrected of a spool, over the rows `a` for which a condition holds. */
const sumCorrections = (spool: string, condition: string) =>
  sql(`(
    select coalesce(sum(a.grams), 0) from spool_adjustments a
    where a.spool_id = ${spool} and a.kind in ('CORRECTED', 'LOST') and a.taken_back_at is null and ${condition}
  )`);

/**
 * The grams of a job `u` that a weighing notes as used, never more than the job has. A null in the note means all grams of the job: least()
 * ignores null. A job without grams that still prints gets its grams at its end, so until then the note counts whole.
 */
const countNoted = (noted: string) =>
  `case when u.use = 'planned' and sum(u.grams) = 0 then coalesce(${noted}, 0) else least(${noted}, sum(u.grams)) end`;

/**
 * The grams that were used of a spool until a weighing: `before` has all of them, `noted` those that the weighing notes of jobs that were
 * printing then, `printing` those of jobs that are still printing, and `of_plans` those of them that are in the plans of these jobs. All are
 * 0 without a weighing.
 */
const sumUsesUntil = (weighing: string, spool: string) =>
  sql(`lateral (
    select coalesce(sum(case when w.use <> 'planned' and w.first_end <= ${weighing}.at then w.grams else w.share end), 0) as before,
      coalesce(sum(w.share) filter (where w.use = 'planned'), 0) as printing,
      coalesce(sum(least(w.share, w.grams)) filter (where w.use = 'planned'), 0) as of_plans,
      coalesce(sum(w.share), 0) as noted
    from (
      select u.use, u.first_end, sum(u.grams) as grams,
        case when ${weighing}.printing->u.id::text is null then 0
          else ${countNoted(`(${weighing}.printing->>u.id::text)::numeric`)} end as share
      from (${selectUses(spool, `j.id, ${USE.text} as use, ${FIRST_END.text} as first_end`)}) u
      where ${weighing}.id is not null and u.use is not null group by u.id, u.use, u.first_end
    ) w
  )`);

/**
 * The grams that a weighing `c` notes of jobs that were printing then: `noted` has all of them, and `later` those of jobs that had not ended
 * before the weighing.
 */
export const NOTED = sql(`lateral (
  select coalesce(sum(w.share), 0) as noted, coalesce(sum(w.share) filter (where w.is_later), 0) as later from (
    select ${countNoted('e.value::numeric')} as share, u.use = 'planned' or u.first_end > c.at as is_later
    from json_each_text(c.printing) e
      cross join lateral (${selectJobUses('c.spool_id', `${USE.text} as use, ${FIRST_END.text} as first_end`, 'j.id = e.key::uuid')}) u
    where u.use is not null group by e.key, e.value, u.use, 2
  ) w
) n`);

/**
 * The used, the reported, the planned and the adjusted grams of a spool `s`. What a weighing found used of a job that prints is used, and
 * so are the reported grams.
 */
export const SPOOL_SUMS = sql(`lateral (
  select f.used + w.printing as used_grams, f.reported as reported_grams, w.printing as printing_grams, f.planned - w.of_plans as planned_grams,
    case when l.id is null then 0 else l.net_grams - s.weight_total_grams + w.before end
      + ${sumCorrections('s.id', '(l.id is null or (a.at, a.id) > (l.at, l.id))').text} as adjusted_grams
  from (
    select coalesce(sum(u.grams) filter (where u.use <> 'planned'), 0) as used,
      coalesce(sum(u.grams) filter (where u.id is null), 0) as reported,
      coalesce(sum(u.grams) filter (where u.use = 'planned'), 0) as planned
    from (${selectUses('s.id', `j.id, ${USE.text} as use`)}) u
  ) f left join lateral ${selectLatestWeighing('s.id').text} l on true cross join ${sumUsesUntil('l', 's.id').text} w
) g`);

/** The grams left on a spool `s` with its SPOOL_SUMS; below 0 if jobs used more than the spool should have held. */
export const REMAINING_GRAMS = sql('(s.weight_total_grams - g.used_grams + g.adjusted_grams)');

/** The sums over the spools of a filament `f`. */
export const FILAMENT_SUMS = sql(`lateral (
  select count(*) as spools, coalesce(sum(greatest(${REMAINING_GRAMS.text}, 0)), 0) as remaining_grams,
    coalesce(sum(g.planned_grams), 0) as planned_grams,
    coalesce(sum(greatest(${REMAINING_GRAMS.text}, 0) - g.planned_grams), 0) as free_grams
  from spools s cross join ${SPOOL_SUMS.text} where s.filament_id = f.id and s.archived_at is null
) t`);

/** Whether a filament `f` with its FILAMENT_SUMS has less than its minimum stock. */
export const IS_LOW = sql('(f.archived_at is null and coalesce(t.free_grams < f.minimum_grams, false))');

/** The members of a filament `f` with its FILAMENT_SUMS. */
export const FILAMENT_STOCK =
  sql(`t.spools, trim_scale(t.remaining_grams) as remaining_grams, trim_scale(t.planned_grams) as planned_grams,
  trim_scale(t.free_grams) as free_grams, ${IS_LOW.text} as is_low`);

/**
 * The last change of a value that decides whether a filament `f` is low: of the filament, its spools, their adjustments, their reports or
 * their jobs.
 */
export const LOW_SINCE = sql(`greatest(f.updated_at, (
  select max(greatest(s.updated_at,
    (select max(greatest(a.at, a.taken_back_at)) from spool_adjustments a where a.spool_id = s.id),
    (select r.ended_at from reported_uses r where r.spool_id = s.id order by r.started_at desc, r.id desc limit 1),
    (select max(j.updated_at) from print_jobs j where j.spool_id = s.id),
    (select max(j.updated_at) from print_job_parts p join print_jobs j on j.id = p.job_id where p.spool_id = s.id)))
  from spools s where s.filament_id = f.id
))`);
