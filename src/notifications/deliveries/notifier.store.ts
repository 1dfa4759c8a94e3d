// Holds the statements of the notifier: its lease, the due deliveries and their outcomes. All times come from the clock of the database.

import type { Queryable } from '../../database/queryable';
import { type Columns, columnMember, rowShape } from '../../database/rows';
import { arrayParameter } from '../../database/sql';
import type { AlertSeverity } from '../../farm/alerts/alert.types';
import { Prisma } from '../../generated/prisma/client';
import { IS_FREE, takeLeases } from '../../sharing/lease';
import type { Instant } from '../../values/instant';
import { NOTIFICATIONS } from '../events/reporter.store';
import type { SealedTarget } from '../target.rows';
import type { NotificationEvent, NotificationKind } from '../target.types';
import { ATTEMPTS_IN_ORDER, type AttemptOutcome, dueAt, isTooOld, pausedUntil } from './retries';

/** A delivery that is due, with its message and its channel. */
export interface DueDelivery {
  id: string;
  attempts: number;
  event: NotificationEvent;
  at: Instant;
  severity: AlertSeverity | null;
  title: string;
  text: string;
  data: object;
  target: SealedTarget & { kind: NotificationKind };
}

type NotificationMember = 'event' | 'at' | 'severity' | 'title' | 'text' | 'data';

/** The columns of a delivery `d` of the notification `n` to the channel `t`. */
const DUE = rowShape<DueDelivery, NotificationMember | 'target'>(
  'd',
  { id: 'uuid', attempts: 'int' } as Columns<Pick<DueDelivery, 'id' | 'attempts'>>,
  {
    event: { sql: 'n.event' },
    at: columnMember('n.at', 'timestamptz'),
    severity: { sql: 'n.severity' },
    title: { sql: 'n.title' },
    text: { sql: 'n.text' },
    data: { sql: 'n.data' },
    target: {
      sql: `json_build_object('id', t.id, 'kind', t.kind, 'url', t.url, 'username', t.username, 'secret', t.secret,
        'formerSecret', case when t.former_secret_until > clock_timestamp() then t.former_secret end, 'certificateFingerprint', t.certificate_fingerprint)`,
    },
  },
);

const IS_DUE_NOW = Prisma.sql`${dueAt('w')} <= clock_timestamp()`;

export class NotifierStore {
  constructor(private readonly database: Queryable) {}

  /**
   * Takes or renews the lease if a channel is enabled, or if an alert is silenced, because silences have to end.
   * @returns the number of the lease; `null` if another process holds the lease
   */
  takeLease(holder: string): Promise<{ isWanted: boolean; number: string | null }> {
    return this.database.json(
      'notifier.hold',
      Prisma.sql`
      with wanted as (
        select exists (select from notification_targets where enabled) or exists (select from alert_silences) as is
      ), h as (
        ${takeLeases(holder, Prisma.sql`select ${NOTIFICATIONS} as name, null::uuid as device_id from wanted where wanted.is`)}
      )
      select json_build_object('isWanted', wanted.is, 'number', coalesce((select h.number from h),
        (select l.number from leases l where l.name = ${NOTIFICATIONS} and l.holder = ${holder} and not ${IS_FREE}))::text) as value
      from wanted`,
    );
  }

  /**
   * Reads the next delivery of each channel: the first delivery in order, or a deferred delivery that has been due for longer.
   * @param busy channels that are left out, because a delivery to them is running
   * @param only reads the delivery of this channel; `null` for all channels
   */
  listDue(busy: readonly string[], only: string | null = null): Promise<DueDelivery[]> {
    const waiting = Prisma.sql`w.target_id = t.id and w.state = 'WAITING' and not ${isTooOld('w')}`;
    return this.database.rows(
      'notifier.due',
      DUE,
      Prisma.sql`
      select ${DUE.json} as row from notification_targets t cross join lateral (
        select * from (
          (select * from notification_deliveries w where ${waiting} and w.attempts < ${ATTEMPTS_IN_ORDER}::int
            order by w.notification_id limit 1)
          union all
          (select * from notification_deliveries w where ${waiting} and w.attempts >= ${ATTEMPTS_IN_ORDER}::int
            and ${IS_DUE_NOW} order by w.next_attempt_at, w.notification_id limit 1)
        ) w where ${IS_DUE_NOW} order by w.next_attempt_at, w.notification_id limit 1
      ) d join notifications n on n.id = d.notification_id
      where t.enabled and (${pausedUntil('d')} > clock_timestamp()) is not true and t.id <> all(${arrayParameter(busy, 'uuid')}::uuid[])
        and (${only}::uuid is null or t.id = ${only}::uuid)`,
    );
  }

  /**
   * Writes the outcome of an attempt, with the same instant for all times.
   * @returns whether this delivery was the first that succeeded after failures
   */
  async writeOutcome({ id, target }: DueDelivery, outcome: AttemptOutcome): Promise<boolean> {
    const { delivery, waitSec, httpStatus, fault, pauseSec } = outcome;
    const inSeconds = (count: number | null) =>
      Prisma.sql`statement_timestamp() + ${count}::float8 * interval '1 second'`;
    const previousState = await this.database.json<string | null>(
      'notifier.write',
      Prisma.sql`
      with before as (select t.state from notification_targets t where t.id = ${target.id}::uuid), d as (
        update notification_deliveries d set state = ${delivery}, attempts = d.attempts + 1, last_attempt_at = statement_timestamp(),
          next_attempt_at = ${inSeconds(waitSec)}, http_status = ${httpStatus}::int, fault = ${fault}
        where d.id = ${id}::uuid and (d.state = 'WAITING' or ${delivery} = 'DELIVERED')
      ), t as (
        ${buildTargetUpdate(outcome, inSeconds(pauseSec))} where t.id = ${target.id}::uuid and t.enabled
      )
      select to_json(before.state) as value from before`,
    );
    return delivery === 'DELIVERED' && previousState !== null && previousState !== 'OK';
  }

  /**
   * Gives up deliveries that are too old. A channel has failed if nothing was delivered to it while such a delivery waited.
   * @param busy channels that are left out, because a delivery to them is running
   * @returns the number of deliveries given up, by kind of channel
   */
  giveUpOld(busy: readonly string[]): Promise<{ kind: string; count: number }[]> {
    return this.database.json(
      'notifier.leaveOut',
      Prisma.sql`
      with old as (
        update notification_deliveries d set state = 'GIVEN_UP', next_attempt_at = null,
          fault = case n.event when 'OMITTED' then 'LEFT_OUT_REPORTED' else 'LEFT_OUT' end
        from notifications n
        where d.state = 'WAITING' and ${isTooOld('d')} and d.target_id <> all(${arrayParameter(busy, 'uuid')}::uuid[]) and n.id = d.notification_id
        returning d.target_id, d.waiting_since
      ), failed as (
        update notification_targets t set state = 'FAILED', state_since = clock_timestamp()
        where t.enabled and t.state = 'RETRYING' and exists (
          select from old o where o.target_id = t.id and not exists (
            select from notification_deliveries x
            where x.target_id = t.id and x.state = 'DELIVERED' and x.last_attempt_at > o.waiting_since))
      )
      select coalesce(json_agg(json_build_object('kind', c.kind, 'count', c.count)), '[]') as value
      from (select t.kind, count(*) from old o join notification_targets t on t.id = o.target_id group by t.kind) c`,
    );
  }

  /** Counts, for each channel that is reachable again, the deliveries that were given up and that no OMITTED notification has reported yet. */
  countOmitted(): Promise<{ id: string; count: number }[]> {
    return this.database.json(
      'notifier.omitted',
      Prisma.sql`
      select coalesce(json_agg(json_build_object('id', u.id, 'count', u.count)), '[]') as value from (
        select t.id, count(*) from notification_targets t join notification_deliveries d on d.target_id = t.id
        where t.enabled and t.state = 'OK' and d.state = 'GIVEN_UP' and d.fault = 'LEFT_OUT' group by t.id
      ) u`,
    );
  }

  /** Adds one notification for all deliveries of the channel that were given up so far. */
  reportOmitted(
    targetId: string,
    deliveryId: string,
    message: { title: string; text: string; data: object },
  ): Promise<unknown> {
    return this.database.json(
      'notifier.reportOmitted',
      Prisma.sql`
      with reported as (
        update notification_deliveries d set fault = 'LEFT_OUT_REPORTED'
        where d.target_id = ${targetId}::uuid and d.state = 'GIVEN_UP' and d.fault = 'LEFT_OUT'
      ), n as (
        insert into notifications (event, title, text, data)
        values ('OMITTED', ${message.title}, ${message.text}, ${JSON.stringify(message.data)}::json) returning id
      ), made as (
        insert into notification_deliveries (id, target_id, notification_id, next_attempt_at)
        select ${deliveryId}::uuid, ${targetId}::uuid, n.id, clock_timestamp() from n returning 1
      )
      select to_json(count(*)) as value from made`,
    );
  }
}

/** The update of the channel after an attempt. */
function buildTargetUpdate({ target, fault }: AttemptOutcome, pausedUntil: Prisma.Sql): Prisma.Sql {
  const since = (state: string) =>
    Prisma.sql`state_since = case when t.state = ${state} then t.state_since else statement_timestamp() end`;
  if (target === 'OK') {
    return Prisma.sql`update notification_targets t set state = 'OK', fault = null, silent_until = null, ${since('OK')}`;
  }
  if (target === 'DISABLED') {
    return Prisma.sql`
      update notification_targets t set enabled = false, state = 'DISABLED', fault = ${fault}, state_since = statement_timestamp()`;
  }
  return Prisma.sql`
    update notification_targets t set state = case t.state when 'OK' then 'RETRYING' else t.state end, fault = ${fault},
      state_since = case t.state when 'OK' then statement_timestamp() else t.state_since end, silent_until = ${pausedUntil}`;
}
