// Which jobs of a printer printed while a camera watched it, and how they are looked for.
import type { JobRowFragment, JobsQueryVariables } from '../../generated/web-operations';
import { printedAt } from '../films/recorded-share';

export interface Watch {
  from: string;
  to: string | null;
  printer: { id: string; name: string } | null;
}

/** A job may be written down so long after its print. */
const LATE_MS = 86_400_000;
/** Jobs of a page of the list. */
const PAGE = 50;

/** The newest first: a job is made before its print ends, or soon after it. */
export function lookBack({ to, printer }: Watch): JobsQueryVariables {
  const last = to === null ? {} : { createdTo: new Date(Date.parse(to) + LATE_MS).toISOString() };
  return { filter: { printerId: printer?.id ?? '', ...last }, orderBy: 'CREATED_AT_DESC' };
}

/** Whether older jobs may have printed in the watch: not behind a page of jobs that were all made before it and of which none did. */
export function mayHaveOlder(jobs: readonly JobRowFragment[], watch: Watch): boolean {
  const last = jobs.slice(-PAGE);
  return last.some((job) => wasWatched(job, watch) || Date.parse(job.createdAt) >= Date.parse(watch.from));
}

export function wasWatched(job: JobRowFragment, { from, to }: Watch): boolean {
  const print = printedAt(job, Number.POSITIVE_INFINITY);
  return print !== null && print.to > Date.parse(from) && (to === null || print.from < Date.parse(to));
}
