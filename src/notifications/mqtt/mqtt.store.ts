// The statements of brokers: the states of the farm, the targets, and the states of their connections.

import type { Queryable } from '../../database/queryable';
import { memberOf, rowShape } from '../../database/rows';
import { CLOCK, sql } from '../../database/sql';
import { isSilenced } from '../../farm/alerts/silence.rows';
import { camerasAt, LIVENESS } from '../../farm/cameras/liveness.rows';
import { Prisma } from '../../generated/prisma/client';
import type { Instant } from '../../values/instant';
import type { ReceiverFault } from '../../wire/faults';
import type { SealedTarget } from '../sender';
import type { NotificationTarget } from '../target.types';
import type { CameraOnBroker, FarmStates, PrinterWithJob } from './states';

const PRINTER = rowShape<PrinterWithJob>('k', {
  id: 'uuid',
  name: 'text',
  isPrinting: 'boolean',
  print: 'text',
  spools: 'json',
});

const CAMERA = rowShape<CameraOnBroker, 'id' | 'liveness'>(
  'k',
  {
    name: 'text',
    printerId: 'uuid',
    batteryPct: 'float8',
    videoRemainingSec: 'int',
    recordingState: 'text',
  },
  { id: memberOf('k.camera_id', 'text'), liveness: memberOf('k.liveness', 'text') },
);

export class FarmStatesStore {
  constructor(private readonly database: Queryable) {}

  /** The printers that are in use. */
  printers(): Promise<PrinterWithJob[]> {
    return this.database.rows(
      'notifications.printers',
      PRINTER,
      Prisma.sql`
      select ${PRINTER.json} as row from (
        select p.id, p.name, j.id is not null or o.printer_id is not null as is_printing, coalesce(o.name, j.print_name) as print, coalesce(
          (select json_agg(u.spool_serial order by u.number) from (
            select s.spool_serial, min(w.number) as number from (
              -- The own part of a job is its row.
              select -1 as number, j.spool_id union all select number, spool_id from print_job_parts where job_id = j.id
            ) w join spools s on s.id = w.spool_id group by s.id
          ) u),
          (select json_agg(s.spool_serial) from slot_loads l join spools s on s.id = l.spool_id
            where l.printer_id = p.id and l.to is null having count(*) = 1),
          '[]'
        ) as spools
        from printers p left join (
          select distinct on (r.printer_id) r.printer_id, r.job_id, r.name from observed_prints r
          where r.outcome = 'RUNNING' and r.ignored_at is null order by r.printer_id, r.created_at desc, r.id
        ) o on o.printer_id = p.id left join lateral (
          -- Where the machine prints something else, a job that stands in PRINTING is stale.
          select w.id, w.print_name, w.spool_id from print_jobs w
          where w.printer_id = p.id and w.status = 'Printing' and (o.printer_id is null or w.id = o.job_id)
          order by w.updated_at desc, w.id limit 1
        ) j on true
        where p.archived_at is null
      ) k order by k.id`,
    );
  }

  cameras(now: Instant): Promise<CameraOnBroker[]> {
    return this.database.rows(
      'notifications.cameras',
      CAMERA,
      Prisma.sql`
      select ${CAMERA.json} as row from (
        select c.camera_id, c.friendly_name as name, c.printer_id, ${LIVENESS} as liveness, latest.battery_pct,
          latest.video_remaining_sec, latest.recording_state
        from ${camerasAt(now)}
      ) k order by k.camera_id`,
    );
  }

  /** The farm's own name, the jobs that print, and the alerts that stood when they were last looked at and are not silenced. */
  farm(): Promise<FarmStates['farm'] & { name: string }> {
    return this.database.json(
      'notifications.farm',
      Prisma.sql`
      select json_build_object(
        'name', (select name from change_feed),
        'alerts', (select count(*) from alert_states a where a.stands_since is not null
          and not ${isSilenced(sql('a.kind'), sql('a.object_id'), CLOCK)}),
        'jobsPrinting', (select count(*) from print_jobs j where j.status = 'Printing')
      ) as value`,
    );
  }
}

export interface StoredBroker extends SealedTarget {
  /** null: all. */
  printerIds: string[] | null;
  events: NotificationTarget['events'];
  /** Another text when a person has edited it. */
  edited: string;
}

export class BrokerTargetStore {
  constructor(private readonly database: Queryable) {}

  enabled(): Promise<StoredBroker[]> {
    return this.database.json(
      'notifications.brokers',
      Prisma.sql`
      select coalesce(json_agg(json_build_object('id', t.id, 'kind', t.kind, 'url', t.url, 'username', t.username, 'secret', t.secret,
        'formerSecret', null, 'certificateFingerprint', t.certificate_fingerprint,
        'events', t.events, 'printerIds', case when t.some_printers then p.ids end, 'edited', concat_ws(' ', t.updated_at, p.ids))), '[]') as value
      from notification_targets t cross join lateral (
        select coalesce(json_agg(c.printer_id order by c.printer_id), '[]') as ids
        from notification_target_printers c where c.target_id = t.id
      ) p
      where t.kind = 'MQTT' and t.enabled`,
    );
  }

  /**
   * A connection that is lost is a fault before anything waits. One that stands is none, unless something was not delivered: that is
   * tried at once.
   */
  connection(id: string, fault: ReceiverFault | null): Promise<unknown> {
    const state = fault === null ? 'OK' : 'RETRYING';
    return this.database.json(
      'notifications.connection',
      Prisma.sql`
      with t as (
        update notification_targets t set state = ${state}, fault = ${fault},
          state_since = case when t.state = ${state} then t.state_since else clock_timestamp() end
        where t.id = ${id}::uuid and t.enabled and t.state in ('OK', 'RETRYING') and t.fault is distinct from ${fault}
          and (${fault}::text is not null or not exists (
            select from notification_deliveries d where d.target_id = t.id and d.state = 'WAITING' and d.attempts > 0))
        returning 1
      ), due as (
        update notification_deliveries d set next_attempt_at = statement_timestamp()
        where ${fault}::text is null and d.target_id = ${id}::uuid and d.state = 'WAITING' and d.next_attempt_at > statement_timestamp()
      )
      select to_json(count(*)) as value from t`,
    );
  }
}
