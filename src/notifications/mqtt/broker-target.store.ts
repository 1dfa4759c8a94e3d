// The statements of brokers: which ones are told, and how their connections stand.
import type { Queryable } from '../../database/queryable';
import { Prisma } from '../../generated/prisma/client';
import type { ReceiverFault } from '../../wire/faults';
import type { SealedTarget } from '../readable';

export interface StoredBroker extends SealedTarget {
  /** null: all. */
  printerIds: string[] | null;
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
        'printerIds', case when t.some_printers then p.ids end, 'edited', concat_ws(' ', t.updated_at, p.ids))), '[]') as value
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
