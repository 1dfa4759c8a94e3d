// The name and colour of each liveness of a camera, and the limit of a low battery.
import type { CameraLiveness } from '../../generated/web-operations';
import type { Tone } from '../parts/badge';

export const LIVENESS: Record<CameraLiveness, { name: string; tone: Tone }> = {
  LIVE: { name: 'Live', tone: 'good' },
  SILENT: { name: 'Silent', tone: 'warn' },
  OFFLINE: { name: 'Offline', tone: 'bad' },
  NEVER_SEEN: { name: 'Never seen', tone: 'muted' },
};

export function batteryTone(percent: number): Tone {
  if (percent <= 15) return 'bad';
  return percent <= 30 ? 'warn' : 'good';
}
