// The rows of reports.
import { rowShape } from '../../database/rows';
import type { FilamentUsage } from './usage.types';

/** A group of a report; null where it is not grouped by printers, spools, materials or filaments. */
export interface UsageRow extends FilamentUsage {
  printerId: string | null;
  spoolId: string | null;
  materialId: string | null;
  filamentId: string | null;
}

/** A group `g`. */
export const USAGE_ROW = rowShape<UsageRow>('g', {
  from: 'timestamptz',
  printerId: 'uuid',
  spoolId: 'uuid',
  materialId: 'uuid',
  filamentId: 'uuid',
  completedJobs: 'int',
  completedGrams: 'numeric',
  completedCost: 'numeric',
  wastedJobs: 'int',
  wastedGrams: 'numeric',
  wastedCost: 'numeric',
  lostGrams: 'numeric',
  lostCost: 'numeric',
});
