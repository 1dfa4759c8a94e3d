// The name and colour of each liveness of a camera, and the colour of its battery.
import { LOW_BATTERY_PCT } from '../../farm/alerts/alert.limits';
import type { CameraLiveness } from '../../generated/web-operations';
import type { Tone } from '../parts/badge';

export const LIVENESS: Record<CameraLiveness, { name: string; tone: Tone }> = {
  LIVE: { name: 'Live', tone: 'good' },
  SILENT: { name: 'Silent', tone: 'warn' },
  OFFLINE: { name: 'Offline', tone: 'bad' },
  NEVER_SEEN: { name: 'No data yet', tone: 'muted' },
};

export function batteryTone(percent: number): Tone {
  if (percent <= LOW_BATTERY_PCT) return 'bad';
  return percent <= 30 ? 'warn' : 'good';
}
