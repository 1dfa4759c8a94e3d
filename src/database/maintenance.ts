// What the database needs from time to time: partitions of the status log made ahead and dropped, keys forgotten.
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

/** Runs it without the limit on how long a statement may take: moving records takes as long as there are records. */
async function unhurried(run: RunSql, work: () => Promise<unknown>): Promise<void> {
  await run('set statement_timeout = 0');
  try {
    await work();
  } finally {
    await run('reset statement_timeout');
  }
}
