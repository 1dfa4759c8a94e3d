// The rows of reports.
import { rowShape } from '../database/rows';
import { Prisma } from '../generated/prisma/client';
import { sumsOfJobs } from '../print-jobs/print-job.rows';
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

/** The spools `s` with their sums `f`. */
export const spoolsWithSums = (database: { isTransaction: boolean }) =>
  Prisma.sql`spools s left join ${sumsOfJobs('filament_by_spool', database)} f on f.spool_id = s.id`;
/** Below 0 where more was used than the spool was said to hold. */
export const REMAINING_GRAMS = 's.weight_total_grams - coalesce(f.used_grams, 0)';
export const PLANNED_GRAMS = 'coalesce(f.planned_grams, 0)';
