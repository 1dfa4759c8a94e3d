// Maintenance of the status log: makes and drops its partitions, and deletes the logs of removed cameras.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Driver, inTransaction } from '../../database/driver/driver';
import { isDenied } from '../../database/failures';

type Sessions = Pick<Driver, 'withSession'>;

/**
 * Does the steps of maintain_status_log one by one, so that requests run between them, and returns their reports.
 * @param retentionDays null keeps the status log forever
 * @param now the database's clock by default, because the clock of one gateway may be wrong
 * @param deletes whether records that are older than the retention are deleted now
 */
export async function maintainStatusLog(
  database: Sessions,
  retentionDays: number | null,
  now: Date | null = null,
  deletes = true,
): Promise<string[]> {
  // One message is one transaction, without other requests in it where all share one session. The time to check records
  // grows with their number, so it has no limit.
  const text = `set local statement_timeout = 0;
    select maintain_status_log(${retentionDays ?? 'null'}::int, ${now ? `'${now.toISOString()}'::timestamptz` : 'now()'}, ${deletes}) as step`;
  return database.withSession(async (run) => {
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
export async function forgetRemovedCameras(database: Sessions): Promise<void> {
  await database.withSession(async (run) => {
    while ((await run('select forget_removed_camera() as step'))[0]?.['step'] != null) await nextTurn();
  });
}

function withAdvice(cause: unknown): never {
  if (!isDenied(cause)) throw cause;
  throw new Error('Partitions of camera_status are made and dropped by its owner alone, which this role is not', {
    cause,
  });
}
