// The SQL of alerts, over the whole farm.
import { camerasAt, LIVENESS, VOUCHED_SEC, VOUCHED_UNTIL } from '../cameras/camera.rows';
import type { Queryable } from '../database/queryable';
import { rowShape } from '../database/rows';
import { Prisma } from '../generated/prisma/client';
import { REMAINING_GRAMS, SPOOL_SUMS } from '../reports/usage.rows';
import { LOW_BATTERY_PCT, LOW_STORAGE_SEC } from './alert.limits';
import { type AlertKind, SEVERITY_OF } from './alert.types';

/** A finding: the id and name of its object, and the detail for the message. */
export interface Finding {
  kind: AlertKind;
  since: string;
  id: string;
  name: string;
  detail: string | null;
}

const FINDING = rowShape<Finding>('f', {
  kind: 'text',
  since: 'timestamptz',
  id: 'text',
  name: 'text',
  detail: 'text',
});
const CRITICAL = Object.entries(SEVERITY_OF).flatMap(([kind, severity]) => (severity === 'CRITICAL' ? [kind] : []));

export class AlertStore {
  constructor(private readonly database: Queryable) {}

  /**
   * The most urgent first.
   * @param stuckBefore jobs without an update since then are stuck
   * @param count how many at most
   */
  first(count: number, now: string, stuckBefore: string): Promise<Finding[]> {
    return this.database.rows(
      'alerts.first',
      FINDING,
      Prisma.sql`
      with seen as (
        select c.camera_id, c.friendly_name, ${LIVENESS} as liveness, ${VOUCHED_SEC} as vouched_sec,
          ${VOUCHED_UNTIL} as vouched_until, latest.recorded_at, latest.battery_pct, latest.video_remaining_sec
        from ${camerasAt(now)}
      )
      select ${FINDING.json} as row from (
        select 'CAMERA_LOST' as kind, recorded_at as since, camera_id as id, friendly_name as name, null as detail
        from seen where liveness = 'OFFLINE'
        union all select 'CAMERA_LOST', vouched_until, camera_id, friendly_name, vouched_sec::text
        from seen where liveness = 'SILENT'
        union all select 'BATTERY_LOW', recorded_at, camera_id, friendly_name, battery_pct::text
        from seen where liveness = 'LIVE' and battery_pct <= ${LOW_BATTERY_PCT}::float8
        union all select 'STORAGE_LOW', recorded_at, camera_id, friendly_name, video_remaining_sec::text
        from seen where liveness = 'LIVE' and video_remaining_sec < ${LOW_STORAGE_SEC}::int
        union all (
          select 'JOB_STUCK', j.updated_at + (${now}::timestamptz - ${stuckBefore}::timestamptz), j.id::text, j.print_name,
            (select p.name from printers p where p.id = j.printer_id)
          from print_jobs j where j.status = 'Printing' and j.updated_at < ${stuckBefore}::timestamptz
          order by j.updated_at, j.id limit ${count}::bigint
        )
        union all select 'SPOOL_SHORT', waiting.since, s.id::text, s.spool_serial,
          trim_scale(f.planned_grams - ${REMAINING_GRAMS})::text
        from (
          select j.spool_id, max(j.created_at) as since from print_jobs j
          where j.status in ('Queued', 'Printing') group by j.spool_id
        ) waiting join spools s on s.id = waiting.spool_id cross join ${SPOOL_SUMS}
        where f.planned_grams > ${REMAINING_GRAMS}
      ) f
      order by f.kind = any(${CRITICAL}::text[]) desc, f.since, f.kind, f.id collate "C" limit ${count}::bigint`,
    );
  }
}
