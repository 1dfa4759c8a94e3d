// What the database needs from time to time: partitions of the status log made ahead and dropped, keys forgotten, and
// on the embedded one what a server does by itself.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Driver, RunSql } from './driver';

/** How long the answer to a write is kept under its idempotency key. */
export const KEY_LIFETIME_MS = 24 * 60 * 60 * 1000;

/** `retentionDays` null keeps the status log for good. */
export async function maintain(driver: Driver, retentionDays: number | null, now = new Date()): Promise<void> {
  await driver.withSession(async (run) => {
    await unhurried(run, () =>
      run('select maintain_camera_status($1::timestamptz, $2::int)', [now.toISOString(), retentionDays]),
    );
    const forgotten = new Date(now.getTime() - KEY_LIFETIME_MS).toISOString();
    await run('delete from idempotency_keys where created_at < $1::timestamptz', [forgotten]);
  });
}

/**
 * What autovacuum does on a server and PGlite has nobody for, by autovacuum's own measure. Without it the room of rows
 * that are gone is never used again, and after two billion transactions nothing more could be written. Where little has
 * changed it takes 0.1 s; requests come in between after each table.
 */
export async function vacuum(driver: Driver): Promise<void> {
  if (driver.isApart) return;
  await driver.withSession(async (run) => {
    const statements = await run(`
      select format('vacuum (analyze %s) %s', coalesce(s.n_mod_since_analyze > 50 + greatest(c.reltuples, 0) / 10, false)::text,
        c.oid::regclass) as text
      from pg_class c left join pg_stat_user_tables s on s.relid = c.oid where c.relkind = 'r'`);
    for (const { text } of statements) {
      await run(String(text));
      await nextTurn();
    }
  });
}

/** Runs it without the limit on how long a statement may take: moving records takes as long as there are records. */
async function unhurried(run: RunSql, work: () => Promise<unknown>): Promise<void> {
  await run('set statement_timeout = 0');
  try {
    await work();
  } finally {
    await run('reset statement_timeout');
  }
}
