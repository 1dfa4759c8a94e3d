// The SQL of the alerts of films: whether cameras record what they are meant to, and whether their films last until the print ends.

import { sql } from '../../database/sql';
import { Prisma } from '../../generated/prisma/client';
import { before, DAY_MS, type Instant } from '../../values/instant';
import { isLooping, isRecording } from '../cameras/liveness.rows';
import { secondsOfPlan } from '../print-plans/print-plan.store';
import { lastContactOfState } from '../printer-states/printer-state.rows';
import {
  BATTERY_FALL_PCT,
  BATTERY_LINE_MS,
  BATTERY_RECORDS,
  EARLY_SEC,
  EARLY_SHARE,
  FILM_AFTER_MS,
  FILM_DAYS,
  FILM_RECORDS,
} from './alert.limits';

interface Films {
  /** Common tables beside `seen`, which has the cameras. */
  tables: Prisma.Sql;
  /** In the columns of alerts. */
  findings: Prisma.Sql;
}

/**
 * The statement reads so many records of all cameras together, however long the prints are and however often the cameras report. Of
 * cameras that do not record it looks for their films, and of cameras that record for their batteries.
 */
const NEWEST_OF_SHARE = sql(
  'order by s.recorded_at desc, s.id desc limit (select h.records from share h where h.of_recording = m.records)',
);

/**
 * No record is read where no camera is meant to record. Each reading of the log has a bound that does not depend on the camera: it keeps
 * the partitions of older times out of the plan.
 */
export function filmAlerts(now: Instant, recordingStates: readonly string[]): Films {
  const at = (ms: number) => Prisma.sql`${before(now, ms)}::timestamptz`;
  const clock = at(0);
  const secondsSince = (column: string) => Prisma.sql`extract(epoch from ${clock} - ${sql(column)})::float8`;
  /** The records of a camera `m` since so many milliseconds. */
  const logSince = (ms: number) =>
    Prisma.sql`camera_status s where s.camera_id = m.camera_id and s.recorded_at <= ${clock} and s.recorded_at >= ${at(ms)}`;
  const records = isRecording(recordingStates, 's');

  /**
   * When the newest record that says that it records ceased to speak, or the camera to watch the printer, if that was in the print. What it
   * recorded of another printer is no film of this print. What it recorded before it was registered is.
   */
  const lastFilm = Prisma.sql`
    select least(l.ended_at, w."to") as ended_at from (
      select s.recorded_at, least(s.next, s.recorded_at + m.valid) as ended_at from (
        select s.recorded_at, ${records} as records,
          lag(s.recorded_at) over (order by s.recorded_at desc, s.id desc) as next
        from (select s.* from ${logSince(FILM_DAYS * DAY_MS)} and s.recorded_at > m.started_at - m.valid ${NEWEST_OF_SHARE}) s
      ) s
      -- The record with the greatest id of one time speaks.
      where s.records and s.next > s.recorded_at
    ) l join camera_watches w on w.camera_id = m.camera_id and w.printer_id = m.printer_id
      and (w."to" is null or w."to" > l.recorded_at) and (w."from" < l.ended_at
        or not exists (select from camera_watches e where e.camera_id = w.camera_id and e."from" < w."from"))
    where l.ended_at > m.started_at and (w."to" is null or w."to" > m.started_at)
    order by l.recorded_at desc, w."from" desc limit 1`;

  /** Where the battery is empty by the line through what the camera said while it recorded. */
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

  /** By the printer, else by the slicer; null when neither says it. */
  const printSec = Prisma.sql`coalesce(
    (select s.remaining_sec - extract(epoch from ${clock} - ${lastContactOfState(clock)})::float8
      from printer_states s join devices d on d.printer_id = s.printer_id where s.printer_id = m.printer_id),
    coalesce(
      (select (o.plan->>'seconds')::float8 from observed_prints o where o.job_id = m.job_id),
      ${secondsOfPlan('m.print_name', 'm.gcode_file_path')}
    ) - ${secondsSince('m.started_at')}
  )`;

  return {
    // `meant` has the cameras whose printer prints, each with the newest of its jobs that began a while ago; `filmed` those of them that
    // speak now and are online, with the record that speaks.
    tables: Prisma.sql`
      meant as (
        select distinct on (c.camera_id) c.camera_id, c.friendly_name, c.printer_id, c.valid_sec * interval '1 second' as valid,
          j.id as job_id, j.print_name, j.gcode_file_path, j.started_at
        from seen c join print_jobs j on j.printer_id = c.printer_id
        where c.records_prints and j.status = 'Printing' and j.started_at <= ${at(FILM_AFTER_MS)}
        order by c.camera_id, j.started_at desc, j.id desc
      ), filmed as (
        select m.*, s.recorded_at, s.records, s.video_sec
        from meant m cross join lateral (
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
          -- It still records.
          cross join lateral (select greatest(least(m.video_sec, b.battery_sec), 0) as film_sec) f
        where m.records and p.print_sec >= ${EARLY_SEC}::int and (m.video_sec is not null or b.battery_sec is not null)
      ) e
      where e.early_sec >= ${EARLY_SEC}::int and e.early_sec > e.print_sec * ${EARLY_SHARE}::float8`,
  };
}
