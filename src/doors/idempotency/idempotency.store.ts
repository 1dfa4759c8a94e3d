// Holds the SQL of idempotency keys: how a write claims its key, what is stored under the key, and for how long.
import type { Queryable } from '../../database/queryable';
import { Prisma } from '../../generated/prisma/client';

/** A key and its answer are stored for this time. */
export const KEY_HOURS = 24;
/** Keys expire by the clock of the database, which all replicas share. */
const LIFETIME = Prisma.sql`${KEY_HOURS}::int * interval '1 hour'`;

/** Identifies a write by its caller and key. Two callers may use the same key. The hash `fingerprint` distinguishes requests. */
export interface KeyedWrite {
  caller: string;
  key: string;
  fingerprint: string;
}

export class IdempotencyStore {
  constructor(private readonly database: Queryable) {}

  /**
   * Waits until no other transaction of any gateway holds this lock. Otherwise two operations that write the same rows in different
   * orders would deadlock, which PostgreSQL notices after a second. It then rolls back one of them.
   */
  async waitForTurn(): Promise<void> {
    await this.database.json(
      'idempotency.waitForTurn',
      Prisma.sql`select to_json(true) as value from pg_advisory_xact_lock('idempotency_keys'::regclass::bigint)`,
    );
  }

  /**
   * Inserts the key for this transaction; false if the key is in use. When another transaction has inserted the same key,
   * this statement waits for the end of that transaction. So one of two copies writes, and the other copy gets the stored
   * answer.
   */
  async claim({ caller, key, fingerprint }: KeyedWrite): Promise<boolean> {
    const claimed = await this.database.json<boolean | null>(
      'idempotency.claim',
      Prisma.sql`
      insert into idempotency_keys as k (caller, key, fingerprint, created_at)
      values (${caller}, ${key}, ${fingerprint}, now())
      on conflict (caller, key) do update
        set fingerprint = excluded.fingerprint, answer = null, created_at = excluded.created_at
        where k.created_at < excluded.created_at - ${LIFETIME}
      returning to_json(true) as value`,
    );
    return claimed !== null;
  }

  /**
   * Stores the answer of a write under the key that this transaction has claimed. The conflict always leads to the row by
   * the index. The plan of an UPDATE would be made while the table is small, and would read the whole table from then on.
   */
  async store({ caller, key, fingerprint }: KeyedWrite, answer: unknown): Promise<void> {
    await this.database.json(
      'idempotency.store',
      Prisma.sql`
      insert into idempotency_keys (caller, key, fingerprint, created_at)
      values (${caller}, ${key}, ${fingerprint}, now())
      on conflict (caller, key) do update set answer = ${JSON.stringify(answer)}::json
      returning to_json(true) as value`,
    );
  }

  find<Answer>({ caller, key }: Omit<KeyedWrite, 'fingerprint'>): Promise<{ fingerprint: string; answer: Answer }> {
    return this.database.json(
      'idempotency.find',
      Prisma.sql`
      select json_build_object('fingerprint', fingerprint, 'answer', answer) as value
      from idempotency_keys where caller = ${caller} and key = ${key}`,
    );
  }

  async forgetExpired(): Promise<void> {
    await this.database.json(
      'idempotency.forgetExpired',
      Prisma.sql`delete from idempotency_keys where created_at < now() - ${LIFETIME}`,
    );
    // Keys that were stored while the clock was ahead would be kept too long, so their time of storage becomes now.
    await this.database.json(
      'idempotency.takeAsNew',
      Prisma.sql`
      with taken as (update idempotency_keys set created_at = now() where created_at > now() returning 1)
      select to_json(count(*)) as value from taken`,
    );
  }
}
