// The cameras of the example farm, and what they report: the same every time, with times relative to a given time.
import type { CameraStatusInput, RegisterCameraInput, UpdateCameraInput } from '../generated/operations';
import { MINUTE, printers } from './farm';

interface CameraPlan {
  id: string;
  name: string;
  /** Null for a camera on mains power. */
  battery: { fullAtMinutesAgo: number; pctPerHour: number } | null;
  resolution: string;
  fps: number;
  mode: string;
  /** Minutes since the camera went offline; undefined when it is online. */
  offlineFor?: number;
  /** Of one that is to record each print of its printer: the minutes ago between which it did not. */
  idle?: readonly [from: number, to: number];
}

/** The records of the day are ten minutes apart. */
const expectedIntervalSec = 900;

const mains = { battery: null, resolution: '1920x1080', fps: 30, mode: 'video' };
const onBattery = (fullAtMinutesAgo: number, pctPerHour: number) => ({
  battery: { fullAtMinutesAgo, pctPerHour },
  resolution: '2704x1520',
  fps: 29.97,
  mode: 'timelapse',
});

const TO_NOW = Number.NEGATIVE_INFINITY;

/** The jobs of bays 3 to 6 began 48, 255, 65 and 120 minutes ago. */
const cameraPlans: CameraPlan[] = [
  { id: 'bay-1-front', name: 'Bay 1, front', ...mains },
  { id: 'bay-2-front', name: 'Bay 2, front', ...mains },
  { id: 'bay-3-front', name: 'Bay 3, front', ...onBattery(300, 6.5), idle: [20, TO_NOW] },
  { id: 'bay-3-nozzle', name: 'Bay 3, nozzle', ...onBattery(540, 9.4), idle: [70, TO_NOW] },
  { id: 'bay-4-front', name: 'Bay 4, front', ...onBattery(120, 7), idle: [190, 150] },
  { id: 'bay-5-front', name: 'Bay 5, front', ...onBattery(700, 5), offlineFor: 185 },
  { id: 'bay-5-nozzle', name: 'Bay 5, nozzle', ...onBattery(420, 8) },
  // Its card is full 47 minutes before the job is over.
  { id: 'bay-6-front', name: 'Bay 6, front', ...mains, idle: [240, 140] },
  { id: 'door', name: 'Workshop door', ...mains, resolution: '1280x720', fps: 15 },
  { id: 'drying-cabinet', name: 'Drying cabinet', ...onBattery(60, 4) },
  { id: 'overview-north', name: 'Overview, north', ...mains, resolution: '3840x2160', fps: 25 },
  { id: 'overview-south', name: 'Overview, south', ...mains, resolution: '3840x2160', fps: 25, offlineFor: 35 },
];

export const cameras: RegisterCameraInput[] = cameraPlans.map(({ id, name }, index) => ({
  id,
  friendlyName: name,
  // Locally administered addresses belong to no manufacturer.
  macAddress: `02:50:46:00:00:${(index + 1).toString(16).padStart(2, '0')}`,
}));

/** The settings that a camera gets after its registration. It watches the printer of its bay. @param printerIds by the names of printers */
export function settingsOf(cameraId: string, printerIds: Map<string, string>): UpdateCameraInput {
  const bay = /^bay-(\d)/.exec(cameraId)?.[1];
  const printer = printers.find((name) => name.startsWith(`Bay ${bay} `)) ?? '';
  const recordsPrints = planOf(cameraId).idle !== undefined;
  return { expectedIntervalSec, printerId: printerIds.get(printer) ?? null, recordsPrints };
}

function planOf(cameraId: string): CameraPlan {
  const plan = cameraPlans.find(({ id }) => id === cameraId);
  if (plan === undefined) throw new Error(`The farm has no camera ${cameraId}.`);
  return plan;
}

/** One day of records of a camera, one every ten minutes, the newest at `now`. */
export function dayOf(cameraId: string, now: number): CameraStatusInput[] {
  const plan = planOf(cameraId);
  return Array.from({ length: 144 }, (_, index) => recordOf(plan, (143 - index) * 10, now));
}

/** What a camera reports one after the other while a print is filmed that is to have a gap. The gateway sets the times. */
export function pausedFilm(): CameraStatusInput[][] {
  const record = { ...recordOf(planOf('bay-2-front'), 0, 0), recordedAt: null };
  return [[{ ...record, recordingState: 'idle' }], [record]];
}

/**
 * What the cameras report `minutes` after the time that the farm was made for. The gateway sets the time.
 * @param others report by themselves
 */
export function reportsAfter(minutes: number, others: readonly string[]): CameraStatusInput[] {
  const plans = cameraPlans.filter(({ id }) => !others.includes(id));
  return plans.map((plan) => ({ ...recordOf(plan, -minutes, 0), recordedAt: null }));
}

function recordOf(plan: CameraPlan, minutesAgo: number, now: number): CameraStatusInput {
  const online = plan.offlineFor === undefined || minutesAgo > plan.offlineFor;
  const raw = plan.battery === null ? null : batteryPct(plan.battery, minutesAgo);
  // Cards are changed every eight hours, at a different time for each camera.
  const recordedHours = ((24 * 60 - minutesAgo + plan.id.length * 37) % 480) / 60;
  return {
    cameraId: plan.id,
    recordedAt: new Date(now - minutesAgo * MINUTE).toISOString(),
    online,
    batteryPct: raw === null ? null : Math.round(raw),
    rawBatteryPct: raw,
    videoRemainingSec: Math.round((8 - recordedHours) * 3600),
    recordingState: !online ? 'stopped' : isIdle(plan, minutesAgo) ? 'idle' : 'recording',
    mode: plan.mode,
    resolution: plan.resolution,
    fps: plan.fps,
  };
}

function isIdle({ idle }: CameraPlan, minutesAgo: number): boolean {
  if (idle === undefined) return minutesAgo % 120 >= 100;
  return minutesAgo <= idle[0] && minutesAgo > idle[1];
}

/** The battery falls from 100 % to 5 %, is charged to 100 %, and falls again. */
function batteryPct(
  { fullAtMinutesAgo, pctPerHour }: { fullAtMinutesAgo: number; pctPerHour: number },
  minutesAgo: number,
) {
  const cycle = (95 / pctPerHour) * 60;
  const sinceFull = (((fullAtMinutesAgo - minutesAgo) % cycle) + cycle) % cycle;
  return Math.round((100 - (sinceFull / 60) * pctPerHour) * 10) / 10;
}
