// Regular maintenance: makes and drops partitions of the status log, and vacuums the embedded database.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Driver, RunSql } from './driver';

/**
 * Does the steps of maintain_status_log one by one, so that requests run between them, and returns what each did.
 * @param retentionDays null keeps the status log forever
 * @param now the database's clock by default, because the clock of one gateway may be wrong
 */
export function maintain(driver: Driver, retentionDays: number | null, now: Date | null = null): Promise<string[]> {
  return driver.withSession((run) =>
    unhurried(run, async () => {
      const steps: string[] = [];
      for (;;) {
        const [answer] = await run('select maintain_status_log($1::int, coalesce($2::timestamptz, now())) as step', [
          retentionDays,
          now?.toISOString() ?? null,
        ]);
        if (answer?.['step'] == null) return steps;
        steps.push(String(answer['step']));
        await nextTurn();
      }
    }),
  );
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

/** Runs work without a time limit for statements, because the time to check records grows with their number. */
async function unhurried<T>(run: RunSql, work: () => Promise<T>): Promise<T> {
  await run('set statement_timeout = 0');
  try {
    return await work();
  } finally {
    await run('reset statement_timeout');
  }
}
