// Holds the cameras of the example farm and what they report. It is the same every time, with times relative to a given time.
import type { CameraStatusInput, RegisterCameraInput, UpdateCameraInput } from '../generated/operations';
import { MINUTE, printers } from './example-inventory';

interface CameraRow {
  id: string;
  name: string;
  picture: { resolution: string; fps: number; mode: string };
  /** Missing for a camera with a power supply. */
  battery?: [fullAtMinutesAgo: number, pctPerHour: number];
  /** Minutes since the camera went offline. */
  offlineFor?: number;
  /** The time, in minutes ago, in which a camera that should record each print did not record. */
  idle?: [from: number, to: number];
}

/** The records of the day are ten minutes apart. */
const expectedIntervalSec = 900;

const WEBCAM = { resolution: '1920x1080', fps: 30, mode: 'video' };
const ACTION = { resolution: '2704x1520', fps: 29.97, mode: 'timelapse' };
const DOOR = { resolution: '1280x720', fps: 15, mode: 'video' };
/** The camera whose alert is silenced. */
export const IN_REPAIR = 'overview-south';

const OVERVIEW = { resolution: '3840x2160', fps: 25, mode: 'video' };

const TO_NOW = Number.NEGATIVE_INFINITY;

/** The jobs of bays 3 and 6 started 48 and 120 minutes ago. */
const rows: CameraRow[] = [
  { id: 'bay-1-front', name: 'Bay 1, front', picture: WEBCAM },
  { id: 'bay-2-front', name: 'Bay 2, front', picture: WEBCAM },
  { id: 'bay-3-front', name: 'Bay 3, front', picture: ACTION, battery: [300, 6.5], idle: [20, TO_NOW] },
  { id: 'bay-3-nozzle', name: 'Bay 3, nozzle', picture: ACTION, battery: [540, 9.4], idle: [70, TO_NOW] },
  { id: 'bay-4-front', name: 'Bay 4, front', picture: ACTION, battery: [120, 7] },
  { id: 'bay-5-front', name: 'Bay 5, front', picture: ACTION, battery: [700, 5], offlineFor: 185 },
  { id: 'bay-5-nozzle', name: 'Bay 5, nozzle', picture: ACTION, battery: [420, 8] },
  // The card of this camera is full 47 minutes before the job ends.
  { id: 'bay-6-front', name: 'Bay 6, front', picture: WEBCAM, idle: [240, 140] },
  { id: 'door', name: 'Workshop door', picture: DOOR },
  { id: 'drying-cabinet', name: 'Drying cabinet', picture: ACTION, battery: [60, 4] },
  { id: 'overview-north', name: 'Overview, north', picture: OVERVIEW },
  { id: IN_REPAIR, name: 'Overview, south', picture: OVERVIEW, offlineFor: 35 },
];

export const cameras: RegisterCameraInput[] = rows.map(({ id, name }, index) => ({
  id,
  friendlyName: name,
  // These addresses are locally administered, so they belong to no manufacturer.
  macAddress: `02:50:46:00:00:${(index + 1).toString(16).padStart(2, '0')}`,
}));

/**
 * The settings that a camera gets after its registration. It watches the printer in its bay.
 * @param printerIds the ids of printers by their names
 */
export function makeSettings(cameraId: string, printerIds: Map<string, string>): UpdateCameraInput {
  const bay = /^bay-(\d)/.exec(cameraId)?.[1];
  const printer = printers.find((name) => name.startsWith(`Bay ${bay} `)) ?? '';
  const recordsPrints = findRow(cameraId).idle !== undefined;
  return { expectedIntervalSec, printerId: printerIds.get(printer) ?? null, recordsPrints };
}

function findRow(cameraId: string): CameraRow {
  const row = rows.find(({ id }) => id === cameraId);
  if (row === undefined) throw new Error(`The farm has no camera ${cameraId}.`);
  return row;
}

/** Makes the records of a camera for one day, a record every ten minutes. The newest record is at `now`. */
export function makeDayOfRecords(cameraId: string, now: number): CameraStatusInput[] {
  const row = findRow(cameraId);
  return Array.from({ length: 144 }, (_, index) => makeRecord(row, (143 - index) * 10, now));
}

/** The reports of a camera during a print whose recording should have a gap, in their order. The gateway sets the times. */
export function makePausedRecording(): CameraStatusInput[][] {
  const record = { ...makeRecord(findRow('bay-2-front'), 0, 0), recordedAt: null };
  return [[{ ...record, recordingState: 'idle' }], [record]];
}

/**
 * The reports of the cameras `minutes` after the farm was made. The gateway sets the time.
 * @param others the cameras that the gateway polls itself
 */
export function makeReports(minutes: number, others: readonly string[]): CameraStatusInput[] {
  const reporting = rows.filter(({ id }) => !others.includes(id));
  return reporting.map((row) => ({ ...makeRecord(row, -minutes, 0), recordedAt: null }));
}

function makeRecord(row: CameraRow, minutesAgo: number, now: number): CameraStatusInput {
  const online = row.offlineFor === undefined || minutesAgo > row.offlineFor;
  const raw = row.battery === undefined ? null : batteryPct(row.battery, minutesAgo);
  // The cards are changed every eight hours, at a different time for each camera.
  const recordedHours = ((24 * 60 - minutesAgo + row.id.length * 37) % 480) / 60;
  return {
    cameraId: row.id,
    recordedAt: new Date(now - minutesAgo * MINUTE).toISOString(),
    online,
    batteryPct: raw === null ? null : Math.round(raw),
    rawBatteryPct: raw,
    videoRemainingSec: Math.round((8 - recordedHours) * 3600),
    recordingState: !online ? 'stopped' : isIdle(row, minutesAgo) ? 'idle' : 'recording',
    mode: row.picture.mode,
    resolution: row.picture.resolution,
    fps: row.picture.fps,
  };
}

function isIdle({ idle }: CameraRow, minutesAgo: number): boolean {
  if (idle === undefined) return minutesAgo % 120 >= 100;
  return minutesAgo <= idle[0] && minutesAgo > idle[1];
}

/** The battery falls from 100 % to 5 %, is charged to 100 %, and falls again. */
function batteryPct([fullAtMinutesAgo, pctPerHour]: [number, number], minutesAgo: number): number {
  const cycle = (95 / pctPerHour) * 60;
  const sinceFull = (((fullAtMinutesAgo - minutesAgo) % cycle) + cycle) % cycle;
  return Math.round((100 - (sinceFull / 60) * pctPerHour) * 10) / 10;
}
