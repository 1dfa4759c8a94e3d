// Calculates the figures of a recording from the sections in which its window was read. All times are in milliseconds.
import { type FilmingGapReason, JobFilming, MAX_FILM_GAPS } from './filming.types';

export type Gap = [from: number, to: number, reason: FilmingGapReason];

/** What the log reports about one section of a window. Each statement reads one section, so that it stays short. */
export interface FilmSection {
  /** All gaps of the section, oldest first. */
  gaps: Gap[];
  /** The last record before the section that is still valid in the section. */
  before: number | null;
  /** The first and the last record in the section. */
  first: number | null;
  last: number | null;
  /** The longest time between two records of the section. */
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

/** A row of job_filming. `n` is the number of the job in the statement. */
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

/** @param windowMs how long the camera watched the printer in the window */
export function calculateFigures(
  from: number,
  to: number,
  windowMs: number,
  sections: readonly FilmSection[],
): FilmFigures {
  const gaps = joinAdjacentGaps(sections.flatMap((section) => section.gaps));
  return {
    from,
    to,
    windowMs,
    recordedMs: windowMs - sumLengths(gaps),
    resolutionMs: calculateResolution(from, to, sections),
    ...keepLongest(gaps),
  };
}

/** Adds the recording of a camera that was registered again to the final recording of the removed camera with the same id. */
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

/** A gap that continues in the next section is one gap. */
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
    otherGapsMs: sumLengths(byLength.slice(MAX_FILM_GAPS)),
  };
}

function calculateResolution(from: number, to: number, sections: readonly FilmSection[]): number | null {
  let longestApart = 0;
  let last = from;
  let hasRecord = false;
  for (const [n, section] of sections.entries()) {
    if (n === 0 && section.before !== null && section.first !== from) {
      longestApart = from - section.before;
      hasRecord = true;
    }
    if (section.first === null || section.last === null) continue;
    longestApart = Math.max(longestApart, section.first - last, section.apart ?? 0);
    last = section.last;
    hasRecord = true;
  }
  return hasRecord ? Math.max(longestApart, to - last) : null;
}

const lengthOf = ([from, to]: Gap) => to - from;
const sumLengths = (gaps: readonly Gap[]) => gaps.reduce((all, gap) => all + lengthOf(gap), 0);
const toInstant = (ms: number) => new Date(ms).toISOString();
const toSeconds = (ms: number) => ms / 1000;

/** A recording in the form that GraphQL shows. */
export function toJobFilming(cameraId: string, film: FilmFigures, final: boolean): JobFilming {
  return {
    cameraId,
    from: toInstant(film.from),
    to: toInstant(film.to),
    windowSec: toSeconds(film.windowMs),
    recordedSec: toSeconds(film.recordedMs),
    share: film.windowMs === 0 ? 0 : film.recordedMs / film.windowMs,
    resolutionSec: film.resolutionMs === null ? null : toSeconds(film.resolutionMs),
    gaps: film.gaps.map(([from, to, reason]) => ({ from: toInstant(from), to: toInstant(to), reason })),
    otherGapsSec: toSeconds(film.otherGapsMs),
    final,
  };
}

/** A recording in the form that is stored. Its gaps are in milliseconds after its start. */
export function toFinalFilm(n: number, camera: string, film: FilmFigures): FinalFilm {
  return {
    n,
    camera,
    begin: toInstant(film.from),
    until: toInstant(film.to),
    window_ms: film.windowMs,
    recorded_ms: film.recordedMs,
    resolution_ms: film.resolutionMs,
    gaps: film.gaps.map(([from, to, reason]) => [from - film.from, to - film.from, reason]),
    other_gaps_ms: film.otherGapsMs,
  };
}

/** Reverses what toFinalFilm did with the gaps. */
export function restoreGaps(from: number, gaps: readonly Gap[]): Gap[] {
  return gaps.map(([start, end, reason]) => [from + start, from + end, reason]);
}
