// Decides which part of the log the health fields of a camera read, and refuses a range with too many records.
import { BadInput } from '../../errors';
import { HOUR_MS, subtractMs } from '../../values/instant';
import { clamp } from '../../values/page';
import type { RequestTime } from '../../values/request-time';
import type { Camera } from './camera.types';
import { LOG_HOURS, MAX_LOG_RECORDS, MAX_SERIES_POINTS, SERIES_POINTS } from './health.limits';
import type { HealthStore, LogRange, LogSums } from './health.store';
import type { CameraAvailability, CameraLiveness, CameraSample } from './health.types';

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
    const asked = buildRange(camera.id, from, to, time.now);
    const [, begin] = [asked.from, camera.createdAt].sort() as [string, string];
    const [until] = [asked.to, time.now].sort() as [string, string];
    const range = { cameraId: camera.id, from: begin, to: until };
    const found = begin < until ? await this.store.availability.load(range, time.deadline) : null;
    return refuseTooLong(found) ?? { fraction: null, gaps: [] };
  }
}

function buildRange(cameraId: string, from: Bound, to: Bound, now: string): LogRange {
  const end = to ?? now;
  const begin = from ?? subtractMs(end, LOG_HOURS * HOUR_MS);
  if (begin > end) throw new BadInput('must not be after `to`, which is now if left out', 'from');
  return { cameraId, from: begin, to: end };
}

function refuseTooLong<Figures>(found: LogSums<Figures> | null): Figures | undefined {
  if (found !== null && found.records > MAX_LOG_RECORDS) {
    throw new BadInput(`must be later: the range has more than ${MAX_LOG_RECORDS} records`, 'from');
  }
  return found?.figures;
}
