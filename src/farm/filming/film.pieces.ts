// The rules of a film that is read piece by piece: how the pieces of a window become its figures. Times are milliseconds.
import { type FilmingGapReason, JobFilming, MAX_FILM_GAPS } from './filming.types';

export type Gap = [from: number, to: number, reason: FilmingGapReason];

/** What the log says of a piece of a window. */
export interface FilmSection {
  /** All of them, oldest first. */
  gaps: Gap[];
  /** The last record before the piece that speaks into it; the first and the last one in it, and the longest time between two. */
  before: number | null;
  first: number | null;
  last: number | null;
  apart: number | null;
}

export interface FilmFigures {
  from: number;
  to: number;
  windowMs: number;
  recordedMs: number;
  resolutionMs: number | null;
  gaps: Gap[];
  otherGapsMs: number;
}

/** A row of job_filming by the number of its job in the statement. */
export interface FinalFilm {
  n: number;
  camera: string;
  begin: string;
  until: string;
  window_ms: number;
  recorded_ms: number;
  resolution_ms: number | null;
  gaps: Gap[];
  other_gaps_ms: number;
}

/** @param windowMs the time in which the camera watched the printer */
export function calculateFigures(
  from: number,
  to: number,
  windowMs: number,
  pieces: readonly FilmSection[],
): FilmFigures {
  const gaps = joinAdjacentGaps(pieces.flatMap((piece) => piece.gaps));
  return {
    from,
    to,
    windowMs,
    recordedMs: windowMs - sum(gaps),
    resolutionMs: calculateResolution(from, to, pieces),
    ...keepLongest(gaps),
  };
}

/** The film of a camera that was removed, fixed then, and of the camera that was registered with its id later. */
export function addEarlier(earlier: FilmFigures, later: FilmFigures): FilmFigures {
  const { gaps, otherGapsMs } = keepLongest(joinAdjacentGaps([...earlier.gaps, ...later.gaps]));
  const known = [earlier.resolutionMs, later.resolutionMs].filter((ms) => ms !== null);
  return {
    from: earlier.from,
    to: later.to,
    windowMs: earlier.windowMs + later.windowMs,
    recordedMs: earlier.recordedMs + later.recordedMs,
    resolutionMs: known.length === 0 ? null : Math.max(...known),
    gaps,
    otherGapsMs: earlier.otherGapsMs + later.otherGapsMs + otherGapsMs,
  };
}

/** A gap that goes on in the next piece is one. */
function joinAdjacentGaps(gaps: readonly Gap[]): Gap[] {
  const all: Gap[] = [];
  for (const [from, to, reason] of gaps) {
    const last = all.at(-1);
    if (last?.[1] === from && last[2] === reason) last[1] = to;
    else all.push([from, to, reason]);
  }
  return all;
}

function keepLongest(gaps: readonly Gap[]): Pick<FilmFigures, 'gaps' | 'otherGapsMs'> {
  const byLength = gaps.toSorted((a, b) => lengthOf(b) - lengthOf(a) || a[0] - b[0]);
  return {
    gaps: byLength.slice(0, MAX_FILM_GAPS).sort((a, b) => a[0] - b[0]),
    otherGapsMs: sum(byLength.slice(MAX_FILM_GAPS)),
  };
}

function calculateResolution(from: number, to: number, pieces: readonly FilmSection[]): number | null {
  let longestApart = 0;
  let last = from;
  let hasRecord = false;
  for (const [n, piece] of pieces.entries()) {
    if (n === 0 && piece.before !== null && piece.first !== from) {
      longestApart = from - piece.before;
      hasRecord = true;
    }
    if (piece.first === null || piece.last === null) continue;
    longestApart = Math.max(longestApart, piece.first - last, piece.apart ?? 0);
    last = piece.last;
    hasRecord = true;
  }
  return hasRecord ? Math.max(longestApart, to - last) : null;
}

const lengthOf = ([from, to]: Gap) => to - from;
const sum = (gaps: readonly Gap[]) => gaps.reduce((all, gap) => all + lengthOf(gap), 0);
const instant = (ms: number) => new Date(ms).toISOString();
const seconds = (ms: number) => ms / 1000;

/** A film in the form of the graph. */
export function toJobFilming(cameraId: string, film: FilmFigures, final: boolean): JobFilming {
  return {
    cameraId,
    from: instant(film.from),
    to: instant(film.to),
    windowSec: seconds(film.windowMs),
    recordedSec: seconds(film.recordedMs),
    share: film.windowMs === 0 ? 0 : film.recordedMs / film.windowMs,
    resolutionSec: film.resolutionMs === null ? null : seconds(film.resolutionMs),
    gaps: film.gaps.map(([from, to, reason]) => ({ from: instant(from), to: instant(to), reason })),
    otherGapsSec: seconds(film.otherGapsMs),
    final,
  };
}

/** A film as it is stored: its gaps are in milliseconds after its begin. */
export function toFinalFilm(n: number, camera: string, film: FilmFigures): FinalFilm {
  return {
    n,
    camera,
    begin: instant(film.from),
    until: instant(film.to),
    window_ms: film.windowMs,
    recorded_ms: film.recordedMs,
    resolution_ms: film.resolutionMs,
    gaps: film.gaps.map(([from, to, reason]) => [from - film.from, to - film.from, reason]),
    other_gaps_ms: film.otherGapsMs,
  };
}

/** As `fixed` stored it. */
export function restoreGaps(from: number, gaps: readonly Gap[]): Gap[] {
  return gaps.map(([begin, end, reason]) => [from + begin, from + end, reason]);
}
