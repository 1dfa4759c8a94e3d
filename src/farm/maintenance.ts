// The maintenance at the start and every hour: its steps in their order.
import type { Database } from '../database/database';
import type { Queryable } from '../database/queryable';
import type { Log } from '../observability/log';
import { setTimeout } from '../values/timers';
import { forgetRemovedCameras, maintainStatusLog } from './cameras/status-log.maintenance';
import type { ChangeStore } from './changes/change.store';
import { finalizeFilming } from './filming/filming.maintenance';

interface MaintainedParts {
  /** The stored answers of requests with an Idempotency-Key. */
  idempotency: { forgetExpired(): Promise<void> };
  farm: { foldCounts(): Promise<unknown>; forgetOldPlans(): Promise<void>; forgetOldNotifications(): Promise<void> };
  changes: Pick<ChangeStore, 'forgetOlderThan'>;
  database: Queryable & Pick<Database, 'withSession' | 'vacuum'>;
  log: Log;
}

interface Settings {
  changesRetentionHours: number;
  statusRetentionDays: number | null;
  recordingStates: string[];
}

/**
 * After a failure the maintenance runs again in a minute, because another program may hold a lock. `first` is the run of
 * the start.
 */
export function maintainEveryHour(parts: MaintainedParts, settings: Settings): { first: Promise<void>; stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const next = (minutes: number) => {
    if (!stopped) timer = setTimeout(() => run(false), minutes * 60_000).unref();
  };
  const run = (isStart: boolean) =>
    maintain(parts, settings, isStart).then(
      // The start deletes nothing of the log yet.
      () => next(isStart && settings.statusRetentionDays !== null ? 1 : 60),
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
  { idempotency, farm, changes, database, log }: MaintainedParts,
  settings: Settings,
  isStart: boolean,
) {
  await idempotency.forgetExpired();
  await farm.foldCounts();
  await farm.forgetOldPlans();
  await farm.forgetOldNotifications();
  // Before the status log, which only the owner of the tables can maintain.
  await changes.forgetOlderThan(settings.changesRetentionHours);
  // The start does not wait for this: a million records take 20 s.
  if (!isStart) {
    await finalizeFilming(database, settings.recordingStates);
    await forgetRemovedCameras(database);
  }
  // What is deleted of the log is made to filming first.
  const steps = await maintainStatusLog(database, settings.statusRetentionDays, null, !isStart);
  if (steps.length > 0) log.info({ steps }, 'the status log was maintained');
  // The first vacuum of a process takes 0.6 s.
  if (!isStart) await database.vacuum();
}
