// What is told of a print, or of a job without one: decided by how it is now and by how it was when it was looked at last.

import type { JobStatus } from '../../farm/print-jobs/print-job.status';
import type { PrintOutcome } from '../../farm/print-rules/print.model';
import { waitOf } from '../../farm/prints/observed-print.status';
import type { PrintWait } from '../../farm/prints/observed-print.types';
import { HOUR_MS, type Instant, msBetween } from '../../values/instant';
import { GIVEN_UP_HOURS } from '../target.limits';

/** How a print, or a job without one, is or was. */
export interface Facts {
  /** Of the print; null of a job that has none. */
  outcome: PrintOutcome | null;
  jobId: string | null;
  /** Of the job; null where there is none. */
  status: JobStatus | null;
  lacksSpool: boolean;
}

/** A print, or a job without one, as it is told of. */
export interface Subject extends Facts {
  /** Of the print, or of the job that has none. */
  id: string;
  isIgnored: boolean;
  /** Whether the job was ever printing. */
  hasPrinted: boolean;
  printerId: string;
  /** Null only where another program removed the row. */
  printerName: string | null;
  printName: string | null;
  jobName: string | null;
  startedAt: Instant | null;
  endedAt: Instant | null;
  /** Why it failed or was cancelled, in the printer's words. */
  reason: string | null;
  grams: string | null;
  cost: string | null;
}

export type Known = Facts & { id: string };

/** What the feed says of a subject. */
export interface Hint {
  /** Of the newest change. */
  changeId: number;
  at: Instant;
  /** Whether the print is new. */
  isNew: boolean;
  /** Whether only its job was changed. */
  isOfJob: boolean;
  /** Before the first change of the job's status; null of a new job, undefined without such a change. */
  fromStatus: JobStatus | null | undefined;
}

export type Ended = 'COMPLETED' | 'CANCELLED' | 'FAILED';
export type PrintEvent = { event: 'PRINT_BEGAN' | 'PRINT_ENDED' | 'PRINT_WAITS' };

/** A print that was over for so long when it was first heard of is history. */
const HISTORY_MS = GIVEN_UP_HOURS * HOUR_MS;

const ENDED: Partial<Record<string, Ended>> = {
  ...{ Completed: 'COMPLETED', Cancelled: 'CANCELLED', Failed: 'FAILED' },
  ...{ COMPLETED: 'COMPLETED', CANCELLED: 'CANCELLED', FAILED: 'FAILED' },
};

/** What became of it, once it is over. Who changes its job by hand wins. */
export function endOf({ outcome, status }: Facts): Ended | null {
  if (outcome === 'RUNNING') return null;
  return ENDED[status ?? ''] ?? ENDED[outcome ?? ''] ?? null;
}

export function waitsFor({ outcome, lacksSpool }: Facts, isIgnored = false): PrintWait | null {
  if (outcome === null) return null;
  return waitOf({ outcome, jobId: lacksSpool ? null : '', lacking: null, ignoredAt: isIgnored ? '' : null });
}

/**
 * @param known the rows of the subject, of its job, and of the print that had its job before
 * @returns the events in the order in which they are told
 */
export function eventsOf(subject: Subject, known: readonly Known[], hint: Hint, now: Instant): PrintEvent['event'][] {
  if (subject.isIgnored) return [];
  const before = factsBefore(subject, known, hint);
  if (before === undefined) return [];
  const isHistory = subject.endedAt !== null && msBetween(subject.endedAt, now) > HISTORY_MS;
  if (before === null && subject.outcome !== 'RUNNING' && isHistory) return [];
  const [end, wait] = [endOf(subject), waitsFor(subject)];
  const isPrinting = subject.outcome === 'RUNNING' || (subject.outcome === null && subject.status === 'Printing');
  const events: PrintEvent['event'][] = [];
  if (isPrinting && !hasBegun(before)) events.push('PRINT_BEGAN');
  if (end !== null && end !== (before && endOf(before)) && (subject.outcome !== null || subject.hasPrinted))
    events.push('PRINT_ENDED');
  if (wait !== null && wait !== (before && waitsFor(before))) events.push('PRINT_WAITS');
  return events;
}

/**
 * Whether a change of the print itself is still to be read: what runs or waits is known since the first one, and of what is over a
 * person changes the job.
 */
export function isEarly(subject: Subject, known: readonly Known[], hint: Hint): boolean {
  if (subject.outcome === null || !hint.isOfJob || known.some(({ id }) => id === subject.id)) return false;
  return !isSettled(subject) || ENDED[hint.fromStatus ?? ''] === undefined;
}

/** Whether nothing more is expected of it: what is changed later, its job's statuses and its waiting tell. */
export const isSettled = (subject: Subject): boolean =>
  endOf(subject) !== null && waitsFor(subject, subject.isIgnored) === null;

/** As it is known from now on. What is ignored waits for nothing: it goes on. */
export function knownOf(subject: Subject): Known {
  const { id, outcome, jobId, status, lacksSpool, isIgnored } = subject;
  if (!isIgnored) return { id, outcome, jobId, status, lacksSpool };
  return { id, outcome: outcome && endOf(subject) === null ? 'RUNNING' : outcome, jobId, status, lacksSpool: false };
}

/** Null for a print that nothing is known of yet, and undefined for a job of which a print tells. */
function factsBefore(subject: Subject, known: readonly Known[], hint: Hint): Facts | null | undefined {
  const own = known.find(({ id }) => id === subject.id);
  if (own !== undefined) return own;
  const { outcome, jobId, status } = subject;
  if (outcome === null) {
    // Two records of one print became one, and this job was one too many.
    if (known.some((one) => one.jobId === jobId)) return undefined;
    return { outcome, jobId, status: hint.fromStatus === undefined ? status : hint.fromStatus, lacksSpool: false };
  }
  if (hint.isNew) return known.find(({ id }) => id === jobId) ?? null;
  // It was over, and waited for nothing, when the first target was added, or when it was settled.
  return { outcome, jobId, status: hint.fromStatus ?? status, lacksSpool: false };
}

const hasBegun = (before: Facts | null): boolean =>
  before !== null && (before.outcome !== null || (before.status !== null && before.status !== 'Queued'));
