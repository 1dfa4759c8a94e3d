// The rules of the camera document, in its order.
import { BadInput, NotFound } from '../errors';
import { HOUR_MS } from '../values/instant';
import { clamp, type Page, type PageRange } from '../values/page';
import { nonEmptyText, textUpTo } from '../values/text';
import type { CameraFilter, CameraStatusInput, RegisterCameraInput, UpdateCameraInput } from './camera.inputs';
import {
  CAMERA_RANGES,
  HISTORY_ENTRIES,
  HISTORY_HOURS,
  MAX_FRIENDLY_NAME_LENGTH,
  MAX_HISTORY_ENTRIES,
  MAX_HOURS_AHEAD,
  MAX_RECORDS,
  MAX_TEXT_LENGTH,
} from './camera.limits';
import type { CameraStore } from './camera.store';
import type { Camera, CameraStatus } from './camera.types';
import { type HistoryRange, type StatusLogStore, tooFarAhead } from './status-log.store';

export interface Stretch {
  from?: string | null;
  to?: string | null;
  first?: number | null;
}

export class CameraService {
  constructor(
    private readonly store: CameraStore,
    private readonly log: StatusLogStore,
  ) {}

  /** §4: "Response 404 when the camera does not exist. Response 400 when id is empty." */
  async byId(id: string): Promise<Camera | null> {
    return this.store.byId.load(nonEmptyText(Number.MAX_SAFE_INTEGER, id, 'id'));
  }

  async page(filter: CameraFilter, range: PageRange): Promise<Page<Camera>> {
    textUpTo(MAX_FRIENDLY_NAME_LENGTH, filter.search ?? '', 'search');
    inRange(filter.batteryAtMost, 'batteryAtMost');
    return this.store.page(filter, range);
  }

  /** The default is "recorded within the last 24 hours, newest first, at most 100 entries". */
  async history(cameraId: string, stretch: Stretch, now: string): Promise<CameraStatus[]> {
    return (await this.log.history.load(rangeOf(cameraId, stretch, now))) ?? [];
  }

  countByState() {
    return this.store.countByState();
  }

  /** POST /cameras rules 2 and 3; the database decides which of two equal requests is first. */
  async register(input: RegisterCameraInput, now: string): Promise<Camera> {
    nonEmptyText(MAX_TEXT_LENGTH, input.id, 'id');
    nonEmptyText(MAX_FRIENDLY_NAME_LENGTH, input.friendlyName, 'friendlyName');
    textUpTo(MAX_TEXT_LENGTH, input.macAddress ?? '', 'macAddress');
    await this.store.register(input, now);
    return this.existing(input.id);
  }

  async update(id: string, input: UpdateCameraInput, now: string): Promise<Camera> {
    if (input.friendlyName != null) nonEmptyText(MAX_FRIENDLY_NAME_LENGTH, input.friendlyName, 'friendlyName');
    textUpTo(MAX_TEXT_LENGTH, input.macAddress ?? '', 'macAddress');
    if (!(await this.store.update(id, input, now))) throw unknownCamera([id]);
    return this.existing(id);
  }

  async record(records: CameraStatusInput[], now: string): Promise<CameraStatus[]> {
    if (records.length > MAX_RECORDS) throw new BadInput(`must have at most ${MAX_RECORDS} records`, 'input');
    const latest = new Date(Date.parse(now) + MAX_HOURS_AHEAD * HOUR_MS).toISOString();
    for (const record of records) checkRecord(record, latest);
    const outcome = await this.log.record({ records, now });
    if ('unknown' in outcome) throw unknownCamera(outcome.unknown);
    return outcome.stored;
  }

  private async existing(id: string): Promise<Camera> {
    const camera = await this.store.byId.load(id);
    if (camera === null) throw unknownCamera([id]);
    return camera;
  }
}

function rangeOf(cameraId: string, { from, to, first }: Stretch, now: string): HistoryRange {
  return {
    cameraId,
    from: from ?? new Date(Date.parse(now) - HISTORY_HOURS * HOUR_MS).toISOString(),
    to: to ?? null,
    first: clamp(first ?? HISTORY_ENTRIES, 1, MAX_HISTORY_ENTRIES),
  };
}

function unknownCamera(ids: string[]): NotFound {
  return new NotFound(`There is no camera ${ids.join(', ')}`);
}

function checkRecord(record: CameraStatusInput, latest: string): void {
  nonEmptyText(MAX_TEXT_LENGTH, record.cameraId, 'cameraId');
  if (record.recordedAt != null && record.recordedAt > latest) throw tooFarAhead();
  inRange(record.batteryPct, 'batteryPct', CAMERA_RANGES.batteryPct);
  inRange(record.videoRemainingSec, 'videoRemainingSec', CAMERA_RANGES.videoRemainingSec);
  inRange(record.fps, 'fps', CAMERA_RANGES.fps);
  inRange(record.rawBatteryPct, 'rawBatteryPct');
  for (const member of ['recordingState', 'mode', 'resolution'] as const) {
    textUpTo(MAX_TEXT_LENGTH, record[member] ?? '', member);
  }
}

/** GraphQL reads a literal such as 1e400 as infinity, so a value without bounds must still be finite. */
function inRange(value: number | null | undefined, member: string, range: { minimum?: number; maximum?: number } = {}) {
  const { minimum: min = -Number.MAX_VALUE, maximum: max = Number.MAX_VALUE } = range;
  if (value == null || (value >= min && value <= max)) return;
  if (max < Number.MAX_VALUE) throw new BadInput(`must be from ${min} to ${max}`, member);
  throw new BadInput(min === -Number.MAX_VALUE || value > max ? 'must be finite' : `must be ${min} or more`, member);
}
