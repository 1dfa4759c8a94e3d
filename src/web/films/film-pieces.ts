// The pieces of a film's bar, which cover the whole print: recorded, not recorded and why, and not watched.
import type { FilmFragment, FilmingGapReason } from '../../generated/web-operations';
import type { Span } from './recorded-share';

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
