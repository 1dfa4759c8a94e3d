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
  readSections,
  selectGivenWindows,
  selectSections,
  selectUnfinished,
  WINDOW,
} from './filming.rows';

/** The most status records that are read. A test makes both numbers smaller. */
export const MAX_FILM_RECORDS = {
  /** For all jobs of a request. Reading them takes up to 0.8 s, and 2.5 s in the embedded database. */
  ofRequest: 250_000,
  /** For one statement. Meanwhile, the embedded database answers no other statement for 0.4 s. */
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
  const [finalCells, windows, first] = await run<FirstCells>(Prisma.sql`
    with ${selectUnfinished(jobs, cameras)}, ${FILMS}, ${selectSections(since, limit)}
    select (select json_agg(f.row) from (${FINAL_FILMS}) f) as final_films,
      (select json_agg(${WINDOW} order by u.k) from film u) as windows,
      (select json_agg(p.row) from (${readSections(recordingStates, since)}) p) as sections`);
  const films = new Films(finalCells ?? []);
  let waiting = (windows ?? []).map(createOpenWindow);
  const isOfOneJob = new Set(waiting.flatMap(({ window }) => window.jobs)).size === 1;
  let records = 0;
  let sections = first ?? [];
  while (waiting.length > 0) {
    for (const [, , read] of sections) records += read;
    waiting = films.add(waiting, sections);
    const left = isOfOneJob ? MAX_FILM_RECORDS.ofRequest : most - records;
    if (waiting.length === 0 || left <= 0) break;
    limit = Math.min(MAX_FILM_RECORDS.ofStatement, left);
    const from = subtractMs(findEarliest(waiting.map((open) => new Date(open.from).toISOString())), DAY_MS);
    [sections] = await run<[SectionCells[]]>(Prisma.sql`
      with ${selectGivenWindows(waiting.map(({ window, from }) => ({ ...window, from })))}, ${selectSections(from, limit)}
      select (select json_agg(p.row) from (${readSections(recordingStates, from)}) p) as sections`);
  }
  return { records, films: films.byJob, tooMany: new Set(waiting.flatMap(({ window }) => window.jobs)) };
}

const createOpenWindow = ([jobs, cameraId, from, to, starts, ends, validSec]: WindowCells): OpenWindow => ({
  window: { jobs, cameraId, from, to, starts, ends, validSec },
  from,
  sections: [],
});

class Films {
  readonly byJob = new Map<number, Film[]>();
  /** The final recordings of cameras that were registered again since. */
  private readonly earlier = new Map<string, Film>();

  constructor(finalCells: readonly FinalCells[]) {
    for (const [
      n,
      cameraId,
      from,
      to,
      windowMs,
      recordedMs,
      resolutionMs,
      gaps,
      otherGapsMs,
      isEarlier,
    ] of finalCells) {
      const figures = { from, to, windowMs, recordedMs, resolutionMs, gaps: restoreGaps(from, gaps), otherGapsMs };
      const film = { cameraId, figures, isFinal: true };
      if (isEarlier) this.earlier.set(JSON.stringify([n, cameraId]), film);
      this.put(n, film);
    }
  }

  /** Returns the windows that are still to be read. Windows of which nothing was read yet come before windows that were read in part. */
  add(waiting: readonly OpenWindow[], sections: readonly SectionCells[]): OpenWindow[] {
    const sectionsByWindow = new Map(sections.map((section) => [section[0], section]));
    const readInPart: OpenWindow[] = [];
    const unread = waiting.filter((open, k) => {
      const section = sectionsByWindow.get(k);
      if (section === undefined) return true;
      const [, to, , gaps, before, first, last, apart] = section;
      open.sections.push({ gaps, before, first, last, apart });
      open.from = to;
      if (to === open.window.to) this.finish(open);
      else readInPart.push(open);
      return false;
    });
    const isNew = ({ sections: { length } }: OpenWindow) => length === 0;
    return [...unread.filter(isNew), ...readInPart, ...unread.filter((open) => !isNew(open))];
  }

  private finish({ window: { jobs, cameraId, from, to, starts, ends }, sections }: OpenWindow): void {
    const windowMs = starts.reduce((sum, start, n) => sum + Date.parse(ends[n] as string) - Date.parse(start), 0);
    const figures = calculateFigures(Date.parse(from), Date.parse(to), windowMs, sections);
    for (const n of jobs) {
      const earlier = this.earlier.get(JSON.stringify([n, cameraId]));
      const whole = earlier === undefined ? figures : addEarlier(earlier.figures, figures);
      this.put(n, { cameraId, figures: whole, isFinal: false });
    }
  }

  private put(n: number, film: Film): void {
    const otherFilms = (this.byJob.get(n) ?? []).filter(({ cameraId }) => cameraId !== film.cameraId);
    this.byJob.set(
      n,
      [...otherFilms, film].sort((a, b) => (a.cameraId < b.cameraId ? -1 : 1)),
    );
  }
}

/** Returns a function that runs statements on the database under this name. */
export const createStatementRunner =
  (database: Queryable, name: string) =>
  <T extends unknown[]>(statement: Prisma.Sql) =>
    database.cells<T>(name, statement);
