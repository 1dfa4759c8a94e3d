// Reads the state of a GoPro, member by member. In the published lists of the HERO4 to HERO13 every id has only one meaning.
import { exactDigits } from '../../values/decimal';
import type { Instant } from '../../values/instant';
import type { CameraReading } from '../machine-adapter';
import { memberAt, readWhole } from '../message-values';

/** The paths of the state: of cameras with Open GoPro, and of the HERO4 to HERO8. */
export const STATE_PATHS: readonly string[] = ['/gopro/camera/state', '/gp/gpControl/status'];

/** Setting 2, with the names that the camera shows. Ids up to 13 exist since the HERO4, id 17 is of the HERO5, and ids from 18 on come from Open GoPro. */
export const RESOLUTIONS: Readonly<Record<number, string>> = {
  1: '4K',
  2: '4K SuperView',
  4: '2.7K',
  5: '2.7K SuperView',
  6: '2.7K 4:3',
  7: '1440',
  8: '1080 SuperView',
  9: '1080',
  10: '960',
  11: '720 SuperView',
  12: '720',
  13: 'WVGA',
  17: '480',
  18: '4K 4:3',
  24: '5K',
  25: '5K 4:3',
  26: '5.3K 8:7',
  27: '5.3K 4:3',
  28: '4K 8:7',
  35: '5.3K 21:9',
  36: '4K 21:9',
  37: '4K 1:1',
  38: '900',
  100: '5.3K',
  // Since the HERO12 some resolutions have a second id.
  107: '5.3K 8:7',
  108: '4K 8:7',
  109: '4K 9:16',
  110: '1080 9:16',
  111: '2.7K 4:3',
  112: '4K 4:3',
  113: '5.3K 4:3',
};

/** Settings 3 and 234: frames per second. */
export const FRAME_RATES: Readonly<Record<number, number>> = {
  0: 240,
  1: 120,
  2: 100,
  3: 90,
  4: 80,
  5: 60,
  6: 50,
  7: 48,
  8: 30,
  9: 25,
  10: 24,
  11: 15,
  12: 12.5,
  13: 200,
  15: 400,
  16: 360,
  17: 300,
};

/** Status 96: the group of presets. */
const PRESET_GROUPS: Readonly<Record<number, string>> = { 1000: 'video', 1001: 'photo', 1002: 'timelapse' };

/** Status 89: the mode itself, mapped to its group. */
export const FLAT_MODES: Readonly<Record<number, string>> = {
  12: 'video',
  15: 'looping',
  22: 'video',
  23: 'video',
  27: 'video',
  32: 'video',
  16: 'photo',
  17: 'photo',
  18: 'photo',
  19: 'photo',
  25: 'photo',
  13: 'timelapse',
  20: 'timelapse',
  21: 'timelapse',
  24: 'timelapse',
  26: 'timelapse',
  29: 'timelapse',
  30: 'timelapse',
  31: 'timelapse',
};

/** Statuses 43 and 44 of the HERO4 to HERO7: mode, then submode. In its video mode, 1 is a time lapse, 3 a loop and 4 a time warp. */
const OLD_MODES: Readonly<Record<number, Readonly<Record<number, string>>>> = {
  0: { 0: 'video', 1: 'timelapse', 2: 'video', 3: 'looping', 4: 'timelapse' },
  1: { 0: 'photo', 1: 'photo', 2: 'photo' },
  2: { 0: 'photo', 1: 'timelapse', 2: 'timelapse' },
};

/** Status 10: whether it records. */
const RECORDING_STATES: Readonly<Record<number, string>> = { 0: 'idle', 1: 'recording' };

/** The largest integer in the database. No card has more seconds. */
const MAX_SECONDS = 2 ** 31 - 1;
const MAX_ID = 10_000;

export function readCameraStatus(body: unknown, now: Instant): CameraReading {
  const status = (id: number) => readNumber(memberAt(body, 'status', String(id)));
  const setting = (id: number) => readNumber(memberAt(body, 'settings', String(id)));
  const hasBattery = status(1) !== 0;
  const percent = status(70);
  const flatMode = lookUp(FLAT_MODES, status(89));
  return {
    kind: 'STATUS',
    at: now,
    batteryPct: hasBattery && percent !== null && percent >= 0 && percent <= 100 ? percent : null,
    videoRemainingSec: readWhole(status(35), MAX_SECONDS),
    recordingState: lookUp(RECORDING_STATES, status(10)),
    // The group of a looping mode is video, so the mode itself is used.
    mode:
      (flatMode === 'looping' ? flatMode : lookUp(PRESET_GROUPS, status(96))) ??
      flatMode ??
      lookUp(lookUp(OLD_MODES, status(43)) ?? {}, status(44) ?? 0),
    resolution: lookUp(RESOLUTIONS, setting(2)),
    // The HERO13 has a second setting for the frame rate.
    fps: lookUp(FRAME_RATES, setting(3) ?? setting(234)),
    // A GoPro that is off does not answer, so an answer means that it is on.
    online: true,
    // A HERO4 reports only bars: 0 to 3, and 4 while it charges.
    rawBatteryPct: percent ?? status(2),
  };
}

/** Reads a number. A text is not a number here. */
function readNumber(value: unknown): number | null {
  const number = typeof value === 'number' ? value : Number(exactDigits(value) ?? Number.NaN);
  return Number.isFinite(number) ? number : null;
}

/** Returns `null` for an unknown id. */
function lookUp<Word>(words: Readonly<Record<number, Word>>, id: number | null): Word | null {
  const known = readWhole(id, MAX_ID);
  return (known !== null && Object.hasOwn(words, known) && words[known]) || null;
}
