// Decides which jobs of a printer printed while a camera watched the printer, and how the list of jobs is searched for them.
import type { JobRowFragment, JobsQueryVariables } from '../../generated/web-operations';
import { findPrintSpan } from '../films/recorded-share';

/** The time in which a camera was assigned to a printer. */
export interface Watch {
  from: string;
  to: string | null;
  printer: { id: string; name: string } | null;
}

/** How long after its print a job may be entered. */
const MAX_ENTRY_DELAY_MS = 86_400_000;
/** The number of jobs on a page of the list. */
const PAGE = 50;

/** Reads the newest jobs first: a job is created before its print ends, or soon after. */
export function createJobsVariables({ to, printer }: Watch): JobsQueryVariables {
  const last = to === null ? {} : { createdTo: new Date(Date.parse(to) + MAX_ENTRY_DELAY_MS).toISOString() };
  return { filter: { printerId: printer?.id ?? '', ...last }, orderBy: 'CREATED_AT_DESC' };
}

/** Whether older jobs may have printed during the watch. They did not if all jobs of the last page were created before the watch, and none of them was watched. */
export function mayHaveOlder(jobs: readonly JobRowFragment[], watch: Watch): boolean {
  const last = jobs.slice(-PAGE);
  return last.some((job) => wasWatched(job, watch) || Date.parse(job.createdAt) >= Date.parse(watch.from));
}

export function wasWatched(job: JobRowFragment, { from, to }: Watch): boolean {
  const print = findPrintSpan(job, Number.POSITIVE_INFINITY);
  return print !== null && print.to > Date.parse(from) && (to === null || print.from < Date.parse(to));
}
