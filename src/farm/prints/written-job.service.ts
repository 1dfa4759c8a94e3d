// Whether a job is as the gateway wrote it for its print: a person may change its words, and wins with anything else.

import { withoutZeros } from '../../values/decimal';
import type { StoredJob } from '../print-jobs/print-job.rows';
import type { StoredPrint } from './observed-print.rows';
import type { Prints } from './prints.service';

export type Written = Pick<StoredJob, 'id' | 'updatedAt' | Compared>;
type Compared = 'spoolId' | 'mmExtruded' | 'gramsDerived' | 'costPerPrint' | 'status' | 'divided';

/** The members of the print by which its job is known again. */
export const bookedAs = (job: Written) => ({ jobId: job.id, jobUpdatedAt: job.updatedAt, jobWritten: textOf(job) });

const textOf = ({ spoolId, mmExtruded, gramsDerived, costPerPrint, status, divided }: Written) =>
  JSON.stringify([spoolId, ...[mmExtruded, gramsDerived, costPerPrint].map(withoutZeros), status, divided]);

/** Notes, name and path may be others. */
export async function isOurs(
  { parts }: { parts: Pick<Prints['parts'], 'isSaid'> },
  job: Written,
  { jobUpdatedAt, jobWritten }: Pick<StoredPrint, 'jobUpdatedAt' | 'jobWritten'>,
): Promise<boolean> {
  if (jobUpdatedAt === null || job.updatedAt === jobUpdatedAt) return jobUpdatedAt !== null;
  if (jobWritten !== textOf(job)) return false;
  // The sums of other parts may be the same.
  return !job.divided || !(await parts.isSaid(job));
}
