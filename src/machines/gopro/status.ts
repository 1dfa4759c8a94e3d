// What the state of a GoPro means, read member by member.
import { digitsOf } from '../../values/decimal';
import type { Instant } from '../../values/instant';
import type { CameraReading } from '../adapter';
import { memberAt, wholeOf } from '../message-values';
import { FLAT_MODES, FRAME_RATES, OLD_MODES, PRESET_GROUPS, RECORDING_STATES, RESOLUTIONS } from './words';

/** The largest that the database holds: more are no seconds of a card. */
const MAX_SECONDS = 2 ** 31 - 1;
const MAX_ID = 10_000;

export function cameraReading(body: unknown, now: Instant): CameraReading {
  const status = (id: number) => numeric(memberAt(body, 'status', String(id)));
  const setting = (id: number) => numeric(memberAt(body, 'settings', String(id)));
  const hasBattery = status(1) !== 0;
  const percent = status(70);
  const flatMode = wordOf(FLAT_MODES, status(89));
  return {
    kind: 'STATUS',
    at: now,
    batteryPct: hasBattery && percent !== null && percent >= 0 && percent <= 100 ? percent : null,
    videoRemainingSec: wholeOf(status(35), MAX_SECONDS),
    recordingState: wordOf(RECORDING_STATES, status(10)),
    // A loop is in the group of videos.
    mode:
      (flatMode === 'looping' ? flatMode : wordOf(PRESET_GROUPS, status(96))) ??
      flatMode ??
      wordOf(wordOf(OLD_MODES, status(43)) ?? {}, status(44) ?? 0),
    resolution: wordOf(RESOLUTIONS, setting(2)),
    // The HERO13 has a second setting for it.
    fps: wordOf(FRAME_RATES, setting(3) ?? setting(234)),
    // No GoPro says that it is off: it does not answer then.
    online: true,
    // A HERO4 reports bars alone: 0 to 3, and 4 while it is charged.
    rawBatteryPct: percent ?? status(2),
  };
}

/** A number as it was sent. A text is none. */
function numeric(value: unknown): number | null {
  const number = typeof value === 'number' ? value : Number(digitsOf(value) ?? Number.NaN);
  return Number.isFinite(number) ? number : null;
}

/** null: the id is not known. */
function wordOf<Word>(words: Readonly<Record<number, Word>>, id: number | null): Word | null {
  const known = wholeOf(id, MAX_ID);
  return (known !== null && Object.hasOwn(words, known) && words[known]) || null;
}
