// Decides which part of the log the health fields of a camera read and what that costs, and refuses a range with too many records.
import { BadInput } from '../../errors';
import { DAY_MS, HOUR_MS, subtractMs } from '../../values/instant';
import { clamp } from '../../values/page';
import type { RequestTime } from '../../values/request-time';
import type { Camera } from './camera.types';
import type { HealthStore, LogRange, LogSums } from './health.store';
import { MAX_LOG_RECORDS, ROWS_OF_LOG_DAY } from './health.store';
import type { CameraAvailability, CameraLiveness, CameraSample } from './health.types';

/** Without `from`, the log is read from this many hours before `to`. */
export const LOG_HOURS = 24;
/** The default number of steps of a series. */
export const SERIES_POINTS = 200;
export const MAX_SERIES_POINTS = 2000;

/** With a record every 30 seconds, a log reaches MAX_LOG_RECORDS in this many days, so a longer range costs no more. */
const MAX_LOG_DAYS = 87;

/**
 * The price of reading a range of a log, by the number of its days, rounded up.
 * @param from in milliseconds since 1970, like `to`
 */
export function calculateLogPrice(from: number | undefined, to = Date.now()): number {
  const start = from ?? to - LOG_HOURS * HOUR_MS;
  return ROWS_OF_LOG_DAY * clamp(Math.ceil((to - start) / DAY_MS), 1, MAX_LOG_DAYS);
}

type Bound = string | null | undefined;

export class HealthService {
  constructor(private readonly store: HealthStore) {}

  async liveness(cameraId: string, now: string): Promise<CameraLiveness> {
    // No row means that the camera was removed meanwhile.
    return (await this.store.liveness.load({ cameraId, now })) ?? 'NEVER_SEEN';
  }

  async series(
    cameraId: string,
    from: Bound,
    to: Bound,
    points: number | null | undefined,
    { now, deadline }: RequestTime,
  ): Promise<CameraSample[]> {
    const range = buildRange(cameraId, from, to, now);
    const wanted = clamp(points ?? SERIES_POINTS, 2, MAX_SERIES_POINTS);
    const stepMs = Math.max(1, Math.ceil((Date.parse(range.to) - Date.parse(range.from)) / wanted));
    return refuseTooLong(await this.store.series.load({ ...range, stepMs }, deadline)) ?? [];
  }

  /** Only the time from the registration of the camera until now counts. */
  async availability(camera: Camera, from: Bound, to: Bound, time: RequestTime): Promise<CameraAvailability> {
    const requested = buildRange(camera.id, from, to, time.now);
    const [, start] = [requested.from, camera.createdAt].sort() as [string, string];
    const [end] = [requested.to, time.now].sort() as [string, string];
    const range = { cameraId: camera.id, from: start, to: end };
    const found = start < end ? await this.store.availability.load(range, time.deadline) : null;
    return refuseTooLong(found) ?? { fraction: null, gaps: [] };
  }
}

function buildRange(cameraId: string, from: Bound, to: Bound, now: string): LogRange {
  const end = to ?? now;
  const start = from ?? subtractMs(end, LOG_HOURS * HOUR_MS);
  if (start > end) throw new BadInput('must not be after `to`, which is now if left out', 'from');
  return { cameraId, from: start, to: end };
}

function refuseTooLong<Figures>(found: LogSums<Figures> | null): Figures | undefined {
  if (found !== null && found.records > MAX_LOG_RECORDS) {
    throw new BadInput(`must be later: the range has more than ${MAX_LOG_RECORDS} records`, 'from');
  }
  return found?.figures;
}
