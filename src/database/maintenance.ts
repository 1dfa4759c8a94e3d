// Maintenance of tables: makes and drops partitions of the status log, deletes the logs of removed cameras, and vacuums the
// embedded database.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Driver, inTransaction } from './driver';
import { isDenied } from './failures';

/**
 * Does the steps of maintain_status_log one by one, so that requests run between them, and returns their reports.
 * @param retentionDays null keeps the status log forever
 * @param now the database's clock by default, because the clock of one gateway may be wrong
 */
export async function maintain(driver: Driver, retentionDays: number | null, now: Date | null = null) {
  // One message is one transaction, without other requests in it where all share one session. The time to check records
  // grows with their number, so it has no limit.
  const text = `set local statement_timeout = 0;
    select maintain_status_log(${retentionDays ?? 'null'}::int, ${now ? `'${now.toISOString()}'::timestamptz` : 'now()'}) as step`;
  return driver.withSession(async (run) => {
    const steps: string[] = [];
    for (;;) {
      const answered = run.begin ? inTransaction(run, () => run(text)) : run(text);
      const [answer] = await answered.catch(withAdvice);
      if (answer?.['step'] == null) return steps;
      steps.push(String(answer['step']));
      await nextTurn();
    }
  });
}

/** Deletes the rest of removed cameras and their logs, 10,000 records at a time; requests run between. */
export async function forgetRemovedCameras(driver: Driver): Promise<void> {
  await driver.withSession(async (run) => {
    while ((await run('select forget_removed_camera() as step'))[0]?.['step'] != null) await nextTurn();
  });
}

function withAdvice(cause: unknown): never {
  if (!isDenied(cause)) throw cause;
  throw new Error('Partitions of camera_status are made and dropped by its owner alone, which this role is not', {
    cause,
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
