// The statements of the states that brokers are told.

import type { Queryable } from '../../database/queryable';
import { memberOf, rowShape } from '../../database/rows';
import { camerasAt, LIVENESS } from '../../farm/cameras/liveness.rows';
import { Prisma } from '../../generated/prisma/client';
import type { Instant } from '../../values/instant';
import type { CameraOnBroker, FarmStates, PrinterOnBroker } from './farm-states';

/** A printer, with what its job says; a machine says the rest. */
export type PrinterWithJob = Pick<PrinterOnBroker, 'id' | 'name' | 'print' | 'spool'> & { isPrinting: boolean };

const PRINTER = rowShape<PrinterWithJob>('k', {
  id: 'uuid',
  name: 'text',
  isPrinting: 'boolean',
  print: 'text',
  spool: 'text',
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
          (select s.spool_serial from spools s where s.id = j.spool_id),
          (select min(s.spool_serial) from slot_loads l join spools s on s.id = l.spool_id
            where l.printer_id = p.id and l.to is null having count(*) = 1)
        ) as spool
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

  /** The farm's own name, the jobs that print, and the alerts that stood when they were last looked at. */
  farm(): Promise<FarmStates['farm'] & { name: string }> {
    return this.database.json(
      'notifications.farm',
      Prisma.sql`
      select json_build_object(
        'name', (select name from change_feed),
        'alerts', (select count(*) from alert_states a where a.stands_since is not null),
        'jobsPrinting', (select count(*) from print_jobs j where j.status = 'Printing')
      ) as value`,
    );
  }
}
