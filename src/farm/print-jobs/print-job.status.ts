// Decides which changes of the status of a print job are allowed: §3 of the print job document.
import { BadInput } from '../../errors';

export const JOB_STATUSES = ['Queued', 'Printing', 'Completed', 'Cancelled', 'Failed'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

/** §3: the statuses that PATCH accepts from each status. All other pairs are "Rejected transitions". */
const ACCEPTED: Record<JobStatus, readonly JobStatus[]> = {
  Queued: ['Queued', 'Printing', 'Cancelled', 'Failed'],
  Printing: ['Printing', 'Completed', 'Cancelled', 'Failed'],
  Completed: ['Completed', 'Cancelled', 'Failed'],
  Cancelled: ['Cancelled', 'Failed'],
  Failed: ['Cancelled', 'Failed'],
};

/** §3, the DELETE rows. */
const DELETION: Record<JobStatus, 'cancels' | 'changes nothing' | 'is refused'> = {
  Queued: 'cancels',
  Printing: 'cancels',
  Completed: 'is refused',
  Cancelled: 'changes nothing',
  Failed: 'cancels',
};

/** §3, the "Also" column: these statuses set CompletedAt. The dashboard calls them final (web/parts/job-statuses.ts). */
export const ENDED_STATUSES: ReadonlySet<JobStatus> = new Set(['Completed', 'Cancelled', 'Failed']);

/** The values that a change writes; `null` does not change the column. */
export interface StatusWrite {
  status: JobStatus;
  startedAtIfEmpty: string | null;
  completedAt: string | null;
}

/** PATCH rule 2: the case of letters makes no difference; "400 when Status is not one of …". */
export function parseJobStatus(value: unknown): JobStatus {
  const status = findJobStatus(value);
  if (status === undefined) throw new BadInput(`must be one of ${JOB_STATUSES.join(', ')}`, 'status');
  return status;
}

export function findJobStatus(value: unknown): JobStatus | undefined {
  if (typeof value !== 'string') return undefined;
  const name = value.toLowerCase();
  return JOB_STATUSES.find((status) => status.toLowerCase() === name);
}

export function allowedTransitions(from: JobStatus): readonly JobStatus[] {
  return ACCEPTED[from];
}

/** PATCH rules 3 and 4. §7: the message "names the current and requested status and states what is allowed". */
export function decideTransition(from: JobStatus, to: JobStatus, now: string): StatusWrite {
  if (!ACCEPTED[from].includes(to)) {
    throw new BadInput(
      `A ${from} job cannot become ${to}. Allowed from ${from}: ${ACCEPTED[from].join(', ')}`,
      'status',
    );
  }
  return {
    status: to,
    startedAtIfEmpty: to === 'Printing' ? now : null,
    completedAt: ENDED_STATUSES.has(to) ? now : null,
  };
}

/** DELETE rules 2 to 4. @returns undefined if nothing changes */
export function decideDeletion(from: JobStatus, now: string): StatusWrite | undefined {
  switch (DELETION[from]) {
    case 'changes nothing':
      return undefined;
    case 'is refused':
      throw new BadInput(
        'A Completed job cannot be deleted; set it to Cancelled with the status operation (PATCH /api/printjobs/{id}/status)',
      );
    case 'cancels':
      return decideTransition(from, 'Cancelled', now);
  }
}
