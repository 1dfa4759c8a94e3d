// Splits a print into the sections of a recording's bar: recorded, not recorded with the reason, and not watched.
import type { FilmFragment, FilmingGapReason } from '../../generated/web-operations';
import type { Span } from './recorded-share';

export type BarSection = Span & { kind: 'RECORDED' | 'NOT_WATCHED' | FilmingGapReason };

interface Gap {
  from: string;
  to: string;
  reason: FilmingGapReason;
}

interface WatchedFilm extends Pick<FilmFragment, 'from' | 'to'> {
  gaps: readonly Gap[];
  /** `null` if the camera was removed. */
  camera: { watches: readonly { from: string; to: string | null; printer: { id: string } | null }[] } | null;
}

/** The sections cover the whole print. Gaps come last because the bar draws them over the recorded sections. */
export function buildBarSections(film: WatchedFilm, print: Span, printerId: string | undefined): BarSection[] {
  const filmSpan = parseSpan(film);
  const watches = film.camera?.watches.filter(({ printer }) => printer?.id === printerId) ?? [];
  const watched = (watches.length === 0 ? [filmSpan] : watches.map((watch) => clipSpan(parseSpan(watch), filmSpan)))
    .filter(hasLength)
    .sort((a, b) => a.from - b.from);
  const unwatchedStarts = [print.from, ...watched.map(({ to }) => to)];
  const unwatchedEnds = [...watched.map(({ from }) => from), print.to];
  return [
    ...unwatchedStarts.map(
      (from, index): BarSection => ({ kind: 'NOT_WATCHED', from, to: unwatchedEnds[index] as number }),
    ),
    ...watched.map((span): BarSection => ({ kind: 'RECORDED', ...span })),
    ...film.gaps.map(({ reason, ...gap }): BarSection => ({ kind: reason, ...parseSpan(gap) })),
  ].filter(hasLength);
}

const hasLength = ({ from, to }: Span) => to > from;

const parseSpan = ({ from, to }: { from: string; to: string | null }): Span => ({
  from: Date.parse(from),
  to: to === null ? Number.POSITIVE_INFINITY : Date.parse(to),
});

const clipSpan = (span: Span, { from, to }: Span): Span => ({
  from: Math.max(span.from, from),
  to: Math.min(span.to, to),
});
