// The rows of reports.
import { rowShape } from '../../database/rows';
import { sql } from '../../database/sql';
import { OWN_GRAMS } from '../print-jobs/print-job-part.rows';
import type { FilamentUsage } from './usage.types';

/** A group of a report; null where it is not grouped by printers, spools or materials. */
export interface UsageRow extends FilamentUsage {
  printerId: string | null;
  spoolId: string | null;
  materialId: string | null;
}

/** A group `g`. */
export const USAGE_ROW = rowShape<UsageRow>('g', {
  from: 'timestamptz',
  printerId: 'uuid',
  spoolId: 'uuid',
  materialId: 'uuid',
  completedJobs: 'int',
  completedGrams: 'numeric',
  completedCost: 'numeric',
  wastedJobs: 'int',
  wastedGrams: 'numeric',
  wastedCost: 'numeric',
});

/** The grams of a spool by the jobs that use it. */
export interface SpoolUsage {
  id: string;
  usedGrams: string;
  plannedGrams: string;
  remainingGrams: string;
}

/** A spool `g` with its sums. */
export const SPOOL_USAGE_ROW = rowShape<SpoolUsage>('g', {
  id: 'uuid',
  usedGrams: 'numeric',
  plannedGrams: 'numeric',
  remainingGrams: 'numeric',
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
) f`);
