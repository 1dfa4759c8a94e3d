// Regular maintenance: makes and drops partitions of the status log, and vacuums the embedded database.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Driver, RunSql } from './driver';

/** @param retentionDays null keeps the status log forever */
export async function maintain(driver: Driver, retentionDays: number | null, now = new Date()): Promise<void> {
  await driver.withSession(async (run) => {
    await unhurried(run, () =>
      run('select maintain_camera_status($1::timestamptz, $2::int)', [now.toISOString(), retentionDays]),
    );
  });
}

/**
 * PGlite has no autovacuum. Without vacuum, the space of deleted rows is never used again, and after two billion
 * transactions PostgreSQL refuses to write. Tables are analyzed by autovacuum's rule. After few changes, vacuum takes
 * 0.1 s. Requests run between two tables.
 */
export async function vacuum(driver: Driver): Promise<void> {
  if (driver.vacuumsItself) return;
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

/** Runs work without a time limit for statements, because the time to move records grows with their number. */
async function unhurried(run: RunSql, work: () => Promise<unknown>): Promise<void> {
  await run('set statement_timeout = 0');
  try {
    await work();
  } finally {
    await run('reset statement_timeout');
  }
}
