// The maintenance at the start and every hour: its steps in their order.
import { forgetRemovedCameras, maintainStatusLog } from './cameras/status-log.maintenance';
import type { ChangeStore } from './changes/change.store';
import type { Config } from './config';
import type { Database } from './database/database';
import type { Farm } from './farm';
import type { IdempotencyService } from './idempotency/idempotency.service';
import type { Log } from './observability/log';
import { setTimeout } from './values/timers';

interface Maintained {
  idempotency: Pick<IdempotencyService, 'forgetExpired'>;
  farm: Pick<Farm, 'foldCounts' | 'forgetOldPlans' | 'forgetOldNotifications'>;
  changes: Pick<ChangeStore, 'forgetOlderThan'>;
  database: Pick<Database, 'withSession' | 'vacuum'>;
  log: Log;
}

type Retention = Pick<Config, 'changesRetentionHours' | 'statusRetentionDays'>;

/**
 * After a failure the maintenance runs again in a minute, because another program may hold a lock. `first` is the run of
 * the start.
 */
export function maintainEveryHour(parts: Maintained, retention: Retention): { first: Promise<void>; stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const next = (minutes: number) => {
    if (!stopped) timer = setTimeout(() => run(false), minutes * 60_000).unref();
  };
  const run = (isStart: boolean) =>
    maintain(parts, retention, isStart).then(
      () => next(60),
      (error) => {
        parts.log.warn({ err: error }, 'the maintenance of the database failed: the next try is in a minute');
        next(1);
      },
    );
  return {
    first: run(true),
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

async function maintain(
  { idempotency, farm, changes, database, log }: Maintained,
  retention: Retention,
  isStart: boolean,
) {
  await idempotency.forgetExpired();
  await farm.foldCounts();
  await farm.forgetOldPlans();
  await farm.forgetOldNotifications();
  // Before the status log, which only the owner of the tables can maintain.
  await changes.forgetOlderThan(retention.changesRetentionHours);
  // The start does not wait for this: a million records take 20 s.
  if (!isStart) await forgetRemovedCameras(database);
  const steps = await maintainStatusLog(database, retention.statusRetentionDays);
  if (steps.length > 0) log.info({ steps }, 'the status log was maintained');
  // The first vacuum of a process takes 0.6 s.
  if (!isStart) await database.vacuum();
}
