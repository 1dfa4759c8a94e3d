// Reads the recordings of jobs and the watches of cameras, and makes recordings final.
import pLimit from 'p-limit';
import type { Queryable } from '../../database/queryable';
import { matchesOneOf } from '../../database/sql';
import { Conflict } from '../../errors';
import { Prisma } from '../../generated/prisma/client';
import { batchedRead } from '../../sharing/batch';
import { findEarliest } from '../../values/instant';
import { type Deadline, refusePastDeadline } from '../../values/request-time';
import type { RecordingKeeper } from '../cameras/camera.store';
import { createStatementRunner, MAX_FILM_RECORDS, readFilms } from './film.reader';
import { toFinalFilm, toJobFilming } from './film.sections';
import {
  type FilmedJob,
  IS_THERE,
  insertFinalFilms,
  selectGivenJobs,
  selectStoredJobs,
  selectUnfinished,
  WATCH_ROW,
} from './filming.rows';
import type { CameraWatch, JobFilming } from './filming.types';

export const MAX_WATCHES = 1000;
/** The number of watches per camera that counts in the price of an operation. Cameras are seldom moved. */
const PRICED_WATCHES = 10;

/** An instant that is earlier than all records. */
const EARLIEST = '0001-01-01T00:00:00Z';

/** A job that has started, at the time of a request. */
type FilmedAt = FilmedJob & { startedAt: string; now: string };

export class FilmingStore implements RecordingKeeper {
  /** Limits how many statements read the log at a time. */
  private readonly queue: ReturnType<typeof pLimit>;

  /**
   * @param states the states, in lower case, in which a camera records
   * @param maxConcurrent how many statements may read the log at a time
   */
  constructor(
    private readonly database: Queryable,
    private readonly states: readonly string[],
    maxConcurrent: number,
  ) {
    this.queue = pLimit(maxConcurrent);
  }

  /**
   * Returns a reader for the jobs of one request. It returns `null` for jobs with more records than the request may still read. Each request has a
   * separate reader, so that its limit does not depend on other requests.
   */
  createRequestReader(request: Deadline) {
    let left = MAX_FILM_RECORDS.ofRequest;
    const cells = createStatementRunner(this.database, 'filming.ofJob');
    const run = <T extends unknown[]>(statement: Prisma.Sql) =>
      this.queue(() => {
        refusePastDeadline(request);
        return cells<T>(statement);
      });
    return batchedRead<FilmedAt, JobFilming[]>(async (jobs) => {
      const earliest = findEarliest(jobs.map(({ startedAt }) => startedAt));
      const wanted = { jobs: selectGivenJobs(jobs), cameras: IS_THERE, earliest, most: left };
      const { records, films, tooMany } = await readFilms(run, this.states, wanted);
      left = Math.max(left - records, 0);
      const filmsOf = (n: number) =>
        (films.get(n) ?? []).map(({ cameraId, figures, isFinal }) => toJobFilming(cameraId, figures, isFinal));
      return new Map(jobs.map((job, n) => [JSON.stringify(job), tooMany.has(n) ? null : filmsOf(n)]));
    }, JSON.stringify);
  }

  /** The watches of each camera, newest first. */
  readonly watches = batchedRead<string, CameraWatch[]>(
    async (ids) => {
      const rows = await this.database.rows(
        'filming.watches',
        WATCH_ROW,
        Prisma.sql`
        select ${WATCH_ROW.json} as row from cameras c cross join lateral (
          select * from camera_watches w where w.camera_id = c.camera_id order by w."from" desc limit ${MAX_WATCHES}::bigint
        ) w where ${matchesOneOf('c.camera_id', ids, 'text')} order by w.camera_id, w."from" desc`,
      );
      const watches = new Map<string, CameraWatch[]>(ids.map((id) => [id, []]));
      for (const row of rows) watches.get(row.cameraId)?.push(row);
      return watches;
    },
    String,
    () => PRICED_WATCHES,
  );

  /** Makes the recordings of the camera final. The log is read only if a print needs it. */
  async keepRecordingsOf(transaction: Queryable, cameraId: string, now: string): Promise<void> {
    const condition = Prisma.sql`j.started_at is not null and j.printer_id in (
      select w.printer_id from camera_watches w where w.camera_id = ${cameraId})`;
    const jobs = selectStoredJobs(condition, Prisma.sql`${now}::timestamptz`);
    const camera = Prisma.sql`c.camera_id = ${cameraId}`;
    const unfinished = await transaction.json<number>(
      'filming.unfixedOfCamera',
      Prisma.sql`with ${selectUnfinished(jobs, camera)} select to_json(count(*)) as value from unfinished`,
    );
    if (unfinished === 0) return;
    const isFinal = await finalizeFilms(transaction, this.states, jobs, camera, EARLIEST);
    if (isFinal) return;
    throw new Conflict(
      `The camera has recordings of ${unfinished} prints that are not final yet, with more than ${MAX_FILM_RECORDS.ofRequest} status records. End the ` +
        'jobs that are no longer printing, and remove the camera a day and an hour after that',
    );
  }
}

/**
 * Makes the recordings of the jobs final, all of them or none. Returns false if several jobs together have more than
 * MAX_FILM_RECORDS.ofRequest records.
 * @param jobs a source of jobs `j` @param cameras a condition for a camera `c` @param earliest no job starts earlier
 */
export async function finalizeFilms(
  database: Queryable,
  states: readonly string[],
  jobs: Prisma.Sql,
  cameras: Prisma.Sql,
  earliest: string,
): Promise<boolean> {
  const run = createStatementRunner(database, 'filming.read');
  const { films, tooMany } = await readFilms(run, states, {
    jobs,
    cameras,
    earliest,
    most: MAX_FILM_RECORDS.ofRequest,
  });
  if (tooMany.size > 0) return false;
  const read = [...films].flatMap(([n, filmsOfJob]) =>
    filmsOfJob.filter(({ isFinal }) => !isFinal).map(({ cameraId, figures }) => toFinalFilm(n, cameraId, figures)),
  );
  await database.json(
    'filming.fix',
    Prisma.sql`${insertFinalFilms(read, jobs, cameras)} returning 'null'::json as value`,
  );
  return true;
}
