// Holds the statements of the reporters: they read the notes of unreported changes with their prints and jobs, and write the notifications.
// readWork runs outside a transaction. All others run in a transaction whose first statement is `lock`, which locks the row of the outbox and
// checks the lease.
import { readQuery } from '../../database/query-files';
import type { Queryable } from '../../database/queryable';
import { rowShape } from '../../database/rows';
import { arrayParameter, CLOCK, sql } from '../../database/sql';
import { isSilenced } from '../../farm/alerts/silence.store';
import { LACKS_SPOOL } from '../../farm/prints/observed-print.rows';
import { Prisma } from '../../generated/prisma/client';
import { isHeld, type Lease } from '../../sharing/lease';
import type { Audience } from './audience';
import type { Notification } from './messages';
import type { ChangeNote, EntityState, PrintOrJob, UnreportedChanges } from './print-events';

/** The most that one transaction writes. Such a transaction takes 0.3 s, and other transactions wait for its locks meanwhile. */
export const MAX_EVENTS = 200;
export const MAX_DELIVERIES = 5000;
/** The most transactions of one step, so that due deliveries do not wait until a large write of another program is reported completely. */
export const MAX_TRANSACTIONS = 20;

/** The name of the lease of the process that reports and delivers. */
export const NOTIFICATIONS = 'notifications';

export type ReporterLease = Pick<Lease, 'holder' | 'number'>;

/** Which kinds of work the reporters have. */
interface Work {
  hasTargets: boolean;
  hasSilences: boolean;
  hasChanges: boolean;
  knowsAlerts: boolean;
}

/** The columns of a channel `t`. */
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

/** The columns of a note `c`. */
const CHANGE = rowShape<ChangeNote, 'isIgnored'>(
  'c',
  {
    id: 'int',
    at: 'timestamptz',
    type: 'text',
    entity: 'uuid',
    outcome: 'text',
    jobId: 'uuid',
    status: 'text',
    lacksSpool: 'boolean',
  },
  { isIgnored: { sql: 'c.ignored' } },
);

/** The columns of the state `s` of a print or a job after the notes that are read. */
const STATE_COLUMNS = {
  id: 'uuid',
  outcome: 'text',
  jobId: 'uuid',
  status: 'text',
  lacksSpool: 'boolean',
  isIgnored: 'boolean',
} as const;

const STATE = rowShape<EntityState>('s', STATE_COLUMNS);

const SUBJECT = rowShape<PrintOrJob>('s', {
  ...STATE_COLUMNS,
  hasPrinted: 'boolean',
  printerId: 'uuid',
  printerName: 'text',
  printName: 'text',
  jobName: 'text',
  startedAt: 'timestamptz',
  endedAt: 'timestamptz',
  reason: 'text',
  isSilenced: 'boolean',
  grams: 'numeric',
  cost: 'numeric',
});

const selectOldestNotes = readQuery<
  'limit' | 'change_columns' | 'state_columns' | 'subject_columns' | 'lacks_spool' | 'is_silenced'
>('notifications/events/oldest-notes.query.sql');

export class ReporterStore {
  constructor(private readonly database: Queryable) {}

  readWork(): Promise<Work> {
    return this.database.json(
      'reporter.work',
      Prisma.sql`
      select json_build_object('hasTargets', exists (select from notification_targets where enabled),
        'hasSilences', exists (select from alert_silences), 'hasChanges', exists (select from unreported_changes), 'knowsAlerts', b.knows_alerts) as value
      from notification_outbox b`,
    );
  }

  /** Locks the row of the outbox, so that no channel is enabled meanwhile. Returns false if another process has taken the lease. */
  lock(lease: ReporterLease): Promise<boolean> {
    return this.database.json(
      'reporter.lock',
      Prisma.sql`
      with l as (select from notification_outbox b, leases l where ${holdsLease(lease)} for update) select to_json(count(*) > 0) as value from l`,
    );
  }

  /** The enabled channels, locked: none of them is removed or disabled until the transaction ends. */
  lockTargets(): Promise<Audience[]> {
    return this.database.rows(
      'reporter.targets',
      AUDIENCE,
      Prisma.sql`
      with t as (
        select t.id, to_json(t.events) as events, t.minimum_severity, t.events_after, t.some_printers
        from notification_targets t where t.enabled order by t.id for share
      ) select ${AUDIENCE.json} as row from t`,
    );
  }

  /**
   * Reads the oldest notes, and the notes of the jobs of prints that no longer exist.
   * @param limit the maximum number of notes, without the notes of such jobs
   */
  async readOldestNotes(limit: number): Promise<UnreportedChanges> {
    const [changes, prints, jobs, subjects] = await this.database.cells<
      [unknown[][], unknown[][], unknown[][], unknown[][]]
    >(
      'reporter.oldestNotes',
      selectOldestNotes({
        limit,
        change_columns: CHANGE.json,
        state_columns: STATE.json,
        subject_columns: SUBJECT.json,
        lacks_spool: LACKS_SPOOL,
        is_silenced: isSilenced(sql('a.kind'), sql('o.printer_id::text'), CLOCK),
      }),
    );
    return {
      changes: changes.map(CHANGE.read),
      prints: prints.map(STATE.read),
      jobs: jobs.map(STATE.read),
      subjects: subjects.map(SUBJECT.read),
    };
  }

  /** Deletes exactly the notes that were read: a slow transaction may still add notes with smaller ids. */
  async deleteNotes(ids: readonly number[]): Promise<void> {
    await this.database.json(
      'reporter.forgetNotes',
      Prisma.sql`
      with gone as (delete from unreported_changes where id = any(${arrayParameter(ids, 'bigint')}::bigint[]) returning 1)
      select to_json(count(*)) as value from gone`,
    );
  }

  async deleteAllNotes(): Promise<void> {
    await this.database.json(
      'reporter.forgetAllNotes',
      Prisma.sql`with gone as (delete from unreported_changes returning 1) select to_json(count(*)) as value from gone`,
    );
  }

  /** Adds the notifications in their order, with a delivery for each of their channels. */
  async addNotifications(notifications: readonly Notification[]): Promise<void> {
    if (notifications.length === 0) return;
    await this.database.json(
      'reporter.add',
      Prisma.sql`
      with given as materialized (
        select nextval(pg_get_serial_sequence('notifications', 'id')) as id, n.* from (
          select * from json_to_recordset(${JSON.stringify(notifications.map((notification, number) => ({ number, ...notification })))}::json)
            as n (number int, event text, at timestamptz, "receivedAt" timestamptz, severity text, title text, text text, data json,
              targets json)
          order by number
        ) n
      ), noted as (
        insert into notifications (id, event, at, severity, title, text, data) overriding system value
        select id, event, at, severity, title, text, data from given
      ), waiting as (
        insert into notification_deliveries (id, target_id, notification_id, waiting_since, next_attempt_at)
        select gen_random_uuid(), t.id::uuid, given.id, least(given."receivedAt", clock_timestamp()), clock_timestamp()
        from given cross join json_array_elements_text(given.targets) t (id) returning 1
      )
      select to_json(count(*)) as value from waiting`,
    );
  }
}

const holdsLease = ({ holder, number }: ReporterLease) =>
  Prisma.sql`l.name = ${NOTIFICATIONS} and ${isHeld(Prisma.sql`${holder}`, Prisma.sql`${number}::bigint`)}`;
