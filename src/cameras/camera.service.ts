// The rules of the camera registry: the camera document's, in its order.
import type { Page, PageRange } from '../database/paging';
import type { CameraRow, CameraStatusRow, CameraWithHistory } from '../database/rows';
import { BadInput, NotFound } from '../errors';
import { NAME_LENGTH, nonEmptyText, textUpTo } from '../values/text';
import type { CameraFilter, CameraStatusInput, RegisterCameraInput, UpdateCameraInput } from './camera.inputs';
import type { CameraStore, HistoryRange } from './camera.store';

/** §8: "History window on the detail operation", 24 hours. */
export const HISTORY_WINDOW_MS = 24 * 60 * 60 * 1000;
/** §8: "Maximum history entries", 100, where no other number is asked for. */
export const HISTORY_ENTRIES = 100;
const MOST_HISTORY_ENTRIES = 1000;
const MOST_RECORDS = 1000;
const FRIENDLY_NAME_LENGTH = 1000;

/** What of a camera's log is asked for. */
export interface Stretch {
  from?: string | null;
  to?: string | null;
  first?: number | null;
}

export class CameraService {
  constructor(private readonly store: CameraStore) {}

  /**
   * §4: "Response 404 when the camera does not exist. Response 400 when id is empty."
   * @param history to be read with it: `history` answers that then
   */
  byId(id: string, history: Stretch | null, now: string): Promise<CameraWithHistory | null> {
    nonEmptyText(Number.MAX_SAFE_INTEGER, id, 'id');
    return history ? this.store.withHistory.load(rangeOf(id, history, now)) : this.store.byId.load(id);
  }

  async page(filter: CameraFilter, range: PageRange): Promise<Page<CameraRow>> {
    textUpTo(FRIENDLY_NAME_LENGTH, filter.search ?? '', 'search');
    inRange(filter.batteryAtMost, 'batteryAtMost');
    return this.store.page(filter, range);
  }

  /** "recorded within the last 24 hours, newest first, at most 100 entries", unless another stretch is asked for. */
  async history(camera: CameraWithHistory, stretch: Stretch, now: string): Promise<CameraStatusRow[]> {
    return camera.history ?? (await this.store.history.load(rangeOf(camera.id, stretch, now))) ?? [];
  }

  countByState() {
    return this.store.countByState();
  }

  /** POST /cameras rules 2 and 3; the database decides who was first. */
  async register(input: RegisterCameraInput, now: string): Promise<CameraRow> {
    nonEmptyText(NAME_LENGTH, input.id, 'id');
    nonEmptyText(FRIENDLY_NAME_LENGTH, input.friendlyName, 'friendlyName');
    textUpTo(NAME_LENGTH, input.macAddress ?? '', 'macAddress');
    await this.store.register(input, now);
    return this.existing(input.id);
  }

  async update(id: string, input: UpdateCameraInput, now: string): Promise<CameraRow> {
    if (input.friendlyName != null) nonEmptyText(FRIENDLY_NAME_LENGTH, input.friendlyName, 'friendlyName');
    textUpTo(NAME_LENGTH, input.macAddress ?? '', 'macAddress');
    if (!(await this.store.update(id, input, now))) throw unknownCamera([id]);
    return this.existing(id);
  }

  async record(records: CameraStatusInput[], now: string): Promise<CameraStatusRow[]> {
    if (records.length > MOST_RECORDS) throw new BadInput(`must have at most ${MOST_RECORDS} records`, 'input');
    for (const record of records) checkRecord(record);
    const outcome = await this.store.record({ records, now });
    if ('unknown' in outcome) throw unknownCamera(outcome.unknown);
    return outcome.stored;
  }

  private async existing(id: string): Promise<CameraRow> {
    const camera = await this.store.byId.load(id);
    if (camera === null) throw unknownCamera([id]);
    return camera;
  }
}

function rangeOf(cameraId: string, { from, to, first }: Stretch, now: string): HistoryRange {
  return {
    cameraId,
    from: from ?? new Date(Date.parse(now) - HISTORY_WINDOW_MS).toISOString(),
    to: to ?? null,
    first: Math.min(Math.max(first ?? HISTORY_ENTRIES, 1), MOST_HISTORY_ENTRIES),
  };
}

function unknownCamera(ids: string[]): NotFound {
  return new NotFound(`There is no camera ${ids.join(', ')}`);
}

function checkRecord(record: CameraStatusInput): void {
  nonEmptyText(NAME_LENGTH, record.cameraId, 'cameraId');
  inRange(record.batteryPct, 'batteryPct', 0, 100);
  inRange(record.videoRemainingSec, 'videoRemainingSec', 0);
  inRange(record.fps, 'fps', 0);
  inRange(record.rawBatteryPct, 'rawBatteryPct');
  for (const member of ['recordingState', 'mode', 'resolution'] as const) {
    textUpTo(NAME_LENGTH, record[member] ?? '', member);
  }
}

const GREATEST = Number.MAX_VALUE;

/** Without bounds it is still no infinity, which is what GraphQL makes of a literal such as 1e400. */
function inRange(value: number | null | undefined, member: string, least = -GREATEST, most = GREATEST): void {
  if (value == null || (value >= least && value <= most)) return;
  if (most < GREATEST) throw new BadInput(`must be from ${least} to ${most}`, member);
  throw new BadInput(least === -GREATEST || value > most ? 'must be finite' : `must be ${least} or more`, member);
}
