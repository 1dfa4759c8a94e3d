// Calculates the time span of a print, and the share of it that a camera recorded.
import type { FilmFragment, PrintJobStatus } from '../../generated/web-operations';
import { formatPercent } from '../parts/numbers';

export interface PrintedJob {
  startedAt: string | null;
  completedAt: string | null;
  updatedAt: string;
  status: PrintJobStatus;
}

/** A time span, in milliseconds since 1970. */
export interface Span {
  from: number;
  to: number;
}

/** How much the clocks of the reader and of the gateway may differ. */
export const CLOCK_TOLERANCE_MS = 60_000;

/**
 * The time span in which the job printed, or `null` if it did not print. filming.rows.ts has the same rule in SQL, and a test compares them.
 * @param now the end of the span while the job prints
 */
export function findPrintSpan({ status, startedAt, completedAt, updatedAt }: PrintedJob, now: number): Span | null {
  if (startedAt === null || status === 'QUEUED') return null;
  const from = Date.parse(startedAt);
  const to = status === 'PRINTING' ? now : Date.parse(completedAt ?? updatedAt);
  return from <= to ? { from, to } : null;
}

/**
 * The time span of a print with recordings. While the job prints, the span ends when the recordings were read.
 * @param readAt when the recordings were read, by the reader's clock. All cameras may have left the printer before this time
 */
export function findFilmedSpan(
  job: PrintedJob,
  films: readonly Pick<FilmFragment, 'to'>[],
  readAt: number,
): Span | null {
  const lastKnownMs = Math.max(Date.parse(job.startedAt ?? ''), ...films.map(({ to }) => Date.parse(to)));
  return findPrintSpan(job, readAt - lastKnownMs > CLOCK_TOLERANCE_MS ? readAt : lastKnownMs);
}

/** The share of the whole print that the camera recorded, from 0 to 1. Time before the camera watched the printer counts as not recorded. */
export function calculateShare({ recordedSec }: Pick<FilmFragment, 'recordedSec'>, { from, to }: Span): number {
  // The gateway's times have microseconds, so rounding may cost up to 2 ms.
  const missingMs = to - from - recordedSec * 1000;
  return missingMs < 2 ? 1 : Math.min(1, (recordedSec * 1000) / (to - from));
}

/** Writes a share such as "92 %". It is 100 % only if nothing is missing, and 0 % only if nothing was recorded. */
export function formatShare(share: number): string {
  return share > 0 && share < 0.01 ? `< ${formatPercent(1)}` : formatPercent(Math.floor(share * 100));
}
