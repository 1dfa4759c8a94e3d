// Decides which cameras and status records are accepted, with the checks in the order of the camera document, and how a camera is removed.
import { BadInput, connectionMustGoFirst, NotFound, orNotFound } from '../../errors';
import { parseGuid } from '../../values/guid';
import { HOUR_MS, subtractMs } from '../../values/instant';
import {
  checkEach,
  emptyAsNull,
  nullable,
  optional,
  type Reader,
  readBoolean,
  readMembers,
  type Unread,
} from '../../values/members';
import { clamp, MAX_INPUT_ITEMS, type Page, type PageRange } from '../../values/page';
import { isPastDeadline, type RequestTime } from '../../values/request-time';
import { nonEmptyText, textUpTo } from '../../values/text';
import type { CameraFilter, CameraStatusInput, RegisterCameraInput, UpdateCameraInput } from './camera.inputs';
import { CAMERA_RANGES, MAX_FRIENDLY_NAME_LENGTH, MAX_HOURS_AHEAD, MAX_TEXT_LENGTH } from './camera.limits';
import type { CameraStore } from './camera.store';
import type { Camera, CameraStatus } from './camera.types';
import type { CameraLiveness } from './health.types';
import { createTooFarAheadError, type HistoryRange, type StatusLogStore } from './status-log.store';

/** §8: "History window on the detail operation". */
export const HISTORY_HOURS = 24;
/** §8: "Maximum history entries", 100; the default of the graph's `first`. */
export const HISTORY_ENTRIES = 100;
export const MAX_HISTORY_ENTRIES = 1000;
/** The most records of one call of recordCameraStatuses. */
export const MAX_STATUS_RECORDS = MAX_INPUT_ITEMS;

interface HistoryArguments {
  from?: string | null;
  to?: string | null;
  first?: number | null;
}

/** One step deletes up to 10,000 records in about 0.1 s. A request has 4.5 s by default (REQUEST_TIMEOUT_MS). */
const MAX_STEPS_OF_REMOVAL = 5;

const readKey = nonEmptyText(MAX_TEXT_LENGTH);
const readFriendlyName = nonEmptyText(MAX_FRIENDLY_NAME_LENGTH);
const readText = nullable(textUpTo(MAX_TEXT_LENGTH));

const readMacAddress = emptyAsNull(textUpTo(MAX_TEXT_LENGTH));

const readRecordsPrints = optional(readBoolean);

const readNewCamera = readMembers({
  id: readKey,
  friendlyName: readFriendlyName,
  macAddress: readMacAddress,
  printerId: nullable(parseGuid),
  recordsPrints: readRecordsPrints,
});
const readCameraChanges = readMembers({
  friendlyName: optional(readFriendlyName),
  macAddress: readMacAddress,
  expectedIntervalSec: nullable(readInRange(CAMERA_RANGES.expectedIntervalSec)),
  printerId: nullable(parseGuid),
  recordsPrints: readRecordsPrints,
});
const checkFilter = readMembers({
  search: nullable(textUpTo(MAX_FRIENDLY_NAME_LENGTH)),
  batteryAtMost: nullable(readInRange()),
});
const RECORD_READERS = {
  cameraId: readKey,
  batteryPct: nullable(readInRange(CAMERA_RANGES.batteryPct)),
  videoRemainingSec: nullable(readInRange(CAMERA_RANGES.videoRemainingSec)),
  recordingState: readText,
  mode: readText,
  resolution: readText,
  fps: nullable(readInRange(CAMERA_RANGES.fps)),
  rawBatteryPct: nullable(readInRange()),
};
const createRecordReader = (latest: string) =>
  readMembers({
    ...RECORD_READERS,
    recordedAt: nullable((value, member) => {
      if ((value as string) > latest) throw createTooFarAheadError(member);
      return value;
    }),
  });

export class CameraService {
  constructor(
    private readonly store: CameraStore,
    private readonly log: StatusLogStore,
  ) {}

  /** §4: "Response 404 when the camera does not exist. Response 400 when id is empty." */
  async byId(id: string): Promise<Camera | null> {
    if (id === '') throw new BadInput('must not be empty', 'id');
    return this.store.byId.load(id);
  }

  async readPage(filter: CameraFilter, range: PageRange): Promise<Page<Camera>> {
    checkFilter(filter, 'filter');
    return this.store.readPage(filter, range);
  }

  /** The default is "recorded within the last 24 hours, newest first, at most 100 entries". */
  async history(cameraId: string, given: HistoryArguments, { now, deadline }: RequestTime): Promise<CameraStatus[]> {
    return (await this.log.history.load(buildRange(cameraId, given, now), deadline)) ?? [];
  }

  /** The number of cameras with each liveness. */
  async countByLiveness(now: string): Promise<Record<CameraLiveness, number>> {
    return { LIVE: 0, SILENT: 0, OFFLINE: 0, NEVER_SEEN: 0, ...(await this.store.countByLiveness(now)) };
  }

  /** Rules 2 and 3 of POST /cameras. A unique index decides which of two equal requests gets CONFLICT. */
  async register(input: Unread<RegisterCameraInput>, now: string): Promise<Camera> {
    const camera = readNewCamera(input, 'input');
    await this.store.register(camera, now);
    return this.findExisting(camera.id);
  }

  async update(id: string, input: UpdateCameraInput, now: string): Promise<Camera> {
    if (!(await this.store.update(id, readCameraChanges(input, 'input'), now))) throw new NotFound('camera', [id]);
    return this.findExisting(id);
  }

  /**
   * Removes the camera and the first records of its log. The maintenance deletes the other records of a long log.
   * @param withDevice whether the caller may also remove the device of the camera
   */
  async remove(id: string, withDevice: boolean, time: RequestTime): Promise<string> {
    if (!(await this.store.remove(id, withDevice, time.now))) {
      await this.findExisting(id);
      throw connectionMustGoFirst('camera');
    }
    for (let steps = 0; steps < MAX_STEPS_OF_REMOVAL && !isPastDeadline(time); steps += 1) {
      if (!(await this.store.forgetRemoved(id))) break;
    }
    return id;
  }

  async record(records: CameraStatusInput[], time: RequestTime): Promise<CameraStatus[]> {
    if (records.length > MAX_STATUS_RECORDS)
      throw new BadInput(`must have at most ${MAX_STATUS_RECORDS} records`, 'input');
    const check = createRecordReader(new Date(Date.parse(time.now) + MAX_HOURS_AHEAD * HOUR_MS).toISOString());
    checkEach(records, ['input'], (record, index) => check(record, index));
    const outcome = await this.log.record(records, time);
    if ('unknown' in outcome) throw new NotFound('camera', outcome.unknown);
    return outcome.stored;
  }

  /** Throws NOT_FOUND if there is no such camera. */
  async findExisting(id: string): Promise<Camera> {
    return orNotFound(await this.store.byId.load(id), 'camera', id);
  }
}

function buildRange(cameraId: string, { from, to, first }: HistoryArguments, now: string): HistoryRange {
  return {
    cameraId,
    from: from ?? subtractMs(now, HISTORY_HOURS * HOUR_MS),
    to: to ?? null,
    first: clamp(first ?? HISTORY_ENTRIES, 1, MAX_HISTORY_ENTRIES),
  };
}

/** A value without limits must still be finite, because GraphQL reads a literal such as 1e400 as infinity. */
function readInRange({
  minimum: min = -Number.MAX_VALUE,
  maximum: max = Number.MAX_VALUE,
}: {
  minimum?: number;
  maximum?: number;
} = {}): Reader<number> {
  return (value, member) => {
    const number = value as number;
    if (number >= min && number <= max) return number;
    if (max < Number.MAX_VALUE) throw new BadInput(`must be from ${min} to ${max}`, member);
    throw new BadInput(min === -Number.MAX_VALUE || number > max ? 'must be finite' : `must be ${min} or more`, member);
  };
}
