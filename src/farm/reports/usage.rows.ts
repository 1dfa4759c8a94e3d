// The columns of the rows of reports.
import { rowShape } from '../../database/rows';
import type { FilamentUsage } from './usage.types';

/** A row of a report. An id is `null` if the report is not grouped by that kind of object. */
export interface UsageRow extends FilamentUsage {
  printerId: string | null;
  spoolId: string | null;
  materialId: string | null;
  filamentId: string | null;
}

/** The members of a row `g`. */
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
  reportedGrams: 'numeric',
});
