// Finds the active alerts of the whole farm in one SQL statement.

import type { Queryable } from '../../database/queryable';
import { nestedRow, rowShape } from '../../database/rows';
import { sql } from '../../database/sql';
import { Prisma } from '../../generated/prisma/client';
import { isLeft } from '../../sharing/lease';
import { DAY_MS, subtractMs } from '../../values/instant';
import { isLooping, LIVENESS, selectCamerasAt, VALID_SEC, VALID_UNTIL } from '../cameras/liveness.rows';
import { activitySinceOf, isSilent, lastContactOf, lastContactOfState } from '../printer-states/printer-state.rows';
import { LACKS_SPOOL } from '../prints/observed-print.rows';
import { FILAMENT_SUMS, IS_LOW, LOW_SINCE, REMAINING_GRAMS, SPOOL_SUMS } from '../stock/stock.rows';
import { FILM_DAYS, FILM_RECORDS, LOW_BATTERY_PCT, LOW_STORAGE_SEC, STUCK_DAYS, UNKNOWN_DAYS } from './alert.limits';
import type { Alert } from './alert.types';
import { createRecordingAlerts } from './recording-alerts.rows';
import { SEVERITY } from './severity.rows';
import { isInForceFor, SILENCE } from './silence.store';

const STUCK_MS = STUCK_DAYS * DAY_MS;
const UNKNOWN_MS = UNKNOWN_DAYS * DAY_MS;

/** An active alert before its message is built: with the name of its object and the detail for the message. */
export interface Finding extends Omit<Alert, 'message'> {
  name: string;
  detail: string | null;
}

const FINDING = rowShape<Finding, 'silence'>(
  'f',
  {
    kind: 'text',
    severity: 'text',
    about: 'text',
    since: 'timestamptz',
    id: 'text',
    name: 'text',
    detail: 'text',
    prints: 'int',
    printId: 'text',
  },
  { silence: nestedRow(SILENCE, (json) => `case when s.kind is not null then ${json} end`) },
);

/** `count` is the maximum number of alerts (`null` for all). `silenced` selects silenced or other alerts (`null` for both). */
export interface AlertSelection {
  count: number | null;
  silenced: boolean | null;
}

/** One finding for each printer with its matching prints `o`. @param rows the joins and conditions of these prints */
const selectFindingsByPrinter = (kind: Alert['kind'], since: Prisma.Sql, rows: Prisma.Sql) => Prisma.sql`
  select ${kind}::text, 'printer', ${since}, p.id::text, p.name,
    (array_agg(o.name order by o.created_at desc, o.id desc))[1], count(*)::int,
    (array_agg(o.id::text order by o.created_at desc, o.id desc))[1]
  from printers p join observed_prints o on o.printer_id = p.id ${rows} group by p.id`;

export class AlertStore {
  /** @param recordingStates the states, in lower case, in which a camera records */
  constructor(
    private readonly database: Queryable,
    private readonly recordingStates: readonly string[],
  ) {}

  /** Returns the most urgent alerts first and silenced alerts last. */
  list({ count, silenced }: AlertSelection, now: string): Promise<Finding[]> {
    const [stuckBefore, unknownSince] = [subtractMs(now, STUCK_MS), subtractMs(now, UNKNOWN_MS)];
    // No more rows of one kind are needed, even if all silenced alerts are of this kind.
    const enough = Prisma.sql`limit ${count}::bigint + (select count(*) from alert_silences)`;
    const instant = Prisma.sql`${now}::timestamptz`;
    const { tables, findings } = createRecordingAlerts(now, this.recordingStates);
    // The newest part of the log. All offline cameras together share a maximum number of records.
    const offlineLog = Prisma.sql`
      select s.recorded_at, s.id, s.online from camera_status s
      where s.camera_id = c.camera_id and s.recorded_at <= c.recorded_at and s.recorded_at >= ${subtractMs(now, FILM_DAYS * DAY_MS)}::timestamptz
      order by s.recorded_at desc, s.id desc
      limit (select ${FILM_RECORDS}::bigint / count(*) from seen o where o.liveness = 'OFFLINE')`;
    // The first record after the last online record, as far back as the log is read.
    const offlineSince = Prisma.sql`coalesce((
      select s.recorded_at from camera_status s cross join lateral (
        select l.recorded_at, l.id from (${offlineLog}) l where l.online order by l.recorded_at desc, l.id desc limit 1
      ) o where s.camera_id = c.camera_id and (s.recorded_at, s.id) > (o.recorded_at, o.id) order by s.recorded_at, s.id limit 1
    ), (select min(l.recorded_at) from (${offlineLog}) l), c.recorded_at)`;
    const waiting = selectFindingsByPrinter(
      'PRINT_WAITS',
      Prisma.sql`least(min(o.created_at), ${instant})`,
      Prisma.sql`where o.ignored_at is null and o.outcome <> 'UNRESOLVED' and ${LACKS_SPOOL}`,
    );
    const unresolved = selectFindingsByPrinter(
      'PRINT_UNRESOLVED',
      Prisma.sql`least(min(o.seen_at), ${instant})`,
      sql(`where o.ignored_at is null and o.outcome = 'UNRESOLVED'`),
    );
    // The index on created_at finds these prints. It misses prints that took longer than the reported time, but hardly any print does.
    const unknown = selectFindingsByPrinter(
      'FILAMENT_UNKNOWN',
      sql('min(o.ended_at)'),
      Prisma.sql`join print_jobs j on j.id = o.job_id and j.updated_at = o.job_updated_at
        where o.ended_at >= ${unknownSince}::timestamptz and o.ignored_at is null
          and o.outcome in ('COMPLETED', 'CANCELLED', 'FAILED')
          and o.created_at >= ${unknownSince}::timestamptz - (${now}::timestamptz - ${unknownSince}::timestamptz)
          and exists (select from json_array_elements(o.filament) f where f->>'basis' = 'UNKNOWN')`,
    );
    return this.database.rows(
      'alerts.first',
      FINDING,
      Prisma.sql`
      with seen as (
        select c.camera_id, c.friendly_name, c.printer_id, c.records_prints, ${LIVENESS} as liveness, ${VALID_SEC} as valid_sec,
          ${VALID_UNTIL} as valid_until, latest.recorded_at, latest.battery_pct, latest.video_remaining_sec,
          ${isLooping('latest')} as is_looping
        from ${selectCamerasAt(now)}
      ), ${tables}, of_one_object as (
        select 'CAMERA_LOST' as kind, 'camera' as about, ${offlineSince} as since, c.camera_id as id, c.friendly_name as name, null as detail
        from seen c where c.liveness = 'OFFLINE'
        union all select 'CAMERA_LOST', 'camera', valid_until, camera_id, friendly_name, valid_sec::text
        from seen where liveness = 'SILENT'
        union all select 'BATTERY_LOW', 'camera', recorded_at, camera_id, friendly_name, battery_pct::text
        from seen where liveness = 'LIVE' and battery_pct <= ${LOW_BATTERY_PCT}::float8
        union all select 'STORAGE_LOW', 'camera', recorded_at, camera_id, friendly_name, video_remaining_sec::text
        from seen where liveness = 'LIVE' and video_remaining_sec < ${LOW_STORAGE_SEC}::int and not is_looping
        union all ${findings}
        union all (
          select 'JOB_STUCK', 'printJob', j.updated_at + (${now}::timestamptz - ${stuckBefore}::timestamptz), j.id::text, j.print_name,
            (select p.name from printers p where p.id = j.printer_id)
          from print_jobs j where j.status = 'Printing' and j.updated_at < ${stuckBefore}::timestamptz
          order by j.updated_at, j.id ${enough}
        )
        union all select 'SPOOL_SHORT', 'spool', waiting.since, s.id::text, s.spool_serial,
          trim_scale(g.planned_grams - ${REMAINING_GRAMS})::text
        from (
          select w.spool_id, max(w.created_at) as since from (
            select j.spool_id, j.created_at from print_jobs j where j.status in ('Queued', 'Printing')
            union all select p.spool_id, j.created_at from print_jobs j join print_job_parts p on p.job_id = j.id
            where j.status in ('Queued', 'Printing') and j.divided and p.number > 0
          ) w group by w.spool_id
        ) waiting join spools s on s.id = waiting.spool_id cross join ${SPOOL_SUMS}
        where g.planned_grams > ${REMAINING_GRAMS}
        union all select 'STOCK_LOW', 'filament', least(${LOW_SINCE}, ${instant}), f.id::text, f.name,
          json_build_array(trim_scale(t.free_grams)::text, trim_scale(f.minimum_grams)::text)::text
        from filaments f cross join ${FILAMENT_SUMS} where f.minimum_grams is not null and ${IS_LOW}
        union all select 'DEVICE_REFUSED', case when d.camera_id is null then 'printer' else 'camera' end,
          least(d.state_since, ${instant}),
          coalesce(d.camera_id, d.printer_id::text), coalesce(c.friendly_name, p.name), json_build_array(d.fault, d.kind)::text
        from devices d left join printers p on p.id = d.printer_id left join cameras c on c.camera_id = d.camera_id
        where d.state = 'REFUSED' and d.enabled and c.removed_at is null
        union all select 'PRINTS_LEFT_OUT', 'printer', d.state_since, p.id::text, p.name, json_build_array(d.fault, d.kind)::text
        from devices d join printers p on p.id = d.printer_id
        where d.state = 'CONNECTED' and not ${isLeft('d.id::text')} and d.fault is not null and d.enabled
        union all select 'PRINTER_LOST', 'printer', coalesce(h.at, least(d.state_since, ${instant})), p.id::text, p.name, o.name
        from devices d join observed_prints o on o.device_id = d.id and o.outcome = 'RUNNING'
          join printers p on p.id = d.printer_id cross join lateral (
            select coalesce(${lastContactOf(['d.last_message_at'], instant)}, ${lastContactOf(['o.seen_at'], instant)}) as at
          ) h
        where d.enabled and (d.state = 'OFFLINE' or ${isSilent(sql('h.at'), instant)})
        union all select case s.activity when 'ERROR' then 'PRINTER_FAULT' else 'PRINTER_PAUSED' end, 'printer',
          ${activitySinceOf(instant)}, p.id::text, p.name, s.message
        from printer_states s join devices d on d.printer_id = s.printer_id join printers p on p.id = s.printer_id
        where d.enabled and (s.activity = 'ERROR' or (s.activity = 'PAUSED' and not s.is_paused_by_user))
          and not ${isSilent(lastContactOfState(instant), instant)}
        union all select 'NOTIFICATION_FAILS', 'notificationTarget', least(t.state_since, ${instant}), t.id::text, t.name, null
        from notification_targets t where t.state = 'FAILED'
      ), found as (
        select o.*, null::int as prints, null::text as print_id from of_one_object o
        union all (${waiting}) union all (${unresolved}) union all (${unknown})
      ), judged as (
        select f.*, ${SEVERITY} as severity from found f
      )
      select ${FINDING.json} as row from judged f
        left join alert_silences s on s.kind = f.kind and s.object_id = f.id and ${isInForceFor(instant, sql('f.severity'))}
      where ${silenced}::boolean is null or (s.kind is not null) = ${silenced}::boolean
      order by s.kind is not null, f.severity = 'CRITICAL' desc, f.since, f.kind, f.id collate "C"
      limit ${count}::bigint`,
    );
  }
}
