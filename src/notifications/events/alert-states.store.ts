// Holds the statements that read and write the states of alerts at the last check, and find the printers that alerts concern.
import type { Queryable } from '../../database/queryable';
import { columnMember, rowShape } from '../../database/rows';
import { sql } from '../../database/sql';
import { isSilenced } from '../../farm/alerts/silence.store';
import { Prisma } from '../../generated/prisma/client';
import type { Instant } from '../../values/instant';
import type { AlertKey, AlertState, CurrentAlertState } from './alert-transitions';
import type { ReportedAlert } from './messages';

/** The columns of the state of an alert `a`. */
const ALERT_STATE = rowShape<CurrentAlertState<ReportedAlert>, 'id'>(
  'a',
  {
    kind: 'text',
    about: 'text',
    activeSince: 'timestamptz',
    goneSince: 'timestamptz',
    raisedAt: 'timestamptz',
    severity: 'text',
    alert: 'json',
    reportedTo: 'json',
    wasSilenced: 'boolean',
    isSilenced: 'boolean',
  },
  { id: columnMember('a.object_id', 'text') },
);

const KEYS = Prisma.sql`g (kind text, about text, id text)`;
const keysAsJson = (keys: readonly AlertKey[]) =>
  Prisma.sql`${JSON.stringify(keys.map(({ kind, about, id }) => ({ kind, about, id })))}::json`;

export class AlertStatesStore {
  constructor(private readonly database: Queryable) {}

  /** @param only the alerts whose states are read; `null` for all alerts */
  list(now: Instant, only: readonly AlertKey[] | null = null): Promise<CurrentAlertState<ReportedAlert>[]> {
    return this.database.rows(
      'alertStates.all',
      ALERT_STATE,
      Prisma.sql`
      select ${ALERT_STATE.json} as row from (
        select a.kind, a.about, a.object_id, a.stands_since as active_since, a.gone_since, a.raised_at, a.severity, a.alert, to_json(a.reported_to) as reported_to, a.was_silenced,
          ${isSilenced(sql('a.kind'), sql('a.object_id'), Prisma.sql`${now}::timestamptz`)} as is_silenced
        from alert_states a
        where ${only === null} or (a.kind, a.about, a.object_id) in (
          select kind, about, id from json_to_recordset(${keysAsJson(only ?? [])}) as ${KEYS})
      ) a`,
    );
  }

  async delete(keys: readonly AlertKey[]): Promise<void> {
    if (keys.length === 0) return;
    await this.database.json(
      'alertStates.forget',
      Prisma.sql`
      with gone as (
        delete from alert_states a where (a.kind, a.about, a.object_id) in (
          select kind, about, id from json_to_recordset(${keysAsJson(keys)}) as ${KEYS}) returning 1
      ) select to_json(count(*)) as value from gone`,
    );
  }

  async write(states: readonly AlertState<ReportedAlert>[]): Promise<void> {
    if (states.length === 0) return;
    await this.database.json(
      'alertStates.write',
      Prisma.sql`
      with written as (
        insert into alert_states (kind, about, object_id, stands_since, gone_since, raised_at, severity, alert, reported_to, was_silenced)
        select kind, about, id, "activeSince", "goneSince", "raisedAt", severity, alert, array(select * from json_array_elements_text(n."reportedTo")),
          "wasSilenced"
        from json_to_recordset(${JSON.stringify(states)}::json) as n (kind text, about text, id text,
          "activeSince" timestamptz, "goneSince" timestamptz, "raisedAt" timestamptz, severity text, alert json, "reportedTo" json, "wasSilenced" boolean)
        on conflict (kind, about, object_id) do update set (stands_since, gone_since, raised_at, severity, alert, reported_to, was_silenced) =
          (excluded.stands_since, excluded.gone_since, excluded.raised_at, excluded.severity, excluded.alert, excluded.reported_to, excluded.was_silenced)
        returning 1
      ) select to_json(count(*)) as value from written`,
    );
  }

  /** Replaces all states with the states of the alerts that were active before the first channel was enabled. */
  async replaceAll(states: readonly AlertState<ReportedAlert>[]): Promise<void> {
    await this.database.json(
      'alertStates.begin',
      Prisma.sql`
      with gone as (delete from alert_states), d as (update notification_outbox set knows_alerts = true returning 1)
      select to_json(count(*)) as value from d`,
    );
    await this.write(states);
  }

  /** Whether the states were recorded since the first of the enabled channels was enabled. Called in a transaction. */
  areKnown(): Promise<boolean> {
    return this.database.json(
      'alertStates.areKnown',
      Prisma.sql`select to_json(knows_alerts) as value from notification_outbox`,
    );
  }

  /** The printer of each alert, in the order of the alerts; `null` for an alert that concerns no printer. */
  findPrinters(alerts: readonly AlertKey[]): Promise<(string | null)[]> {
    return this.database.json(
      'alertStates.printersOf',
      Prisma.sql`
      select coalesce(json_agg(case a.about
          when 'printer' then a.id
          when 'printJob' then (select j.printer_id::text from print_jobs j where j.id = a.id::uuid)
          when 'camera' then (select c.printer_id::text from cameras c where c.camera_id = a.id)
          when 'spool' then (
            select l.printer_id::text from slot_loads l where l.spool_id = a.id::uuid and l.to is null limit 1)
        end order by a.number), '[]') as value
      from json_to_recordset(${JSON.stringify(alerts.map(({ about, id }, number) => ({ number, about, id })))}::json)
        as a (number int, about text, id text)`,
    );
  }
}
