// The name and colour of each status of a job, and whether it ends the job.
import type { PrintJobStatus } from '../../generated/web-operations';
import type { Tone } from './badge';

/** print-job.status.ts defines the final statuses for the gateway. A test compares them with these. */
export const JOB_STATUSES: Record<PrintJobStatus, { name: string; tone: Tone; isFinal: boolean }> = {
  QUEUED: { name: 'Queued', tone: 'muted', isFinal: false },
  PRINTING: { name: 'Printing', tone: 'info', isFinal: false },
  COMPLETED: { name: 'Completed', tone: 'good', isFinal: true },
  CANCELLED: { name: 'Cancelled', tone: 'warn', isFinal: true },
  FAILED: { name: 'Failed', tone: 'bad', isFinal: true },
};
