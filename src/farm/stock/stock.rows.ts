// The sums of spools and filaments: what jobs used and plan, and what is left.
import { rowShape } from '../../database/rows';
import { sql } from '../../database/sql';
import { OWN_GRAMS } from '../print-jobs/print-job-part.rows';
import type { FilamentStock } from './stock.types';

/** The grams of a spool. */
export interface SpoolGrams {
  id: string;
  usedGrams: string;
  plannedGrams: string;
  remainingGrams: string;
}

/** A spool `g` with its sums. */
export const SPOOL_GRAMS_ROW = rowShape<SpoolGrams>('g', {
  id: 'uuid',
  usedGrams: 'numeric',
  plannedGrams: 'numeric',
  remainingGrams: 'numeric',
});

/** A filament `g` with its sums. */
export const FILAMENT_STOCK_ROW = rowShape<FilamentStock & { id: string }>('g', {
  id: 'uuid',
  spools: 'int',
  remainingGrams: 'numeric',
  plannedGrams: 'numeric',
  freeGrams: 'numeric',
  isLow: 'boolean',
});

/**
 * What the filament of a job `j` counts as; null for a job that was cancelled before it had started. A job has started
 * when its started_at is set. No other line has this rule.
 */
export const USE = sql(`case
  when j.status = 'Completed' then 'completed'
  when j.status = 'Failed' or (j.status = 'Cancelled' and j.started_at is not null) then 'wasted'
  when j.status in ('Queued', 'Printing') then 'planned' end`);

/** The used and the planned grams of a spool `s`: of the jobs whose own spool it is, and of its parts in others, each by an index. */
export const SPOOL_SUMS = sql(`lateral (
  select coalesce(sum(u.grams) filter (where u.use <> 'planned'), 0) as used_grams,
    coalesce(sum(u.grams) filter (where u.use = 'planned'), 0) as planned_grams
  from (
    select case when j.divided then ${OWN_GRAMS.text} else j.grams_derived end as grams, ${USE.text} as use
    from print_jobs j where j.spool_id = s.id
    union all select p.grams_derived, ${USE.text} from print_job_parts p join print_jobs j on j.id = p.job_id and j.divided
    where p.spool_id = s.id
  ) u
) g`);

/** What is left of a spool `s` with its SPOOL_SUMS; below 0 where more was used than it was said to hold. */
export const REMAINING_GRAMS = sql('(s.weight_total_grams - g.used_grams)');

/** The sums of a filament `f`. */
export const FILAMENT_SUMS = sql(`lateral (
  select count(*) as spools, coalesce(sum(greatest(${REMAINING_GRAMS.text}, 0)), 0) as remaining_grams,
    coalesce(sum(g.planned_grams), 0) as planned_grams,
    coalesce(sum(greatest(${REMAINING_GRAMS.text}, 0) - g.planned_grams), 0) as free_grams
  from spools s cross join ${SPOOL_SUMS.text} where s.filament_id = f.id and s.archived_at is null
) t`);

/** Whether a filament `f` with its FILAMENT_SUMS is low. */
export const IS_LOW = sql('(f.archived_at is null and coalesce(t.free_grams < f.minimum_grams, false))');
