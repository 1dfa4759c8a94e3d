// The SQL of idempotency keys.
import type { Queryable } from '../database/queryable';
import { lockWait, sql } from '../database/sql';
import { Prisma } from '../generated/prisma/client';
import { KEY_HOURS } from './idempotency.limits';

/** Keys expire by the clock of the database, which all replicas share. */
const LIFETIME = Prisma.sql`${KEY_HOURS}::int * interval '1 hour'`;

/**
 * Groups of keyed writes, of all gateways, take turns: their works write rows in any order, so two groups that want the same
 * rows would wait for each other.
 */
const TURN = sql(`turn (taken) as materialized (
  select pg_advisory_xact_lock('idempotency_keys'::regclass::bigint)::text
)`);

/** A write as its client named it. `fingerprint` tells one request from another. */
export interface KeyedWrite {
  caller: string;
  key: string;
  fingerprint: string;
}

/** A write with its answer. */
export interface KeptWrite extends KeyedWrite {
  answer: unknown;
}

/** Tells keys apart, each caller having its own. */
export const idOf = ({ caller, key }: { caller: string; key: string }): string => JSON.stringify([caller, key]);

export class IdempotencyStore {
  constructor(private readonly database: Queryable) {}

  /**
   * Takes keys for this transaction, in order, and answers the ids of the keys that were free. While another transaction
   * holds a key, this one waits for its end: of two requests that arrive at once one writes, and the other is answered
   * with its answer.
   * @param lockMs the longest that a statement of this transaction waits for a lock. With 0 it waits for any time, and takes
   * no turn: the others would wait as long.
   */
  async take(writes: readonly KeyedWrite[], lockMs: number): Promise<ReadonlySet<string>> {
    const wait =
      lockMs === 0
        ? lockWait(lockMs)
        : Prisma.sql`${TURN}, ${lockWait(lockMs, sql('from turn where turn.taken is not null'))}`;
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
  async keep(writes: readonly KeptWrite[]): Promise<void> {
    if (writes.length === 0) return;
    await this.database.json(
      'idempotency.keep',
      Prisma.sql`
      insert into idempotency_keys as k (caller, key, fingerprint, answer, created_at)
      select caller, key, fingerprint, answer, now()
      from json_to_recordset(${JSON.stringify(writes)}::json) as g (caller text, key text, fingerprint text, answer json)
      on conflict (caller, key) do update set answer = excluded.answer`,
    );
  }

  async find(writes: readonly KeyedWrite[]): Promise<KeptWrite[]> {
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
  }
}
