// Holds the statements of notification channels. docs/explanation/data-access.md explains when a statement is SQL.
import type { Queryable } from '../database/queryable';
import { matchesOneOf } from '../database/sql';
import { Prisma, type NotificationTarget as StoredTarget } from '../generated/prisma/client';
import { batchedRead } from '../sharing/batch';
import type { ReceiverFault } from '../wire/faults';
import { type SealedTarget, TARGET_ROW, toTarget } from './target.rows';
import type { NotificationTarget } from './target.types';

export type { StoredTarget };

/** A new row. Its secret is encrypted. */
export type NewTargetRow = Omit<StoredTarget, 'formerSecret' | 'eventsAfter' | 'formerSecretUntil' | 'silentUntil'>;
/** The columns that an update writes. Members that are undefined stay as they are. */
export type TargetChanges = Partial<Omit<StoredTarget, 'id' | 'kind' | 'eventsAfter' | 'createdAt'>>;

export interface StoredBroker extends SealedTarget {
  /** `null` for all printers. */
  printerIds: string[] | null;
  events: NotificationTarget['events'];
  /** Changes each time a user edits the channel. */
  version: string;
}

export class TargetStore {
  constructor(private readonly database: Queryable) {}

  readonly byId = batchedRead<string, NotificationTarget>(async (ids) => {
    const rows = await this.database.rows(
      'targets.byId',
      TARGET_ROW,
      Prisma.sql`select ${TARGET_ROW.json} as row from notification_targets t where ${matchesOneOf('t.id', ids, 'uuid')}`,
    );
    return new Map(rows.map((row) => [row.id, toTarget(row)]));
  });

  /** In the order in which the channels were added. */
  async listAll(): Promise<NotificationTarget[]> {
    const rows = await this.database.rows(
      'targets.all',
      TARGET_ROW,
      Prisma.sql`select ${TARGET_ROW.json} as row from notification_targets t order by t.created_at, t.id`,
    );
    return rows.map(toTarget);
  }

  /** Runs the work in a transaction that holds the lock of all channel writes, so that no other write changes the channels meanwhile. */
  runExclusively<Result>(work: (store: TargetStore, transaction: Queryable) => Promise<Result>): Promise<Result> {
    return this.database.transaction(async (transaction) => {
      await transaction.json(
        'targets.alone',
        Prisma.sql`select to_json(pg_advisory_xact_lock('notification_targets'::regclass::bigint) is not null) as value`,
      );
      return work(new TargetStore(transaction), transaction);
    });
  }

  /** The row with its encrypted secrets; `null` if there is no such channel. */
  findRow(id: string): Promise<StoredTarget | null> {
    return this.database.models('targets.stored', (prisma) => prisma.notificationTarget.findUnique({ where: { id } }));
  }

  /** All channels of the farm, to look for duplicates. */
  listForComparison(): Promise<Pick<StoredTarget, 'id' | 'kind' | 'url' | 'name'>[]> {
    return this.database.models('targets.neighbours', (prisma) =>
      prisma.notificationTarget.findMany({ select: { id: true, kind: true, url: true, name: true } }),
    );
  }

  /** The number of chosen printers that still exist. */
  countPrinters(targetId: string): Promise<number> {
    return this.database.models('targets.printers', (prisma) =>
      prisma.notificationTargetPrinter.count({ where: { targetId } }),
    );
  }

  async add(target: NewTargetRow, printerIds: readonly string[]): Promise<void> {
    await this.database.attempt('targets.add', async ({ prisma }) => {
      await prisma.notificationTarget.create({ data: target });
      await prisma.notificationTargetPrinter.createMany({ data: buildPrinterRows(target.id, printerIds) });
    });
  }

  /**
   * @param printerIds `undefined` to keep the chosen printers
   * @param retriesNow whether waiting deliveries become due immediately
   */
  async update(id: string, changes: TargetChanges, printerIds: readonly string[] | undefined, retriesNow: boolean) {
    await this.database.attempt('targets.update', async ({ prisma }) => {
      await prisma.notificationTarget.update({ where: { id }, data: changes });
      if (printerIds !== undefined) {
        // New printers are added before others are removed, because a trigger disables a channel without printers.
        await prisma.notificationTargetPrinter.createMany({
          data: buildPrinterRows(id, printerIds),
          skipDuplicates: true,
        });
        await prisma.notificationTargetPrinter.deleteMany({
          where: { targetId: id, printerId: { notIn: [...printerIds] } },
        });
      }
      if (retriesNow) {
        await prisma.notificationDelivery.updateMany({
          where: { targetId: id, state: 'WAITING' },
          data: { nextAttemptAt: changes.updatedAt as Date },
        });
      }
    });
  }

  /** Returns false if there is no such channel. */
  async remove(id: string): Promise<boolean> {
    const { count } = await this.database.attempt('targets.remove', ({ prisma }) =>
      prisma.notificationTarget.deleteMany({ where: { id } }),
    );
    return count > 0;
  }

  /** The enabled MQTT channels. */
  listBrokers(): Promise<StoredBroker[]> {
    return this.database.json(
      'targets.brokers',
      Prisma.sql`
      select coalesce(json_agg(json_build_object('id', t.id, 'kind', t.kind, 'url', t.url, 'username', t.username, 'secret', t.secret,
        'formerSecret', null, 'certificateFingerprint', t.certificate_fingerprint,
        'events', t.events, 'printerIds', case when t.some_printers then p.ids end, 'version', concat_ws(' ', t.updated_at, p.ids))), '[]') as value
      from notification_targets t cross join lateral (
        select coalesce(json_agg(c.printer_id order by c.printer_id), '[]') as ids
        from notification_target_printers c where c.target_id = t.id
      ) p
      where t.kind = 'MQTT' and t.enabled`,
    );
  }

  /**
   * A lost connection to a broker is a fault even while no message waits. A new connection ends the fault, unless a delivery has failed
   * attempts: then the delivery is attempted immediately, and its outcome decides the state.
   */
  updateConnectionState(id: string, fault: ReceiverFault | null): Promise<unknown> {
    const state = fault === null ? 'OK' : 'RETRYING';
    return this.database.json(
      'targets.connection',
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

  /** The figures of channels for metrics. */
  readFigures(): Promise<TargetFigures> {
    return this.database.json(
      'targets.figures',
      Prisma.sql`
      select json_build_object(
        'targets', (select coalesce(json_agg(json_build_object('kind', c.kind, 'state', c.state, 'count', c.count)), '[]')
          from (select t.kind, t.state, count(*) from notification_targets t group by t.kind, t.state) c),
        'oldestWaitingSeconds', (select coalesce(max(greatest(0, extract(epoch from clock_timestamp() - d.waiting_since))), 0)
          from notification_deliveries d where d.state = 'WAITING')
      ) as value`,
    );
  }
}

export interface TargetFigures {
  targets: { kind: string; state: string; count: number }[];
  oldestWaitingSeconds: number;
}

const buildPrinterRows = (targetId: string, printerIds: readonly string[]) =>
  printerIds.map((printerId) => ({ targetId, printerId }));
