// Reads the states of printers, cameras and filaments that are published to all brokers.
import type { Queryable } from '../../database/queryable';
import { columnMember, rowShape } from '../../database/rows';
import { CLOCK, sql } from '../../database/sql';
import { isSilenced } from '../../farm/alerts/silence.store';
import type { CameraLiveness } from '../../farm/cameras/health.types';
import { LIVENESS, selectCamerasAt } from '../../farm/cameras/liveness.rows';
import type { ShownState } from '../../farm/printer-states/printer-state.service';
import type { StateOfPrinter } from '../../farm/printer-states/printer-state.types';
import { FILAMENT_STOCK, FILAMENT_STOCK_COLUMNS, FILAMENT_SUMS } from '../../farm/stock/stock.rows';
import type { FilamentStock } from '../../farm/stock/stock.types';
import { Prisma } from '../../generated/prisma/client';
import type { Instant } from '../../values/instant';
import { CHECK_EVERY_MS } from '../events/alert-reporter';

export interface BrokerPrinter {
  id: string;
  name: string;
  activity: StateOfPrinter['activity'];
  /** From 0 to 1. */
  progress: number | null;
  remainingSec: number | null;
  /** The name of the current print. */
  print: string | null;
  /** The serial of the spool; `null` if there are several spools or none. */
  spool: string | null;
  /** The serials of the spools of the job, in the order of the parts. Without a job, the serial of the loaded spool, if only one spool is loaded. */
  spools: string[];
}

export interface BrokerCamera {
  id: string;
  name: string;
  /** The printer that the camera watches. */
  printerId: string | null;
  liveness: CameraLiveness;
  batteryPct: number | null;
  videoRemainingSec: number | null;
  /** As the camera reports it. */
  recordingState: string | null;
}

/** A filament that is not archived and has a minimum stock. */
export interface BrokerFilament extends FilamentStock {
  id: string;
  name: string;
  number: number;
}

export interface FarmStates {
  /** The name of the feed of changes. It identifies the farm, so that two farms may share a broker. */
  name: string;
  printers: BrokerPrinter[];
  cameras: BrokerCamera[];
  filaments: BrokerFilament[];
  farm: { alerts: number; jobsPrinting: number };
}

/** The states for a channel with chosen printers: these printers and the cameras that watch them. Filaments belong to no printer and are left out. */
export function selectPrinters(states: FarmStates, printerIds: readonly string[]): FarmStates {
  const ids = new Set(printerIds);
  return {
    ...states,
    printers: states.printers.filter(({ id }) => ids.has(id)),
    cameras: states.cameras.filter(({ printerId }) => printerId !== null && ids.has(printerId)),
    filaments: [],
  };
}

/** A printer with the stored data of its print and job. The rest comes from the newest state of the machine. */
export type PrinterWithJob = Pick<BrokerPrinter, 'id' | 'name' | 'print' | 'spools'> & { isPrinting: boolean };

const PRINTER = rowShape<PrinterWithJob>('k', {
  id: 'uuid',
  name: 'text',
  isPrinting: 'boolean',
  print: 'text',
  spools: 'json',
});

const FILAMENT = rowShape<BrokerFilament>('k', {
  id: 'uuid',
  name: 'text',
  number: 'int',
  ...FILAMENT_STOCK_COLUMNS,
});

const CAMERA = rowShape<BrokerCamera, 'id' | 'liveness'>(
  'k',
  {
    name: 'text',
    printerId: 'uuid',
    batteryPct: 'float8',
    videoRemainingSec: 'int',
    recordingState: 'text',
  },
  { id: columnMember('k.camera_id', 'text'), liveness: columnMember('k.liveness', 'text') },
);

export class FarmStatesStore {
  constructor(private readonly database: Queryable) {}

  /** The printers that are not archived. */
  printers(): Promise<PrinterWithJob[]> {
    return this.database.rows(
      'farmStates.printers',
      PRINTER,
      Prisma.sql`
      select ${PRINTER.json} as row from (
        select p.id, p.name, j.id is not null or o.printer_id is not null as is_printing, coalesce(o.name, j.print_name) as print, coalesce(
          (select json_agg(u.spool_serial order by u.number) from (
            select s.spool_serial, min(w.number) as number from (
              -- The first part of a job is stored in the row of the job itself.
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
          -- If the machine prints something else, a job with the status Printing is out of date.
          select w.id, w.print_name, w.spool_id from print_jobs w
          where w.printer_id = p.id and w.status = 'Printing' and (o.printer_id is null or w.id = o.job_id)
          order by w.updated_at desc, w.id limit 1
        ) j on true
        where p.archived_at is null
      ) k order by k.id`,
    );
  }

  filaments(): Promise<BrokerFilament[]> {
    return this.database.rows(
      'farmStates.filaments',
      FILAMENT,
      Prisma.sql`
      select ${FILAMENT.json} as row from (
        select f.id, f.name, f.number, ${FILAMENT_STOCK}
        from filaments f cross join ${FILAMENT_SUMS} where f.minimum_grams is not null and f.archived_at is null
      ) k order by k.id`,
    );
  }

  cameras(now: Instant): Promise<BrokerCamera[]> {
    return this.database.rows(
      'farmStates.cameras',
      CAMERA,
      Prisma.sql`
      select ${CAMERA.json} as row from (
        select c.camera_id, c.friendly_name as name, c.printer_id, ${LIVENESS} as liveness, latest.battery_pct,
          latest.video_remaining_sec, latest.recording_state
        from ${selectCamerasAt(now)}
      ) k order by k.camera_id`,
    );
  }

  /** The name of the farm, the number of printing jobs, and the number of alerts that were active at the last check and are not silenced. */
  farm(): Promise<FarmStates['farm'] & { name: string }> {
    return this.database.json(
      'farmStates.farm',
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

export class FarmStatesService {
  private filaments: BrokerFilament[] = [];
  private filamentsReadAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly store: FarmStatesStore,
    private readonly findState: (printerId: string, now: Instant) => Promise<ShownState | null>,
  ) {}

  async read(now: Instant): Promise<FarmStates> {
    const [storedPrinters, cameras, filaments, { name, ...farm }] = await Promise.all([
      this.store.printers(),
      this.store.cameras(now),
      this.readFilaments(),
      this.store.farm(),
    ]);
    const printers = storedPrinters.map(async (printer) =>
      toBrokerPrinter(printer, await this.findState(printer.id, now)),
    );
    return { name, printers: await Promise.all(printers), cameras, filaments, farm };
  }

  /** Reads filaments only as often as alerts are checked, because the sums of a filament read all jobs of its spools. */
  private async readFilaments(): Promise<BrokerFilament[]> {
    if (performance.now() - this.filamentsReadAt >= CHECK_EVERY_MS) {
      this.filamentsReadAt = performance.now();
      this.filaments = await this.store.filaments();
    }
    return this.filaments;
  }
}

/** The state of the machine wins over the stored data of its job. A printer without contact is offline. */
function toBrokerPrinter(
  { id, name, print, spools, isPrinting }: PrinterWithJob,
  state: ShownState | null,
): BrokerPrinter {
  const isCurrent = state !== null && !state.stale;
  const activityWithoutContact = state !== null ? 'OFFLINE' : isPrinting ? 'PRINTING' : 'UNKNOWN';
  return {
    id,
    name,
    activity: isCurrent ? state.activity : activityWithoutContact,
    progress: isCurrent ? state.progress : null,
    remainingSec: isCurrent ? state.remainingSec : null,
    print: isCurrent ? (state.printName ?? print) : print,
    spool: spools.length === 1 ? (spools[0] as string) : null,
    spools,
  };
}
