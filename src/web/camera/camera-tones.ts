// Holds the name and colour of each liveness of a camera.
import type { CameraLiveness } from '../../generated/web-operations';
import type { Tone } from '../parts/badge';

export const LIVENESS: Record<CameraLiveness, { name: string; tone: Tone }> = {
  LIVE: { name: 'Live', tone: 'good' },
  SILENT: { name: 'Silent', tone: 'warn' },
  OFFLINE: { name: 'Offline', tone: 'bad' },
  NEVER_SEEN: { name: 'No data yet', tone: 'muted' },
};
