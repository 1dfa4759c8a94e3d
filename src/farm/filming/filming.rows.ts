// Decides in SQL in which window a camera could record a job, and which gaps its recording has.

import { columnMember, rowShape } from '../../database/rows';
import { sql } from '../../database/sql';
import { Prisma } from '../../generated/prisma/client';
import { VALID_SEC } from '../cameras/liveness.rows';
import { buildTimeline } from '../cameras/timeline.rows';
import type { FinalFilm } from './film.sections';
import type { CameraWatch } from './filming.types';

/** The members of a job that decide when and on which printer it printed. */
export interface FilmedJob {
  id: string;
  printerId: string;
  status: string;
  startedAt: string | null;
  completedAt: string | null;
  updatedAt: string;
}

/** The columns with the figures of job_filming. Gaps are in milliseconds after "from". */
const FIGURES = sql('window_ms, recorded_ms, resolution_ms, gaps, other_gaps_ms');
const OF_JOB = sql('job_id, camera_id, printer_id, job_from, job_to');

/** The columns of a watch `w`. */
export const WATCH_ROW = rowShape<CameraWatch & { cameraId: string }, 'from' | 'to'>(
  'w',
  { cameraId: 'text', printerId: 'uuid' },
  { from: columnMember('w."from"', 'timestamptz'), to: columnMember('w."to"', 'timestamptz') },
);

/** The end of the window of a job `j`; null if the job has no window. The window starts at started_at. web/films/recorded-share.ts has the same rule. */
const JOB_TO = sql(
  `case j.status when 'Printing' then j.now when 'Queued' then null else coalesce(j.completed_at, j.updated_at) end`,
);

/** Jobs that were read already, each with the time of its request. */
export const selectGivenJobs = (jobs: readonly (FilmedJob & { now: string })[]): Prisma.Sql => {
  const rows = jobs.map(({ id, printerId, status, startedAt, completedAt, updatedAt, now }, n) => ({
    n,
    id,
    printer_id: printerId,
    status,
    started_at: startedAt,
    completed_at: completedAt,
    updated_at: updatedAt,
    now,
  }));
  return Prisma.sql`json_to_recordset(${JSON.stringify(rows)}::json) as j (n int, id uuid, printer_id uuid, status text,
    started_at timestamptz, completed_at timestamptz, updated_at timestamptz, now timestamptz)`;
};

/** Jobs from the table. @param now the end of jobs that are still printing */
export const selectStoredJobs = (condition: Prisma.Sql, now: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`(select (row_number() over (order by j.id) - 1)::int as n, j.*, ${now} as now from print_jobs j where ${condition}) j`;

const toMilliseconds = (time: string) => sql(`(extract(epoch from ${time}) * 1000)::bigint`);

/** The watches `w` of the printer of a job `j` in the window of the job. A job that started and ended at one instant has the watches of that instant. */
const WATCHED = sql(`camera_watches w on w.printer_id = j.printer_id
  and (w."from" < j.job_to or w."from" <= j.job_from) and (w."to" is null or w."to" > j.job_from)`);

/** Whether the row `f` of job_filming belongs to the job `j`, and whether the job still has the same times. */
const IS_OF_JOB = sql('f.job_id = j.job_id and f.printer_id = j.printer_id');
const HAS_TIMES = sql('f.job_from = j.job_from and f.job_to = j.job_to');

/** Whether the camera `c` is not removed. */
export const IS_THERE = sql('c.removed_at is null');

/**
 * Common table expressions: `job` has the jobs with a window, and `unfinished` has each camera whose recording of such a job is not final yet.
 * @param jobs a source of jobs `j` @param cameras a condition for a camera `c`
 */
export const selectUnfinished = (jobs: Prisma.Sql, cameras: Prisma.Sql): Prisma.Sql => Prisma.sql`
  job as materialized (
    select j.n, j.id as job_id, j.printer_id, j.started_at as job_from, ${JOB_TO} as job_to from ${jobs}
    where j.started_at <= ${JOB_TO}
  ), unfinished as materialized (
    select j.n, j.job_id, w.camera_id, j.printer_id, j.job_from, j.job_to, ${VALID_SEC} as valid_sec,
      greatest(min(w."from"), j.job_from) as "from", least(max(coalesce(w."to", 'infinity')), j.job_to) as "to",
      array_agg(greatest(w."from", j.job_from) order by w."from") as starts, array_agg(least(w."to", j.job_to) order by w."from") as ends
    from job j join ${WATCHED} join cameras c on c.camera_id = w.camera_id and ${cameras}
    where not exists (select from job_filming f where ${IS_OF_JOB} and ${HAS_TIMES} and f.camera_id = w.camera_id)
    group by j.n, j.job_id, w.camera_id, j.printer_id, j.job_from, j.job_to, c.expected_interval_sec
  )`;

/**
 * The final recordings of the jobs of `job`. The final recording of a removed camera counts even if the times of the job have changed, because
 * the log of the camera is gone. The last member is true if a camera was registered again with the same id: then this recording of the removed
 * camera is added to the recording of the new camera.
 */
export const FINAL_FILMS = Prisma.sql`
  select json_build_array(j.n, f.camera_id, ${toMilliseconds('f."from"')}, ${toMilliseconds('f."to"')}, f.window_ms, f.recorded_ms, f.resolution_ms, f.gaps,
    f.other_gaps_ms, not (${HAS_TIMES}) and c.camera_id is not null) as row
  from job j join job_filming f on ${IS_OF_JOB} left join cameras c on c.camera_id = f.camera_id and ${IS_THERE}
  where ${HAS_TIMES} or c.camera_id is null or f."from" < (
    select coalesce(min(w."from"), 'infinity') from camera_watches w where w.camera_id = c.camera_id)`;

/** A window in the log of a camera, with the numbers of the jobs that have this window. Times are JSON texts. */
export interface FilmWindow {
  jobs: number[];
  cameraId: string;
  from: string;
  to: string;
  /** The starts and ends of the watches in the window. */
  starts: string[];
  ends: string[];
  validSec: number;
}

/** The common table expression `film` with the windows of `unfinished`, numbered by `k`. Equal windows of several jobs are read once. */
export const FILMS = sql(`film as materialized (
  select (row_number() over (order by min(u.n), u.camera_id) - 1)::int as k, array_agg(u.n order by u.n) as jobs, u.camera_id, u."from",
    u."to", u.starts, u.ends, u.valid_sec
  from unfinished u group by u.camera_id, u."from", u."to", u.starts, u.ends, u.valid_sec order by k
)`);

/** The same table as FILMS, with windows that an earlier statement has found. */
export const selectGivenWindows = (windows: readonly FilmWindow[]): Prisma.Sql => {
  const rows = windows.map(({ cameraId, from, to, starts, ends, validSec }, k) => ({
    k,
    camera_id: cameraId,
    from,
    to,
    starts,
    ends,
    valid_sec: validSec,
  }));
  return Prisma.sql`film as materialized (select * from json_to_recordset(${JSON.stringify(rows)}::json) as u (k int, camera_id text,
    "from" timestamptz, "to" timestamptz, starts timestamptz[], ends timestamptz[], valid_sec int))`;
};

export const WINDOW = sql('json_build_array(u.jobs, u.camera_id, u."from", u."to", u.starts, u.ends, u.valid_sec)');

/** The earliest time is a value in the statement, so that the planner leaves out older partitions. */
const selectLog = (earliest: string): Prisma.Sql =>
  Prisma.sql`camera_status s where s.camera_id = u.camera_id and s.recorded_at >= ${earliest}::timestamptz`;

/**
 * Common table expressions. `reached` counts the records of each `film`, up to one more than `most` for all together. `section` has the sections
 * to read now: the complete films before the film in which the limit was reached. If the limit was reached in the first film, `section` has
 * the start of that film, up to the first record beyond the limit.
 */
export const selectSections = (earliest: string, most: number): Prisma.Sql => Prisma.sql`
  reached as materialized (
    select s.k, max(s.at) as at, count(*) as records from (
      select u.k, s.at from film u cross join lateral (
        select s.recorded_at as at from ${selectLog(earliest)} and s.recorded_at >= u."from" and s.recorded_at < u."to"
        order by s.recorded_at limit ${most + 1}::bigint
      ) s limit ${most + 1}::bigint
    ) s group by s.k
  ), section as materialized (
    select u.k, u.camera_id, u."from", u.starts, u.ends, u.valid_sec * interval '1 second' as valid,
      least(coalesce(r.records, 0), ${most}::bigint) as records,
      case when t.is_all or u.k < t.last then u."to" else greatest(r.at, u."from" + interval '1 millisecond') end as "to"
    from film u left join reached r on r.k = u.k cross join (
      select coalesce(sum(r.records), 0) <= ${most}::bigint as is_all, max(r.k) as last from reached r
    ) t
    where t.is_all or u.k < t.last or u.k = 0
  )`;

/**
 * Which gap a state means, and in which time. RECORDED is no gap. Up to one interval after the time until which the log was deleted, SILENT only
 * means that records are missing. The camera may have recorded then, so that gap is LOG_DELETED.
 */
const GAPS = sql(`(values ('NOT_RECORDING', 'NOT_RECORDING', null, null), ('OFFLINE', 'OFFLINE', null, null),
  ('SILENT', 'LOG_DELETED', null, coalesce(d.deleted_until + u.valid, '-infinity')),
  ('SILENT', 'SILENT', d.deleted_until + u.valid, null)) as k (state, reason, "from", "to")`);

/** The records that decide the section `u`: the records in the section, and the last record before it that is still valid. */
const selectRecordsOfSection = (earliest: string): Prisma.Sql => Prisma.sql`
  select * from ${selectLog(earliest)} and s.recorded_at < u."to" and s.recorded_at >= coalesce((
    select s.recorded_at from ${selectLog(earliest)} and s.recorded_at < u."from" and s.recorded_at > u."from" - u.valid
    order by s.recorded_at desc limit 1
  ), u."from")`;

/** Each `section` as a FilmSection. Its gaps end where a watch ends. */
export const readSections = (recordingStates: readonly string[], earliest: string): Prisma.Sql => {
  const records = selectRecordsOfSection(earliest);
  return Prisma.sql`
  select json_build_array(u.k, u."to", u.records, r.gaps, r.before, r.first, r.last, r.apart) as row
  from section u cross join status_log_retention d cross join lateral (
    with ${buildTimeline({ records, valid: 'u.valid', from: 'u."from"', recordingStates })}, gap as (
      select k.reason, greatest(t.at, w."from", k."from", u."from") as "from", least(t.until, w."to", k."to", u."to") as "to"
      from timeline t join ${GAPS} on k.state = t.state cross join unnest(u.starts, u.ends) as w ("from", "to")
    ), gaps as (
      select coalesce(json_agg(json_build_array(${toMilliseconds('g."from"')}, ${toMilliseconds('g."to"')}, g.reason) order by g."from"), '[]') as gaps
      from gap g where g."from" < g."to"
    ), records as (
      select ${toMilliseconds('max(s.at) filter (where s.at < u."from")')} as before, ${toMilliseconds('min(s.at) filter (where s.at >= u."from")')} as first,
        ${toMilliseconds('max(s.at) filter (where s.at >= u."from")')} as last,
        ${toMilliseconds('max(s.next - s.at) filter (where s.at >= u."from")')} as apart
      from reports s
    )
    select g.gaps, h.before, h.first, h.last, h.apart from gaps g cross join records h
  ) r (gaps, before, first, last, apart)`;
};

/** Stores recordings as final, unless they became final meanwhile or the times of their jobs changed. The parameters are those of selectUnfinished. */
export const insertFinalFilms = (
  films: readonly FinalFilm[],
  jobs: Prisma.Sql,
  cameras: Prisma.Sql,
): Prisma.Sql => Prisma.sql`
  with ${selectUnfinished(jobs, cameras)}
  insert into job_filming (${OF_JOB}, "from", "to", ${FIGURES})
  select ${OF_JOB}, f.begin, f.until, ${FIGURES} from unfinished u join json_to_recordset(${JSON.stringify(films)}::json) as f (n int,
    camera text, begin timestamptz, until timestamptz, window_ms bigint, recorded_ms bigint, resolution_ms bigint, gaps json,
    other_gaps_ms bigint) on f.n = u.n and f.camera = u.camera_id and f.until = u."to"
  on conflict (job_id, camera_id) do update set (printer_id, job_from, job_to, "from", "to", ${FIGURES}) = (excluded.printer_id,
    excluded.job_from, excluded.job_to, excluded."from", excluded."to", excluded.window_ms, excluded.recorded_ms,
    excluded.resolution_ms, excluded.gaps, excluded.other_gaps_ms)`;
