// The SQL of notifications and of their targets. It is used in a transaction whose first statement holds the row of the outbox and
// compares the lease.
import type { Queryable } from '../../database/queryable';
import { rowShape } from '../../database/rows';
import { Prisma } from '../../generated/prisma/client';
import { isHeld, type Lease } from '../../sharing/lease';
import type { Audience } from './audience';
import type { Notification } from './messages';

/** What one transaction of the process that reports may write: it takes 0.3 s, in which others wait for its locks. */
export const MAX_EVENTS = 200;
export const MAX_DELIVERIES = 5000;
/** Transactions of one look, so that due deliveries do not wait until a long write of another program is reported whole. */
export const MAX_TRANSACTIONS = 20;

/** The subject of the lease of the process that reports what happens and delivers it. */
export const NOTIFICATIONS = 'notifications';

export type ReporterLease = Pick<Lease, 'holder' | 'number'>;

/** What there is to do. */
interface Work {
  hasTargets: boolean;
  hasSilences: boolean;
  hasChanges: boolean;
  knowsAlerts: boolean;
}

/** A target `t`. */
const AUDIENCE = rowShape<Audience, 'printerIds'>(
  't',
  { id: 'uuid', events: 'json', minimumSeverity: 'text', eventsAfter: 'int' },
  {
    printerIds: {
      sql: `case when t.some_printers then (
        select coalesce(json_agg(p.printer_id), '[]') from notification_target_printers p where p.target_id = t.id) end`,
    },
  },
);

export class NotificationStore {
  constructor(private readonly database: Queryable) {}

  work(): Promise<Work> {
    return this.database.json(
      'notifications.work',
      Prisma.sql`
      select json_build_object('hasTargets', exists (select from notification_targets where enabled),
        'hasSilences', exists (select from alert_silences), 'hasChanges', exists (select from unreported_changes), 'knowsAlerts', b.knows_alerts) as value
      from notification_outbox b`,
    );
  }

  /** For a transaction: holds the row, which a target waits for that is enabled meanwhile. False when the lease does not go on. */
  lock(lease: ReporterLease): Promise<boolean> {
    return this.database.json(
      'notifications.lock',
      Prisma.sql`
      with l as (select from notification_outbox b, leases l where ${held(lease)} for update) select to_json(count(*) > 0) as value from l`,
    );
  }

  /** The targets that are enabled. None of them is removed or disabled until the transaction ends. */
  targets(): Promise<Audience[]> {
    return this.database.rows(
      'notifications.targets',
      AUDIENCE,
      Prisma.sql`
      with t as (
        select t.id, to_json(t.events) as events, t.minimum_severity, t.events_after, t.some_printers
        from notification_targets t where t.enabled order by t.id for share
      ) select ${AUDIENCE.json} as row from t`,
    );
  }

  /** Notifications with a delivery for each target, in their order. */
  async add(notifications: readonly Notification[]): Promise<void> {
    if (notifications.length === 0) return;
    await this.database.json(
      'notifications.add',
      Prisma.sql`
      with given as materialized (
        select nextval(pg_get_serial_sequence('notifications', 'id')) as id, n.* from (
          select * from json_to_recordset(${JSON.stringify(notifications.map((one, number) => ({ number, ...one })))}::json)
            as n (number int, event text, at timestamptz, "heardAt" timestamptz, severity text, title text, text text, data json,
              targets json)
          order by number
        ) n
      ), noted as (
        insert into notifications (id, event, at, severity, title, text, data) overriding system value
        select id, event, at, severity, title, text, data from given
      ), waiting as (
        insert into notification_deliveries (id, target_id, notification_id, waiting_since, next_attempt_at)
        select gen_random_uuid(), t.id::uuid, given.id, least(given."heardAt", clock_timestamp()), clock_timestamp()
        from given cross join json_array_elements_text(given.targets) t (id) returning 1
      )
      select to_json(count(*)) as value from waiting`,
    );
  }
}

const held = ({ holder, number }: ReporterLease) =>
  Prisma.sql`l.name = ${NOTIFICATIONS} and ${isHeld(Prisma.sql`${holder}`, Prisma.sql`${number}::bigint`)}`;
