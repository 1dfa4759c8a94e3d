// How much of its print a film is: the print's length, the part of it that was recorded, and how that share is written.
import type { FilmFragment, PrintJobStatus } from '../../generated/web-operations';
import { percent } from '../parts/numbers';

export interface Printed {
  startedAt: string | null;
  completedAt: string | null;
  updatedAt: string;
  status: PrintJobStatus;
}

/** From `from` to `to`, in milliseconds. */
export interface Span {
  from: number;
  to: number;
}

/** The reader's clock may differ so much from the gateway's. */
const TOLERANCE_MS = 60_000;

/** When the job printed, as filming.rows.ts says it in SQL, which a test compares; null for not at all. @param now its end while it prints */
export function printedAt({ status, startedAt, completedAt, updatedAt }: Printed, now: number): Span | null {
  if (startedAt === null || status === 'QUEUED') return null;
  const from = Date.parse(startedAt);
  const to = status === 'PRINTING' ? now : Date.parse(completedAt ?? updatedAt);
  return from <= to ? { from, to } : null;
}

/**
 * The print of films. While it prints, that is up to the answer.
 * @param readAt when the films were answered, by the reader's clock: all cameras may have left the printer before
 */
export function printOf(job: Printed, films: readonly Pick<FilmFragment, 'to'>[], readAt: number): Span | null {
  const known = Math.max(Date.parse(job.startedAt ?? ''), ...films.map(({ to }) => Date.parse(to)));
  return printedAt(job, readAt - known > TOLERANCE_MS ? readAt : known);
}

/** The part of the whole print that the camera recorded, 0 to 1: also of a print whose begin it did not watch. */
export function shareOf({ recordedSec }: Pick<FilmFragment, 'recordedSec'>, { from, to }: Span): number {
  // Times have more digits than milliseconds.
  const missing = to - from - recordedSec * 1000;
  return missing < 2 ? 1 : Math.min(1, (recordedSec * 1000) / (to - from));
}

/** "92 %", and 100 only where nothing is missing, 0 only where nothing was recorded. */
export function shareText(share: number): string {
  return share > 0 && share < 0.01 ? `< ${percent(1)}` : percent(Math.floor(share * 100));
}
