// The name and colour of each liveness of a camera, how a page learns the liveness, and the limit of a low battery.
import type { CameraLiveness } from '../../generated/web-operations';
import type { Tone } from '../parts/badge';

export const LIVENESS: Record<CameraLiveness, { name: string; tone: Tone }> = {
  LIVE: { name: 'Live', tone: 'good' },
  SILENT: { name: 'Silent', tone: 'warn' },
  OFFLINE: { name: 'Offline', tone: 'bad' },
  NEVER_SEEN: { name: 'Never seen', tone: 'muted' },
};

/** A camera grows silent without any change that the gateway could tell, so a page that shows it asks again and again. */
export const ASKING = { pollInterval: 10_000, skipPollAttempt: () => document.hidden };

export function batteryTone(percent: number): Tone {
  if (percent <= 15) return 'bad';
  return percent <= 30 ? 'warn' : 'good';
}
