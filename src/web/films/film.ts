// What a film is of its print: the print's length, the part of it that was recorded, and the parts of its bar.
import type { FilmFragment, FilmingGapReason, PrintJobStatus } from '../../generated/web-operations';
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

export type FilmPiece = Span & { kind: 'RECORDED' | 'NOT_WATCHED' | FilmingGapReason };

interface Gap {
  from: string;
  to: string;
  reason: FilmingGapReason;
}

interface Watched extends Pick<FilmFragment, 'from' | 'to'> {
  gaps: readonly Gap[];
  /** Null when the camera was removed. */
  camera: { watches: readonly { from: string; to: string | null; printer: { id: string } | null }[] } | null;
}

/** The pieces of the bar of a film, which cover the whole print; gaps lie upon what was recorded. */
export function filmPiecesOf(film: Watched, print: Span, printerId: string | undefined): FilmPiece[] {
  const whole = spanOf(film);
  const watches = film.camera?.watches.filter(({ printer }) => printer?.id === printerId) ?? [];
  const watched = (watches.length === 0 ? [whole] : watches.map((one) => cut(spanOf(one), whole)))
    .filter(hasLength)
    .sort((one, other) => one.from - other.from);
  const ends = [print.from, ...watched.map(({ to }) => to)];
  const begins = [...watched.map(({ from }) => from), print.to];
  return [
    ...ends.map((from, at): FilmPiece => ({ kind: 'NOT_WATCHED', from, to: begins[at] as number })),
    ...watched.map((span): FilmPiece => ({ kind: 'RECORDED', ...span })),
    ...film.gaps.map(({ reason, ...gap }): FilmPiece => ({ kind: reason, ...spanOf(gap) })),
  ].filter(hasLength);
}

const hasLength = ({ from, to }: Span) => to > from;

const spanOf = ({ from, to }: { from: string; to: string | null }): Span => ({
  from: Date.parse(from),
  to: to === null ? Number.POSITIVE_INFINITY : Date.parse(to),
});

const cut = (span: Span, { from, to }: Span): Span => ({ from: Math.max(span.from, from), to: Math.min(span.to, to) });
