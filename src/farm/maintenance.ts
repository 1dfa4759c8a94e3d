// Runs the maintenance of the database at the start and every hour, and decides the order of its steps.
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
  farm: {
    foldCounts(): Promise<unknown>;
    forgetOldPlans(): Promise<void>;
    forgetOldNotifications(): Promise<void>;
    forgetOldImports(): Promise<void>;
    forgetOldReports(): Promise<void>;
  };
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
 * Runs the maintenance now and every hour. After a failure it runs again in a minute, because another program may hold a lock.
 * @returns `first` settles when the run at the start has ended
 */
export function maintainEveryHour(parts: MaintainedParts, settings: Settings): { first: Promise<void>; stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const next = (minutes: number) => {
    if (!stopped) timer = setTimeout(() => run(false), minutes * 60_000).unref();
  };
  const run = (isStart: boolean) =>
    maintain(parts, settings, isStart).then(
      // The run at the start deletes nothing of the status log, so with a retention the next run follows soon.
      () => next(isStart && settings.statusRetentionDays !== null ? 1 : 60),
      (error) => {
        parts.log.warn({ err: error }, 'The maintenance of the database failed. The gateway tries again in a minute.');
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
  await farm.forgetOldImports();
  await farm.forgetOldReports();
  // This comes before the status log, because maintaining the log fails for a role that does not own the tables.
  await changes.forgetOlderThan(settings.changesRetentionHours);
  // The start must not wait for this, because a million records take 20 s.
  if (!isStart) {
    await finalizeFilming(database, settings.recordingStates);
    await forgetRemovedCameras(database);
  }
  // Recordings become final before their log is deleted.
  const steps = await maintainStatusLog(database, settings.statusRetentionDays, null, !isStart);
  if (steps.length > 0) log.info({ steps }, 'The status log was maintained.');
  // The start does not wait for the first vacuum of a process, which takes 0.6 s.
  if (!isStart) await database.vacuum();
}
