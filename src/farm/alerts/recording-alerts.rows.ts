// Finds in SQL the alerts about recordings: cameras that do not record a print although they should, and recordings that will end too early.

import { sql } from '../../database/sql';
import { Prisma } from '../../generated/prisma/client';
import { DAY_MS, type Instant, subtractMs } from '../../values/instant';
import { isLooping, isRecording } from '../cameras/liveness.rows';
import { selectPlannedSeconds } from '../print-plans/print-plan.store';
import { lastContactOfState } from '../printer-states/printer-state.rows';
import { FILM_DAYS, FILM_RECORDS } from './alert.limits';

/** A camera has this long after the start of a print to start recording. */
const FILM_AFTER_MS = 60_000;
/**
 * The time at which a battery is empty is predicted by a line through its records of this time, if there are enough records and the level has
 * fallen enough.
 */
export const BATTERY_LINE_MIN = 30;
const BATTERY_LINE_MS = BATTERY_LINE_MIN * 60_000;
export const BATTERY_RECORDS = 4;
export const BATTERY_FALL_PCT = 2;
/** A recording may end this long before its print, or this share of the remaining print time before, without an alert. */
export const EARLY_MIN = 5;
const EARLY_SEC = EARLY_MIN * 60;
export const EARLY_SHARE = 0.1;

interface RecordingAlerts {
  /** Common table expressions. They need the table `seen` of all cameras. */
  tables: Prisma.Sql;
  /** A query of the alerts, in the columns of findings. */
  findings: Prisma.Sql;
}

/**
 * Limits how many records the statement reads of all cameras together, however long the prints are and however often the cameras report. For
 * cameras that do not record now, these are the records with their last recording; for the others, the records with their battery levels.
 */
const NEWEST_OF_SHARE = sql(
  'order by s.recorded_at desc, s.id desc limit (select h.records from share h where h.of_recording = m.records)',
);

/**
 * Reads no record if no camera should record now. Each read of the log has the same earliest time for all cameras, so that PostgreSQL skips the
 * partitions of older times.
 */
export function createRecordingAlerts(now: Instant, recordingStates: readonly string[]): RecordingAlerts {
  const at = (ms: number) => Prisma.sql`${subtractMs(now, ms)}::timestamptz`;
  const clock = at(0);
  const secondsSince = (column: string) => Prisma.sql`extract(epoch from ${clock} - ${sql(column)})::float8`;
  /** The records of a camera `m` of the last milliseconds. */
  const logSince = (ms: number) =>
    Prisma.sql`camera_status s where s.camera_id = m.camera_id and s.recorded_at <= ${clock} and s.recorded_at >= ${at(ms)}`;
  const records = isRecording(recordingStates, 's');

  /**
   * The end of the last recording of the print: when the newest recording status expired, or when the camera stopped watching the printer. What
   * the camera recorded of another printer does not count. What the camera recorded before its registration counts.
   */
  const lastFilm = Prisma.sql`
    select least(l.ended_at, w."to") as ended_at from (
      select s.recorded_at, least(s.next, s.recorded_at + m.valid) as ended_at from (
        select s.recorded_at, ${records} as records,
          lag(s.recorded_at) over (order by s.recorded_at desc, s.id desc) as next
        from (select s.* from ${logSince(FILM_DAYS * DAY_MS)} and s.recorded_at > m.started_at - m.valid ${NEWEST_OF_SHARE}) s
      ) s
      -- Of several records with the same time, only the one with the greatest id counts.
      where s.records and s.next > s.recorded_at
    ) l join camera_watches w on w.camera_id = m.camera_id and w.printer_id = m.printer_id
      and (w."to" is null or w."to" > l.recorded_at) and (w."from" < l.ended_at
        or not exists (select from camera_watches e where e.camera_id = w.camera_id and e."from" < w."from"))
    where l.ended_at > m.started_at and (w."to" is null or w."to" > m.started_at)
    order by l.recorded_at desc, w."from" desc limit 1`;

  /** When the battery will be empty, by a line through the levels that the camera reported while it recorded. */
  const batterySec = Prisma.sql`
    select case when count(*) >= ${BATTERY_RECORDS}::int and not bool_or(b.pct > b.before)
        and (max(b.pct) - min(b.pct))::numeric >= ${BATTERY_FALL_PCT}::int
      then regr_intercept(b.pct, b.sec) / -regr_slope(b.pct, b.sec) end as battery_sec
    from (
      select s.battery_pct as pct, -${secondsSince('s.recorded_at')} as sec,
        lag(s.battery_pct) over (order by s.recorded_at, s.id) as before
      from (select s.* from ${logSince(BATTERY_LINE_MS)} ${NEWEST_OF_SHARE}) s
      where s.battery_pct is not null and ${records}
    ) b`;

  /** The remaining time of the print as the printer reports it, else as the slicer planned it; null if both are unknown. */
  const printSec = Prisma.sql`coalesce(
    (select s.remaining_sec - extract(epoch from ${clock} - ${lastContactOfState(clock)})::float8
      from printer_states s join devices d on d.printer_id = s.printer_id where s.printer_id = m.printer_id),
    coalesce(
      (select (o.plan->>'seconds')::float8 from observed_prints o where o.job_id = m.job_id),
      ${selectPlannedSeconds('m.print_name', 'm.gcode_file_path')}
    ) - ${secondsSince('m.started_at')}
  )`;

  return {
    // `expected` has the cameras that should record now, each with the newest printing job that started long enough ago. `filmed` has those of them
    // that are online by a record that is still valid, with this record.
    tables: Prisma.sql`
      expected as (
        select distinct on (c.camera_id) c.camera_id, c.friendly_name, c.printer_id, c.valid_sec * interval '1 second' as valid,
          j.id as job_id, j.print_name, j.gcode_file_path, j.started_at
        from seen c join print_jobs j on j.printer_id = c.printer_id
        where c.records_prints and j.status = 'Printing' and j.started_at <= ${at(FILM_AFTER_MS)}
        order by c.camera_id, j.started_at desc, j.id desc
      ), filmed as (
        select m.*, s.recorded_at, s.records, s.video_sec
        from expected m cross join lateral (
          select s.recorded_at, s.online, ${records} as records, case when lower(s.mode) is distinct from 'timelapse'
            and not ${isLooping('s')} then s.video_remaining_sec - ${secondsSince('s.recorded_at')} end as video_sec
          from ${logSince(FILM_DAYS * DAY_MS)} and s.recorded_at >= ${clock} - m.valid
          order by s.recorded_at desc, s.id desc limit 1
        ) s
        where s.online
      ), share as (
        select f.records as of_recording, ${FILM_RECORDS}::bigint / count(*) as records from filmed f group by f.records
      )`,
    findings: Prisma.sql`
      select case when l.ended_at is null then 'NOT_FILMED' else 'FILM_STOPPED' end, 'camera',
        coalesce(l.ended_at, m.started_at), m.camera_id, m.friendly_name, m.print_name
      from filmed m left join lateral (${lastFilm}) l on true
      where not m.records and (l.ended_at is null or l.ended_at < ${clock} - m.valid)
      union all select 'FILM_ENDS_EARLY', 'camera', e.recorded_at, e.camera_id, e.friendly_name,
        json_build_array(e.print_name, case when e.battery_sec <= e.film_sec then 'battery' else 'video' end, e.early_sec)::text
      from (
        select m.*, p.print_sec, b.battery_sec, f.film_sec, p.print_sec - f.film_sec as early_sec
        from filmed m cross join lateral (select ${printSec} as print_sec) p cross join lateral (${batterySec}) b
          -- The camera records now, so its recording ends now at the earliest.
          cross join lateral (select greatest(least(m.video_sec, b.battery_sec), 0) as film_sec) f
        where m.records and p.print_sec >= ${EARLY_SEC}::int and (m.video_sec is not null or b.battery_sec is not null)
      ) e
      where e.early_sec >= ${EARLY_SEC}::int and e.early_sec > e.print_sec * ${EARLY_SHARE}::float8`,
  };
}
