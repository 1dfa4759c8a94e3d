// The SQL of the outbox. What writes is in a transaction that holds the row of the outbox: its first statement compares the lease.
import type { Queryable } from '../../database/queryable';
import { type Columns, memberOf, rowShape } from '../../database/rows';
import { sql } from '../../database/sql';
import { LACKS_SPOOL } from '../../farm/prints/observed-print.rows';
import { Prisma } from '../../generated/prisma/client';
import type { FeedPosition } from '../../sharing/feed';
import { isHeld, type Lease } from '../../sharing/lease';
import type { AlertKey, AlertState } from './alert-edges';
import type { Audience } from './audience';
import type { Known, Subject } from './subjects';
import type { Told, ToldAlert } from './words';

/** Of the process that reads the feed for notifications and delivers them. */
export type OutboxLease = Pick<Lease, 'holder' | 'number'>;

interface Place {
  hasTargets: boolean;
  /** How far the feed was read; null before the first target. */
  position: FeedPosition | null;
  knowsAlerts: boolean;
}

/** The changes that were written before it was looked at are read long before that. */
const SETTLED_HOURS = 24;
/** Deliveries that one statement writes: 0.1 s. */
const WRITTEN_AT_ONCE = 2000;

/** A print with its job, or a job without a print, `s`. */
const SUBJECT = rowShape<Subject>('s', {
  ...{ id: 'uuid', outcome: 'text', jobId: 'uuid', status: 'text', lacksSpool: 'boolean', isIgnored: 'boolean' },
  ...{ hasPrinted: 'boolean', printerId: 'uuid', printerName: 'text', printName: 'text', jobName: 'text' },
  ...{ startedAt: 'timestamptz', endedAt: 'timestamptz', reason: 'text', grams: 'numeric', cost: 'numeric' },
});

const KNOWN_COLUMNS: Columns<Known> = {
  ...{ id: 'uuid', outcome: 'text', jobId: 'uuid', status: 'text', lacksSpool: 'boolean' },
};
/** A subject as it was looked at last, `k`. */
const KNOWN = rowShape<Known>('k', KNOWN_COLUMNS);

/** A target `t`. */
const AUDIENCE = rowShape<Audience, 'printerIds'>(
  't',
  { id: 'uuid', events: 'json', minimumSeverity: 'text', toldFrom: 'int' },
  {
    printerIds: {
      sql: `case when t.some_printers then (
        select coalesce(json_agg(p.printer_id), '[]') from notification_target_printers p where p.target_id = t.id) end`,
    },
  },
);

/** The state of an alert `a`. */
const ALERT_STATE = rowShape<AlertState<ToldAlert>, 'id'>(
  'a',
  {
    ...{ kind: 'text', about: 'text', standsSince: 'timestamptz', goneSince: 'timestamptz' },
    ...{ raisedAt: 'timestamptz', alert: 'json', told: 'json' },
  },
  { id: memberOf('a.object_id', 'text') },
);

const OF_JOB = sql(`j.status, j.print_name as job_name, j.grams_derived as grams, j.cost_per_print as cost`);

export class OutboxStore {
  constructor(private readonly database: Queryable) {}

  async place(): Promise<Place> {
    const [hasTargets, position, knowsAlerts] = await this.database.json<[boolean, FeedPosition, boolean]>(
      'notifications.place',
      Prisma.sql`
      select json_build_array(exists (select from notification_targets where enabled),
        json_build_array(b.position, b.change_id, b.feed), b.knows_alerts) as value
      from notification_outbox b`,
    );
    return { hasTargets, position: position[2] == null ? null : position, knowsAlerts };
  }

  /** Moves the place from where it was read. False when the lease does not go on, or when the place was moved by others. */
  async move(lease: OutboxLease, from: FeedPosition, to: FeedPosition): Promise<boolean> {
    const [position, id, feed] = from;
    return this.written(
      'notifications.move',
      Prisma.sql`
      update notification_outbox d set position = ${to[0]}::bigint, change_id = ${to[1]}::bigint
      where ${held(lease)} and (d.feed, d.position, d.change_id) = (${feed}::text, ${position}::bigint, ${id}::bigint)
      returning 1`,
    );
  }

  /** For a transaction: holds the row. @param knows whether the alerts that stood at first are known */
  async lockAlerts(lease: OutboxLease, knows: boolean): Promise<boolean> {
    return this.written(
      'notifications.lockAlerts',
      Prisma.sql`
      update notification_outbox d set knows_alerts = true where ${held(lease)} and d.knows_alerts = ${knows} returning 1`,
    );
  }

  /** For a transaction: holds the row. */
  async lock(lease: OutboxLease): Promise<boolean> {
    return this.written(
      'notifications.lock',
      Prisma.sql`select 1 from notification_outbox d where ${held(lease)} for update`,
    );
  }

  /** Goes on from the newest change, silently. */
  async begin(): Promise<void> {
    await this.database.json(
      'notifications.begin',
      Prisma.sql`select to_json(true) as value from begin_notifications()`,
    );
  }

  /** Behind `lock`, which a target waits for that is enabled meanwhile: nobody is told, so the feed is not kept, and nothing is read. */
  async rest(): Promise<void> {
    await this.database.json(
      'notifications.rest',
      Prisma.sql`
      with d as (
        update notification_outbox set feed = null, position = null, change_id = null
        where not exists (select from notification_targets where enabled) returning 1
      )
      select to_json(count(*)) as value from d`,
    );
  }

  /** @param ids of changed prints and of changed jobs */
  async subjects(ids: { prints: string[]; jobs: string[] }): Promise<{ subjects: Subject[]; known: Known[] }> {
    const [subjects, known] = await this.database.cells<[unknown[][], unknown[][]]>(
      'notifications.subjects',
      Prisma.sql`
      with s as materialized (
        select o.id, o.outcome, o.job_id, ${OF_JOB}, ${LACKS_SPOOL} as lacks_spool,
          o.ignored_at is not null as is_ignored, true as has_printed, o.printer_id, p.name as printer_name,
          o.name as print_name, o.started_at, o.ended_at, o.reason
        from observed_prints o left join print_jobs j on j.id = o.job_id left join printers p on p.id = o.printer_id
        where o.id in (
          select unnest(${ids.prints}::uuid[])
          union select o.id from observed_prints o where o.job_id = any(${ids.jobs}::uuid[])
        )
        union all
        select j.id, null, j.id, ${OF_JOB}, false, false, exists (
            select from print_job_status_changes c where c.job_id = j.id and c.to_status = 'Printing'
          ), j.printer_id, p.name, null, j.started_at, j.completed_at, null
        from print_jobs j left join printers p on p.id = j.printer_id
        where j.id = any(${ids.jobs}::uuid[]) and not exists (select from observed_prints o where o.job_id = j.id)
      )
      select (select coalesce(json_agg(${SUBJECT.json}), '[]') from s) as subjects,
        (select coalesce(json_agg(${KNOWN.json}), '[]') from notification_subjects k
          where k.id = any(${[...ids.prints, ...ids.jobs]}::uuid[]) or k.job_id = any(${ids.jobs}::uuid[])
            or k.id in (select s.id from s union all select s.job_id from s)) as known`,
    );
    return { subjects: subjects.map(SUBJECT.read), known: known.map(KNOWN.read) };
  }

  /** How subjects were looked at. @param gone the ids of those that are not looked at any more */
  async know(looked: readonly (Known & { isSettled: boolean })[], gone: readonly string[]): Promise<void> {
    await this.written(
      'notifications.forgetSubjects',
      Prisma.sql`
      delete from notification_subjects where id = any(${gone}::uuid[])
        or settled_at < clock_timestamp() - interval '${sql(String(SETTLED_HOURS))} hours' returning 1`,
    );
    if (looked.length === 0) return;
    await this.written(
      'notifications.know',
      Prisma.sql`
      insert into notification_subjects (id, outcome, job_id, status, lacks_spool, settled_at)
      select id, outcome, "jobId", status, "lacksSpool", case when "isSettled" then clock_timestamp() end
      from json_to_recordset(${JSON.stringify(looked)}::json)
        as n (id uuid, outcome text, "jobId" uuid, status text, "lacksSpool" boolean, "isSettled" boolean)
      on conflict (id) do update set (outcome, job_id, status, lacks_spool, settled_at) =
        (excluded.outcome, excluded.job_id, excluded.status, excluded.lacks_spool, excluded.settled_at) returning 1`,
    );
  }

  /** The targets that are enabled. None of them is removed or disabled until the transaction ends. */
  targets(): Promise<Audience[]> {
    return this.database.rows(
      'notifications.targets',
      AUDIENCE,
      Prisma.sql`
      with t as (
        select t.id, to_json(t.events) as events, t.minimum_severity, t.told_from, t.some_printers
        from notification_targets t where t.enabled order by t.id for share
      ) select ${AUDIENCE.json} as row from t`,
    );
  }

  /** Notifications with a delivery for each target, in their order. */
  async tell(told: readonly Told[]): Promise<void> {
    const most = Math.max(1, Math.floor(WRITTEN_AT_ONCE / Math.max(1, ...told.map(({ targets }) => targets.length))));
    for (let at = 0; at < told.length; at += most) await this.tellSome(told.slice(at, at + most));
  }

  private async tellSome(told: readonly Told[]): Promise<void> {
    await this.database.json(
      'notifications.tell',
      Prisma.sql`
      with given as materialized (
        select nextval(pg_get_serial_sequence('notifications', 'id')) as id, n.* from (
          select * from json_to_recordset(${JSON.stringify(told.map((one, number) => ({ number, ...one })))}::json)
            as n (number int, event text, at timestamptz, severity text, title text, text text, data json, targets json)
          order by number
        ) n
      ), noted as (
        insert into notifications (id, event, at, severity, title, text, data) overriding system value
        select id, event, at, severity, title, text, data from given
      ), waiting as (
        insert into notification_deliveries (id, target_id, notification_id, waiting_since, next_attempt_at)
        select gen_random_uuid(), t.id::uuid, given.id, least(given.at, clock_timestamp()), clock_timestamp()
        from given cross join json_array_elements_text(given.targets) t (id) returning 1
      )
      select to_json(count(*)) as value from waiting`,
    );
  }

  /** The printers that alerts concern, in their order; null for none. */
  printersOf(alerts: readonly AlertKey[]): Promise<(string | null)[]> {
    return this.database.json(
      'notifications.printersOf',
      Prisma.sql`
      select coalesce(json_agg(case a.about
          when 'printer' then a.id
          when 'print' then (select o.printer_id::text from observed_prints o where o.id = a.id::uuid)
          when 'printJob' then (select j.printer_id::text from print_jobs j where j.id = a.id::uuid)
          when 'camera' then (select c.printer_id::text from cameras c where c.camera_id = a.id)
          when 'spool' then (
            select l.printer_id::text from slot_loads l where l.spool_id = a.id::uuid and l.to is null limit 1)
        end order by a.number), '[]') as value
      from json_to_recordset(${JSON.stringify(alerts.map(({ about, id }, number) => ({ number, about, id })))}::json)
        as a (number int, about text, id text)`,
    );
  }

  alertStates(): Promise<AlertState<ToldAlert>[]> {
    return this.database.rows(
      'notifications.alertStates',
      ALERT_STATE,
      Prisma.sql`
      select ${ALERT_STATE.json} as row from (
        select a.kind, a.about, a.object_id, a.stands_since, a.gone_since, a.raised_at, a.alert, to_json(a.told) as told
        from alert_states a
      ) a`,
    );
  }

  async forgetAlerts(forgotten: readonly AlertKey[] | 'ALL'): Promise<void> {
    if (forgotten.length === 0) return;
    await this.written(
      'notifications.forgetAlerts',
      Prisma.sql`
      delete from alert_states a where ${forgotten === 'ALL'} or (a.kind, a.about, a.object_id) in (
        select kind, about, id from json_to_recordset(${JSON.stringify(forgotten === 'ALL' ? [] : forgotten)}::json)
          as g (kind text, about text, id text)
      ) returning 1`,
    );
  }

  async noteAlerts(states: readonly AlertState<ToldAlert>[]): Promise<void> {
    if (states.length === 0) return;
    await this.written(
      'notifications.noteAlerts',
      Prisma.sql`
      insert into alert_states (kind, about, object_id, stands_since, gone_since, raised_at, alert, told)
      select kind, about, id, "standsSince", "goneSince", "raisedAt", alert,
        array(select * from json_array_elements_text(n.told))
      from json_to_recordset(${JSON.stringify(states)}::json) as n (kind text, about text, id text,
        "standsSince" timestamptz, "goneSince" timestamptz, "raisedAt" timestamptz, alert json, told json)
      on conflict (kind, about, object_id) do update set (stands_since, gone_since, raised_at, alert, told) =
        (excluded.stands_since, excluded.gone_since, excluded.raised_at, excluded.alert, excluded.told) returning 1`,
    );
  }

  /** @returns whether the statement, which returns a row for each, found one */
  private written(name: string, statement: Prisma.Sql): Promise<boolean> {
    return this.database.json(
      name,
      Prisma.sql`with written as (${statement}) select to_json(count(*) > 0) as value from written`,
    );
  }
}

const held = ({ holder, number }: OutboxLease) => isHeld(Prisma.sql`${holder}`, Prisma.sql`${number}::bigint`);
