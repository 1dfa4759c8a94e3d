// The SQL of the filming of jobs, and of the watches of cameras.
import type { Queryable } from '../../database/queryable';
import { isOneOf } from '../../database/sql';
import { Conflict } from '../../errors';
import { Prisma } from '../../generated/prisma/client';
import { batchedRead } from '../../sharing/batch';
import { before, DAY_MS, earliestOf } from '../../values/instant';
import { MAX_FILM_RECORDS, MAX_WATCHES, PRICED_WATCHES } from './filming.limits';
import {
  computed,
  FILMING_ROW,
  FIXED,
  type FilmedJob,
  type FilmingRow,
  fixing,
  givenJobs,
  IS_THERE,
  recordsOf,
  storedJobs,
  unfixedOf,
  WATCH_ROW,
} from './filming.rows';
import type { CameraWatch, JobFilming } from './filming.types';

/** All records are later. */
const EARLIEST = '0001-01-01T00:00:00Z';

/** A job at the time of a request, as long as it has begun. */
export type FilmedAt = FilmedJob & { startedAt: string; now: string };

export class FilmingStore {
  /** @param states the recording states in which a camera records */
  constructor(
    private readonly database: Queryable,
    private readonly states: readonly string[],
  ) {}

  /**
   * The films of the jobs of one request, and null where its statement would read more records than are left to it. They are counted as
   * far as that goes. So a statement is of one request: what it may read does not depend on others.
   */
  ofRequest() {
    let left = MAX_FILM_RECORDS;
    return batchedRead<FilmedAt, JobFilming[]>(async (jobs) => {
      const { records, films } = await this.read(jobs, left);
      left = Math.max(left - records, 0);
      return films;
    }, JSON.stringify);
  }

  /** Of each camera newest first. */
  readonly watches = batchedRead<string, CameraWatch[]>(
    async (ids) => {
      const rows = await this.database.rows(
        'filming.watches',
        WATCH_ROW,
        Prisma.sql`
        select ${WATCH_ROW.json} as row from cameras c cross join lateral (
          select * from camera_watches w where w.camera_id = c.camera_id order by w."from" desc limit ${MAX_WATCHES}::bigint
        ) w where ${isOneOf('c.camera_id', ids, 'text')} order by w.camera_id, w."from" desc`,
      );
      const watches = new Map<string, CameraWatch[]>(ids.map((id) => [id, []]));
      for (const row of rows) watches.get(row.cameraId)?.push(row);
      return watches;
    },
    String,
    () => PRICED_WATCHES,
  );

  /** Fixes what a camera recorded, before its log is deleted. The log is read only where a print needs it. */
  async fixOfCamera(transaction: Queryable, cameraId: string, now: string): Promise<void> {
    const condition = Prisma.sql`j.started_at is not null and j.printer_id in (
      select w.printer_id from camera_watches w where w.camera_id = ${cameraId})`;
    const jobs = storedJobs(condition, Prisma.sql`${now}::timestamptz`);
    const camera = Prisma.sql`c.camera_id = ${cameraId}`;
    const unfixed = await transaction.json<number>(
      'filming.unfixedOfCamera',
      Prisma.sql`with ${unfixedOf(jobs, camera)} select to_json(count(*)) as value from unfixed`,
    );
    if (unfixed === 0) return;
    const records = await transaction.json<number>(
      'filming.recordsOfCamera',
      Prisma.sql`
      with ${unfixedOf(jobs, camera)} select to_json(r.records) as value from (${recordsOf(EARLIEST, MAX_FILM_RECORDS)}) r`,
    );
    if (records > MAX_FILM_RECORDS) {
      throw new Conflict(
        `What the camera recorded of ${unfixed} prints has to be fixed first, and is more than ${MAX_FILM_RECORDS} records: end the jobs ` +
          'that print no more, and try again when their ends are a day and an hour ago',
      );
    }
    await transaction.json(
      'filming.fixOfCamera',
      Prisma.sql`${fixing(this.states, EARLIEST, jobs, camera)} returning 'null'::json as value`,
    );
  }

  /** @param most records; where there are more, none is read, and there are no films */
  private async read(jobs: readonly FilmedAt[], most: number) {
    const earliest = before(earliestOf(jobs.map(({ startedAt }) => startedAt)), DAY_MS);
    const few = Prisma.sql`(select r.records <= ${most}::bigint from counted r)`;
    const [records, rows] = await this.database.cells<[number, unknown[][] | null]>(
      'filming.ofJob',
      Prisma.sql`
      with ${unfixedOf(givenJobs(jobs), IS_THERE)}, counted as materialized (${recordsOf(earliest, most)})
      select (select to_json(r.records) from counted r) as records, (
        select json_agg(${FILMING_ROW.json} order by f.n, f.camera_id)
        from (${FIXED} union all ${computed(this.states, earliest, few)}) f
        where ${few}
      ) as films`,
    );
    const films = jobs.map((): FilmingRow[] => []);
    for (const film of (rows ?? []).map(FILMING_ROW.read)) films[film.n]?.push(film);
    return {
      records,
      films: new Map(jobs.map((job, n) => [JSON.stringify(job), records > most ? null : (films[n] as JobFilming[])])),
    };
  }
}
