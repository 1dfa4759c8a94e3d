// Maintains the status log: creates and drops its partitions, and deletes the logs of removed cameras.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Driver, inTransaction } from '../../database/driver/driver';
import { isDenied } from '../../database/failures';

type Sessions = Pick<Driver, 'withSession'>;

/**
 * Runs the steps of maintain_status_log one by one, so that requests run between them, and returns what each step did.
 * @param retentionDays `null` to keep the status log forever
 * @param now `null` for the clock of the database, because the clock of one gateway may be wrong
 * @param deletes whether this run deletes records that are older than the retention
 */
export async function maintainStatusLog(
  database: Sessions,
  retentionDays: number | null,
  now: Date | null = null,
  deletes = true,
): Promise<string[]> {
  // One message is one transaction, so no statement of a request gets into it, even if all share one session. A step has no time limit, because
  // its time grows with the number of records.
  const text = `set local statement_timeout = 0;
    select maintain_status_log(${retentionDays ?? 'null'}::int, ${now ? `'${now.toISOString()}'::timestamptz` : 'now()'}, ${deletes}) as step`;
  return database.withSession(async (run) => {
    const steps: string[] = [];
    for (;;) {
      const answered = run.begin ? inTransaction(run, () => run(text)) : run(text);
      const [answer] = await answered.catch(throwWithAdvice);
      if (answer?.['step'] == null) return steps;
      steps.push(String(answer['step']));
      await nextTurn();
    }
  });
}

/** Deletes the remaining logs of removed cameras, 10,000 records at a time, so that requests run in between. */
export async function forgetRemovedCameras(database: Sessions): Promise<void> {
  await database.withSession(async (run) => {
    while ((await run('select forget_removed_camera() as step'))[0]?.['step'] != null) await nextTurn();
  });
}

function throwWithAdvice(cause: unknown): never {
  if (!isDenied(cause)) throw cause;
  throw new Error(
    'Only the owner of camera_status can create and drop its partitions. Run the gateway with the role that owns the table',
    {
      cause,
    },
  );
}
