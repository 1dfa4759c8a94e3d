// The SQL of the filming of jobs, and of the watches of cameras.
import type { Queryable } from '../database/queryable';
import { isOneOf } from '../database/sql';
import { Prisma } from '../generated/prisma/client';
import { batchedRead } from '../sharing/batch';
import { before, DAY_MS, earliestOf } from '../values/instant';
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

/** A job at the time of a request, as long as it has begun. */
export type FilmedAt = FilmedJob & { startedAt: string; now: string };

/** Where the statement would read more than MAX_FILM_RECORDS records, of all its jobs, it reads none, and there are no films. */
interface Found {
  records: number;
  films: JobFilming[] | null;
}

export class FilmingStore {
  /** @param states the recording states in which a camera records */
  constructor(
    private readonly database: Queryable,
    private readonly states: readonly string[],
  ) {}

  readonly ofJob = batchedRead<FilmedAt, Found>((jobs) => this.read(jobs), JSON.stringify);

  /** After ofJob, whose statement had too many records of other requests. */
  readonly ofCounted = batchedRead<FilmedAt & { records: number }, Found>(
    (jobs) => this.read(jobs),
    JSON.stringify,
    ({ records }) => records,
  );

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

  /** Fixes what a camera recorded, before its log is deleted. */
  async fixOfCamera(transaction: Queryable, cameraId: string, now: string): Promise<void> {
    const condition = Prisma.sql`j.started_at is not null and j.printer_id in (
      select w.printer_id from camera_watches w where w.camera_id = ${cameraId})`;
    await transaction.json(
      'filming.fixOfCamera',
      Prisma.sql`${fixing(
        this.states,
        '0001-01-01T00:00:00Z',
        storedJobs(condition, Prisma.sql`${now}::timestamptz`),
        Prisma.sql`c.camera_id = ${cameraId}`,
      )} returning 'null'::json as value`,
    );
  }

  private async read(jobs: readonly FilmedAt[]): Promise<Map<string, Found>> {
    const earliest = before(earliestOf(jobs.map(({ startedAt }) => startedAt)), DAY_MS);
    const few = Prisma.sql`(select sum(r.records) <= ${MAX_FILM_RECORDS}::bigint from counted r)`;
    const [rows, counts] = await this.database.cells<[unknown[][] | null, [number, number][]]>(
      'filming.ofJob',
      Prisma.sql`
      with ${unfixedOf(givenJobs(jobs), IS_THERE)}, counted as materialized (
        select u.n, ${recordsOf(earliest, MAX_FILM_RECORDS)} as records from unfixed u
      )
      select (
        select json_agg(${FILMING_ROW.json} order by f.n, f.camera_id)
        from (${FIXED} union all ${computed(this.states, earliest, few)}) f
      ) as films, (
        select coalesce(json_agg(json_build_array(r.n, r.records)), '[]')
        from (select r.n, sum(r.records) as records from counted r group by r.n) r
      ) as counts`,
    );
    const films = (rows ?? []).map(FILMING_ROW.read);
    const records = new Map(counts);
    const isRead = [...records.values()].reduce((sum, one) => sum + one, 0) <= MAX_FILM_RECORDS;
    const ofJob = new Map<number, FilmingRow[]>(jobs.map((_, n) => [n, []]));
    for (const film of films) ofJob.get(film.n)?.push(film);
    return new Map(
      jobs.map((job, n) => [
        JSON.stringify(job),
        { records: records.get(n) ?? 0, films: isRead || !records.has(n) ? (ofJob.get(n) as JobFilming[]) : null },
      ]),
    );
  }
}
