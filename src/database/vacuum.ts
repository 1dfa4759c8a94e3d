// Vacuums the built-in database, which has no autovacuum.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Driver } from './driver/driver';

/**
 * Without a vacuum, the space of deleted rows would never be used again, and after two billion transactions PostgreSQL would
 * refuse to write. A table is analyzed when autovacuum would analyze it. If little has changed, the vacuum takes 0.1 s. Requests
 * run between the vacuums of two tables.
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
