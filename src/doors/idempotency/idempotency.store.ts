// The statements of idempotency keys: which are free, what is stored under them, and how long they are kept.
import type { Queryable } from '../../database/queryable';
import { lockWait, sql } from '../../database/sql';
import { Prisma } from '../../generated/prisma/client';

/** A key and its answer are stored for this time. */
export const KEY_HOURS = 24;
/** Keys expire by the clock of the database, which all replicas share. */
const LIFETIME = Prisma.sql`${KEY_HOURS}::int * interval '1 hour'`;

/**
 * A mutex for the groups of keyed writes of all gateways. Their works write rows in any order, so two groups that want the
 * same rows would deadlock.
 */
const MUTEX = sql(`mutex (taken) as materialized (
  select pg_advisory_xact_lock('idempotency_keys'::regclass::bigint)::text
)`);

/** A write as its client named it. `fingerprint` distinguishes requests. */
export interface KeyedWrite {
  caller: string;
  key: string;
  fingerprint: string;
}

/** A write with its answer. */
export interface StoredAnswer extends KeyedWrite {
  answer: unknown;
}

/** Distinguishes keys, each caller having its own. */
export const idOf = ({ caller, key }: { caller: string; key: string }): string => JSON.stringify([caller, key]);

export class IdempotencyStore {
  constructor(private readonly database: Queryable) {}

  /**
   * Inserts the keys for this transaction, and returns the ids of the keys that were free. When another transaction has
   * inserted the same key, this statement waits for the end of that transaction. So one of two copies writes, and the other
   * copy gets the stored answer.
   * @param lockMs the lock timeout of this transaction; 0 for none. Without a timeout the mutex is not taken, because all
   * other groups would wait as long.
   */
  async take(writes: readonly KeyedWrite[], lockMs: number): Promise<ReadonlySet<string>> {
    const wait =
      lockMs === 0
        ? lockWait(lockMs)
        : Prisma.sql`${MUTEX}, ${lockWait(lockMs, sql('from mutex where mutex.taken is not null'))}`;
    const taken = await this.database.json<{ caller: string; key: string }[]>(
      'idempotency.take',
      Prisma.sql`
      with ${wait}, taken as (
        insert into idempotency_keys as k (caller, key, fingerprint, created_at)
        select caller, key, fingerprint, now()
        from wait, json_to_recordset(${JSON.stringify(writes)}::json) as g (caller text, key text, fingerprint text)
        order by caller collate "C", key collate "C"
        on conflict (caller, key) do update
          set fingerprint = excluded.fingerprint, answer = null, created_at = excluded.created_at
          where k.created_at < excluded.created_at - ${LIFETIME}
        returning caller, key
      )
      select coalesce(json_agg(taken), '[]') as value from taken`,
    );
    return new Set(taken.map(idOf));
  }

  /**
   * Stores the answers under keys that this transaction has taken. The conflict always leads by the index; a joined update
   * would be planned while the table is small, and read the whole table from then on.
   */
  async store(writes: readonly StoredAnswer[]): Promise<void> {
    if (writes.length === 0) return;
    await this.database.json(
      'idempotency.store',
      Prisma.sql`
      insert into idempotency_keys as k (caller, key, fingerprint, answer, created_at)
      select caller, key, fingerprint, answer, now()
      from json_to_recordset(${JSON.stringify(writes)}::json) as g (caller text, key text, fingerprint text, answer json)
      on conflict (caller, key) do update set answer = excluded.answer`,
    );
  }

  async find(writes: readonly KeyedWrite[]): Promise<StoredAnswer[]> {
    if (writes.length === 0) return [];
    return this.database.json(
      'idempotency.find',
      Prisma.sql`
      select json_agg(json_build_object('caller', k.caller, 'key', k.key, 'fingerprint', k.fingerprint, 'answer', k.answer)) as value
      from json_to_recordset(${JSON.stringify(writes)}::json) as g (caller text, key text)
      join idempotency_keys k on k.caller = g.caller and k.key = g.key`,
    );
  }

  async forgetExpired(): Promise<void> {
    await this.database.json(
      'idempotency.forgetExpired',
      Prisma.sql`delete from idempotency_keys where created_at < now() - ${LIFETIME}`,
    );
    // Keys of a clock that was ahead would be kept for as long: they live from now on.
    await this.database.json(
      'idempotency.takeAsNew',
      Prisma.sql`
      with taken as (update idempotency_keys set created_at = now() where created_at > now() returning 1)
      select to_json(count(*)) as value from taken`,
    );
  }
}
