// The SQL of idempotency keys.
import type { Queryable } from '../database/database';
import { KEY_LIFETIME_MS } from '../database/maintenance';
import { Prisma } from '../generated/prisma/client';

/** A write as its client named it. `fingerprint` tells one request from another. */
export interface KeyedWrite {
  caller: string;
  key: string;
  fingerprint: string;
}

export class IdempotencyStore {
  constructor(private readonly transaction: Queryable) {}

  /**
   * Takes the key for this transaction; false when it has been used. While another transaction holds it this one waits
   * for its end, so that of two that arrive at once one writes and the other is answered with what it has written.
   */
  async take({ caller, key, fingerprint }: KeyedWrite, now: string): Promise<boolean> {
    const expired = new Date(Date.parse(now) - KEY_LIFETIME_MS).toISOString();
    const taken = await this.transaction.prisma.$executeRaw`
      insert into idempotency_keys as k (caller, key, fingerprint, created_at)
      values (${caller}, ${key}, ${fingerprint}, ${now}::timestamptz)
      on conflict (caller, key) do update
        set fingerprint = excluded.fingerprint, answer = null, created_at = excluded.created_at
        where k.created_at < ${expired}::timestamptz`;
    return taken > 0;
  }

  async keep({ caller, key }: KeyedWrite, answer: unknown): Promise<void> {
    await this.transaction.prisma.$executeRaw`
      update idempotency_keys set answer = ${JSON.stringify(answer)}::json where caller = ${caller} and key = ${key}`;
  }

  find({ caller, key }: KeyedWrite): Promise<{ fingerprint: string; answer: unknown }> {
    return this.transaction.json(Prisma.sql`
      select json_build_object('fingerprint', fingerprint, 'answer', answer) as value
      from idempotency_keys where caller = ${caller} and key = ${key}`);
  }
}
