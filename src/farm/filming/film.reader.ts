// Reads the recordings of jobs from the status log in sections. Each statement reads a limited number of records, so other requests run in between.
import type { Queryable } from '../../database/queryable';
import { Prisma } from '../../generated/prisma/client';
import { DAY_MS, findEarliest, type Instant, subtractMs } from '../../values/instant';
import {
  addEarlier,
  calculateFigures,
  type FilmFigures,
  type FilmSection,
  type Gap,
  restoreGaps,
} from './film.sections';
import {
  FILMS,
  FINAL_FILMS,
  type FilmWindow,
  filmWindows,
  readSections,
  selectSections,
  selectUnfinished,
  WINDOW,
} from './filming.rows';

/** The most status records that are read. A test makes both numbers smaller. */
export const MAX_FILM_RECORDS = {
  /** For all jobs of a request. They take up to 0.8 s, and 2.5 s in the embedded database. */
  ofRequest: 250_000,
  /** For one statement. The embedded database answers nothing else for 0.4 s meanwhile. */
  ofStatement: 40_000,
};

/** The recording of a job by one camera. */
interface Film {
  cameraId: string;
  figures: FilmFigures;
  isFinal: boolean;
}

interface FilmRequest {
  /** A source of numbered jobs `j`, and a condition for a camera `c`. */
  jobs: Prisma.Sql;
  cameras: Prisma.Sql;
  /** No job starts earlier. */
  earliest: Instant;
  /** The most records that may be read. A single job is always read completely. */
  most: number;
}

/** The recordings by the numbers of their jobs. */
export interface FilmsRead {
  records: number;
  films: Map<number, Film[]>;
  /** The jobs that were not read completely, because the limit was reached. */
  tooMany: Set<number>;
}

type FinalCells = [number, string, number, number, number, number, number | null, Gap[], number, boolean];
type WindowCells = [number[], string, string, string, string[], string[], number];
type SectionCells = [number, string, number, Gap[], number | null, number | null, number | null, number | null];
type FirstCells = [FinalCells[] | null, WindowCells[] | null, SectionCells[] | null];

/** A window that is not read completely yet. */
interface OpenWindow {
  window: FilmWindow;
  /** The start of the part that is still to be read. */
  from: string;
  sections: FilmSection[];
}

/** @param run runs a statement */
export async function readFilms(
  run: <T extends unknown[]>(statement: Prisma.Sql) => Promise<T>,
  recordingStates: readonly string[],
  { jobs, cameras, earliest, most }: FilmRequest,
): Promise<FilmsRead> {
  const since = subtractMs(earliest, DAY_MS);
  let limit = Math.min(MAX_FILM_RECORDS.ofStatement, most);
  const [fixed, windows, first] = await run<FirstCells>(Prisma.sql`
    with ${selectUnfinished(jobs, cameras)}, ${FILMS}, ${selectSections(since, limit)}
    select (select json_agg(f.row) from (${FINAL_FILMS}) f) as fixed,
      (select json_agg(${WINDOW} order by u.k) from film u) as windows,
      (select json_agg(p.row) from (${readSections(recordingStates, since)}) p) as pieces`);
  const films = new Films(fixed ?? []);
  let waiting = (windows ?? []).map(openWindow);
  const isOfOneJob = new Set(waiting.flatMap(({ window }) => window.jobs)).size === 1;
  let records = 0;
  let pieces = first ?? [];
  while (waiting.length > 0) {
    for (const [, , read] of pieces) records += read;
    waiting = films.add(waiting, pieces);
    const left = isOfOneJob ? MAX_FILM_RECORDS.ofRequest : most - records;
    if (waiting.length === 0 || left <= 0) break;
    limit = Math.min(MAX_FILM_RECORDS.ofStatement, left);
    const from = subtractMs(findEarliest(waiting.map((one) => new Date(one.from).toISOString())), DAY_MS);
    [pieces] = await run<[SectionCells[]]>(Prisma.sql`
      with ${filmWindows(waiting.map(({ window, from }) => ({ ...window, from })))}, ${selectSections(from, limit)}
      select (select json_agg(p.row) from (${readSections(recordingStates, from)}) p) as pieces`);
  }
  return { records, films: films.byJob, tooMany: new Set(waiting.flatMap(({ window }) => window.jobs)) };
}

const openWindow = ([jobs, cameraId, from, to, begins, ends, validSec]: WindowCells): OpenWindow => ({
  window: { jobs, cameraId, from, to, begins, ends, validSec },
  from,
  sections: [],
});

class Films {
  readonly byJob = new Map<number, Film[]>();
  /** The final recordings of cameras that were registered again since. */
  private readonly earlier = new Map<string, Film>();

  constructor(fixed: readonly FinalCells[]) {
    for (const [n, cameraId, from, to, windowMs, recordedMs, resolutionMs, gaps, otherGapsMs, isEarlier] of fixed) {
      const figures = { from, to, windowMs, recordedMs, resolutionMs, gaps: restoreGaps(from, gaps), otherGapsMs };
      const film = { cameraId, figures, isFinal: true };
      if (isEarlier) this.earlier.set(JSON.stringify([n, cameraId]), film);
      this.put(n, film);
    }
  }

  /** Returns the windows that are still to be read. Windows of which nothing was read yet come before long windows. */
  add(waiting: readonly OpenWindow[], pieces: readonly SectionCells[]): OpenWindow[] {
    const read = new Map(pieces.map((piece) => [piece[0], piece]));
    const long: OpenWindow[] = [];
    const unread = waiting.filter((one, k) => {
      const piece = read.get(k);
      if (piece === undefined) return true;
      const [, to, , gaps, before, first, last, apart] = piece;
      one.sections.push({ gaps, before, first, last, apart });
      one.from = to;
      if (to === one.window.to) this.finish(one);
      else long.push(one);
      return false;
    });
    const isNew = ({ sections: { length } }: OpenWindow) => length === 0;
    return [...unread.filter(isNew), ...long, ...unread.filter((one) => !isNew(one))];
  }

  private finish({ window: { jobs, cameraId, from, to, begins, ends }, sections: pieces }: OpenWindow): void {
    const windowMs = begins.reduce((sum, begin, n) => sum + Date.parse(ends[n] as string) - Date.parse(begin), 0);
    const figures = calculateFigures(Date.parse(from), Date.parse(to), windowMs, pieces);
    for (const n of jobs) {
      const earlier = this.earlier.get(JSON.stringify([n, cameraId]));
      const whole = earlier === undefined ? figures : addEarlier(earlier.figures, figures);
      this.put(n, { cameraId, figures: whole, isFinal: false });
    }
  }

  private put(n: number, film: Film): void {
    const others = (this.byJob.get(n) ?? []).filter(({ cameraId }) => cameraId !== film.cameraId);
    this.byJob.set(
      n,
      [...others, film].sort((a, b) => (a.cameraId < b.cameraId ? -1 : 1)),
    );
  }
}

/** Returns a function that runs statements on the database under this name. */
export const runOn =
  (database: Queryable, name: string) =>
  <T extends unknown[]>(statement: Prisma.Sql) =>
    database.cells<T>(name, statement);
