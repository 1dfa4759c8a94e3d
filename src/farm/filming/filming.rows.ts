// The rules of the filming of jobs in SQL: the window of a job, the word of a camera, and the gaps between what it recorded.

import { memberOf, rowShape } from '../../database/rows';
import { sql } from '../../database/sql';
import { Prisma } from '../../generated/prisma/client';
import { later } from '../../values/instant';
import { VALID_SEC } from '../cameras/liveness.rows';
import { isRecording } from '../cameras/recording.rows';
import { MAX_FILM_GAPS } from './filming.limits';
import type { CameraWatch, FilmingGapReason, JobFilming } from './filming.types';

/** What says when a job printed, and where. */
export interface FilmedJob {
  id: string;
  printerId: string;
  status: string;
  startedAt: string | null;
  completedAt: string | null;
  updatedAt: string;
}

/** A row of FILMING with the number of its job in the statement. */
export interface FilmingRow extends JobFilming {
  n: number;
}

const seconds = (column: string) => memberOf(`${column}::float8 / 1000`, 'float8');

/** The filming `f` of a job and a camera. */
export const FILMING_ROW = rowShape<
  FilmingRow,
  'windowSec' | 'recordedSec' | 'share' | 'resolutionSec' | 'gaps' | 'otherGapsSec' | 'from' | 'to'
>(
  'f',
  { n: 'int', cameraId: 'text', final: 'boolean' },
  {
    from: memberOf('f."from"', 'timestamptz'),
    to: memberOf('f."to"', 'timestamptz'),
    windowSec: seconds('f.window_ms'),
    recordedSec: seconds('f.recorded_ms'),
    share: memberOf('case f.window_ms when 0 then 0 else f.recorded_ms::float8 / f.window_ms end', 'float8'),
    resolutionSec: seconds('f.resolution_ms'),
    gaps: {
      sql: 'json_build_array(f."from", f.gaps)',
      read: ([from, gaps]: [string, [number, number, FilmingGapReason][]]) =>
        gaps.map(([begin, end, reason]) => ({ from: later(from, begin / 1000), to: later(from, end / 1000), reason })),
    },
    otherGapsSec: seconds('f.other_gaps_ms'),
  },
);

/** What a row of job_filming is made of, beside the job that it belongs to. */
const FIGURES = sql('window_ms, recorded_ms, resolution_ms, gaps, other_gaps_ms');
const OF_JOB = sql('job_id, camera_id, printer_id, job_from, job_to, "from", "to"');

/** A watch `w` of the camera `w.camera_id`. */
export const WATCH_ROW = rowShape<CameraWatch & { cameraId: string }, 'from' | 'to'>(
  'w',
  { cameraId: 'text', printerId: 'uuid' },
  { from: memberOf('w."from"', 'timestamptz'), to: memberOf('w."to"', 'timestamptz') },
);

/** The end of the window of a job `j`, which begins at its started_at; null for none. */
const JOB_TO = sql(
  `case j.status when 'Printing' then j.now when 'Queued' then null else coalesce(j.completed_at, j.updated_at) end`,
);

/** Jobs as they were read, each at the time of its request. */
export const givenJobs = (jobs: readonly (FilmedJob & { now: string })[]): Prisma.Sql => {
  const rows = jobs.map(({ id, printerId, status, startedAt, completedAt, updatedAt, now }, n) => ({
    ...{ n, id, status, now },
    ...{ printer_id: printerId, started_at: startedAt, completed_at: completedAt, updated_at: updatedAt },
  }));
  return Prisma.sql`json_to_recordset(${JSON.stringify(rows)}::json) as j (n int, id uuid, printer_id uuid, status text,
    started_at timestamptz, completed_at timestamptz, updated_at timestamptz, now timestamptz)`;
};

/** Jobs of the table. @param now the end of those that print */
export const storedJobs = (condition: Prisma.Sql, now: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`(select 0 as n, j.*, ${now} as now from print_jobs j where ${condition}) j`;

/** The watches `w` of the printer of a job `j` with these times. A print without a length has those of its instant. */
const WATCHED = sql(`camera_watches w on w.printer_id = j.printer_id
  and (w."from" < j.job_to or w."from" <= j.job_from) and (w."to" is null or w."to" > j.job_from)`);

/** Whether the row `f` is of the job `j`, and whether the job has the same times still. */
const IS_OF_JOB = sql('f.job_id = j.job_id and f.printer_id = j.printer_id');
const HAS_TIMES = sql('f.job_from = j.job_from and f.job_to = j.job_to');

/** A camera that readers have, `c`. */
export const IS_THERE = sql('c.removed_at is null');

/**
 * Common tables: `job` has the jobs that have a window, and `unfixed` what is not fixed of them, for each camera.
 * @param jobs a source `j` @param cameras the condition of a camera `c`
 */
export const unfixedOf = (jobs: Prisma.Sql, cameras: Prisma.Sql): Prisma.Sql => Prisma.sql`
  job as materialized (
    select j.n, j.id as job_id, j.printer_id, j.started_at as job_from, ${JOB_TO} as job_to from ${jobs}
    where j.started_at <= ${JOB_TO}
  ), unfixed as materialized (
    select j.n, j.job_id, w.camera_id, j.printer_id, j.job_from, j.job_to, ${VALID_SEC} * interval '1 second' as valid,
      greatest(min(w."from"), j.job_from) as "from", least(max(coalesce(w."to", 'infinity')), j.job_to) as "to",
      array_agg(greatest(w."from", j.job_from)) as begins, array_agg(least(w."to", j.job_to)) as ends
    from job j join ${WATCHED} join cameras c on c.camera_id = w.camera_id and ${cameras}
    where not exists (select from job_filming f where ${IS_OF_JOB} and ${HAS_TIMES} and f.camera_id = w.camera_id)
    group by j.n, j.job_id, w.camera_id, j.printer_id, j.job_from, j.job_to, c.expected_interval_sec
  )`;

/** What is fixed of the jobs of `job`. Of a camera that was removed nothing else is there, so it stays when a job's times change. */
export const FIXED = Prisma.sql`
  select j.n, f.camera_id, f."from", f."to", ${FIGURES}, true as final from job j join job_filming f on ${IS_OF_JOB}
    and (${HAS_TIMES} or not exists (select from cameras c where c.camera_id = f.camera_id and ${IS_THERE}))`;

/** The records `s` that speak in `u` of `unfixed`. With the earliest time as a value the planner leaves out the partitions before it. */
const spoken = (earliest: string): Prisma.Sql => Prisma.sql`s.camera_id = u.camera_id
  and s.recorded_at > u."from" - u.valid and s.recorded_at < u."to" and s.recorded_at >= ${earliest}::timestamptz`;

/** How many records those of all `unfixed` are. @param most it stops behind them */
export const recordsOf = (earliest: string, most: number): Prisma.Sql => Prisma.sql`
  select count(*) as records from (
    select from unfixed u cross join lateral (select from camera_status s where ${spoken(earliest)} limit ${most + 1}::bigint) s
    limit ${most + 1}::bigint
  ) s`;

const ms = (time: string) => sql(`(extract(epoch from ${time}) * 1000)::bigint`);

/** What a word is as a gap, from when to when: silence before the log was deleted is not the camera's. RECORDED is none. */
const GAPS = sql(`(values ('NOT_RECORDING', 'NOT_RECORDING', null, null), ('OFFLINE', 'OFFLINE', null, null),
  ('SILENT', 'LOG_DELETED', null, coalesce(d.deleted_until, '-infinity')),
  ('SILENT', 'SILENT', d.deleted_until, null)) as k (word, reason, "from", "to")`);

/**
 * The figures of `u` of `unfixed`.
 * - `said` has the records, of equal times the one with the greatest id, each with its neighbours.
 * - `turn` has the times at which the camera's word becomes another one: at the begin it is silence, a record's word is said
 *   by it, and becomes silence when the record is older than the interval.
 * - `gap` has the times between turns that are gaps, cut by the watches.
 */
const figures = (states: readonly string[], earliest: string): Prisma.Sql => Prisma.sql`
  with said as (
    select s.at, s.word, lag(s.at) over w as next, lead(s.at) over w as before, lead(s.word) over w as word_before from (
      select distinct on (s.recorded_at) s.recorded_at as at,
        case when not s.online then 'OFFLINE' when ${isRecording(states, 's')} then 'RECORDED' else 'NOT_RECORDING' end as word
      from camera_status s where ${spoken(earliest)} order by s.recorded_at desc, s.id desc
    ) s window w as (order by s.at desc)
  ), turn as (
    select u."from" - u.valid as at, 'SILENT' as word
    union all select s.at, s.word from said s where s.word is distinct from s.word_before or s.before + u.valid < s.at
    union all select s.at + u.valid, 'SILENT' from said s where s.next is null or s.next > s.at + u.valid
  ), gap as (
    select g."from", g."to", g.reason, row_number() over (order by g."to" - g."from" desc, g."from") as rank from (
      select k.reason, greatest(t.at, w."from", k."from") as "from", least(t.until, w."to", k."to") as "to"
      from (select t.word, t.at, lead(t.at) over (order by t.at) as until from turn t) t
      join ${GAPS} on k.word = t.word cross join unnest(u.begins, u.ends) as w ("from", "to")
    ) g where g."from" < g."to"
  ), length as (
    select sum(${ms('w."to" - w."from"')})::bigint as window_ms from unnest(u.begins, u.ends) as w ("from", "to")
  ), missing as (
    select coalesce(sum(${ms('g."to" - g."from"')}), 0)::bigint as all_ms,
      coalesce(sum(${ms('g."to" - g."from"')}) filter (where g.rank > ${MAX_FILM_GAPS}::bigint), 0)::bigint as other_gaps_ms,
      coalesce(json_agg(json_build_array(${ms('g."from" - u."from"')}, ${ms('g."to" - u."from"')}, g.reason) order by g."from")
        filter (where g.rank <= ${MAX_FILM_GAPS}::bigint), '[]') as gaps
    from gap g
  ), heard as (
    select ${ms(`greatest(max(coalesce(s.next, u."to") - greatest(s.at, u."from")), min(s.at) - u."from", u."from" - min(s.at))`)}
      as resolution_ms
    from said s where s.next is null or s.next > u."from"
  )
  select l.window_ms, l.window_ms - m.all_ms as recorded_ms, h.resolution_ms, m.gaps, m.other_gaps_ms
  from length l, missing m, heard h`;

/** Each `u` of `unfixed` with its figures `f`. */
const figured = (states: readonly string[], earliest: string): Prisma.Sql => Prisma.sql`
  unfixed u cross join status_log_retention d cross join lateral (${figures(states, earliest)}) f`;

/** The rows of `unfixed` that match the condition, as they are computed. */
export const computed = (states: readonly string[], earliest: string, condition: Prisma.Sql): Prisma.Sql => Prisma.sql`
  select u.n, u.camera_id, u."from", u."to", ${FIGURES}, false as final
  from ${figured(states, earliest)} where ${condition}`;

/** Fixes what is not fixed of the jobs. As unfixedOf. */
export const fixing = (
  states: readonly string[],
  earliest: string,
  jobs: Prisma.Sql,
  cameras: Prisma.Sql,
): Prisma.Sql => Prisma.sql`
  with ${unfixedOf(jobs, cameras)}
  insert into job_filming (${OF_JOB}, ${FIGURES}) select ${OF_JOB}, ${FIGURES}
  from ${figured(states, earliest)}
  on conflict (job_id, camera_id) do update set (printer_id, job_from, job_to, "from", "to", ${FIGURES}) = (excluded.printer_id,
    excluded.job_from, excluded.job_to, excluded."from", excluded."to", excluded.window_ms, excluded.recorded_ms,
    excluded.resolution_ms, excluded.gaps, excluded.other_gaps_ms)`;
