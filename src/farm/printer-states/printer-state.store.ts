// Holds the statements that read and write the newest states of printers.
import type { Queryable } from '../../database/queryable';
import { columnNames, memberNames, recordType } from '../../database/rows';
import { matchesOneOf, sql } from '../../database/sql';
import { Prisma } from '../../generated/prisma/client';
import { batchedRead } from '../../sharing/batch';
import { isHeld, type Lease } from '../../sharing/lease';
import type { Instant } from '../../values/instant';
import { snake } from '../../values/spelling';
import {
  BECOMES_PAUSED_BY_USER,
  isSilentState,
  SHOWN_AS_TEXT,
  STATE_COLUMNS,
  STATE_ROW,
  type StateRow,
  type StoredState,
} from './printer-state.rows';

const EXCLUDED = sql(
  Object.keys(STATE_COLUMNS)
    .map((name) => (name === 'isPausedByUser' ? BECOMES_PAUSED_BY_USER.text : `excluded.${snake(name)}`))
    .join(', '),
);

/** A state, with the lease of the process that writes it. */
export interface HeldState {
  lease: Lease;
  state: StoredState;
}

export class PrinterStateStore {
  constructor(private readonly database: Queryable) {}

  /** A printer whose device was removed has no state. */
  readonly byPrinter = batchedRead<string, StateRow>(async (ids) => {
    const rows = await this.database.rows(
      'printerStates.ofPrinter',
      STATE_ROW,
      Prisma.sql`
      select ${STATE_ROW.json} as row from printer_states s join devices d on d.printer_id = s.printer_id
      where ${matchesOneOf('s.printer_id', ids, 'uuid')}`,
    );
    return new Map(rows.map((row) => [row.printerId, row]));
  });

  /** Writes the newest state of each printer in one statement. A state is not written if another process holds the lease of its device. */
  async write(states: readonly HeldState[]): Promise<void> {
    const rows = states.map(({ lease, state }) => ({ ...lease, ...state }));
    await this.database.attempt('printerStates.write', (database, name) =>
      database.json(
        name,
        Prisma.sql`
        with written as (
          insert into printer_states as before (${columnNames(STATE_COLUMNS)}, activity_since)
          select ${memberNames(STATE_COLUMNS)}, "heardAt"
          from json_to_recordset(${JSON.stringify(rows)}::json)
            as given (subject uuid, holder text, number bigint, ${recordType(STATE_COLUMNS)})
          where exists (
            select from devices d join leases l on l.device_id = d.id where d.id = given.subject and d.printer_id = "printerId"
              and ${isHeld(sql('given.holder'), sql('given.number'))}
          )
          on conflict (printer_id) do update set (${columnNames(STATE_COLUMNS)}) = row (${EXCLUDED}),
            activity_since = case when (before.activity, before.is_paused_by_user) = (excluded.activity, ${BECOMES_PAUSED_BY_USER})
              then least(coalesce(before.activity_since, before.heard_at), excluded.heard_at) else excluded.heard_at end
          returning 1
        )
        select to_json(count(*)) as value from written`,
      ),
    );
  }

  /** Whether the printer that a camera watches is printing: by its state or, if no machine reports a state, by its jobs. */
  isWatchedPrinting(cameraId: string): Promise<boolean> {
    return this.database.json(
      'printerStates.isWatchedPrinting',
      Prisma.sql`
      select to_json(coalesce((
        select coalesce(
          (select s.activity in ('PREPARING', 'PRINTING', 'PAUSED') from printer_states s where s.printer_id = c.printer_id),
          exists (select from print_jobs j where j.printer_id = c.printer_id and j.status = 'Printing')
        ) from cameras c where c.camera_id = ${cameraId}
      ), false)) as value`,
    );
  }

  /** One text for each printer. It changes if a shown value of the state changes, or if the state becomes stale. */
  fingerprints(now: Instant): Promise<Record<string, string>> {
    return this.database.json(
      'printerStates.fingerprints',
      Prisma.sql`
      select coalesce(json_object_agg(s.printer_id, md5(${SHOWN_AS_TEXT} || ${isSilentState(now)})), '{}') as value
      from printer_states s join devices d on d.printer_id = s.printer_id`,
    );
  }
}
