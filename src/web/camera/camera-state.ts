// What a camera's state is called, and in which colour.
import type { CameraNowFragment } from '../../generated/web-operations';
import type { Tone } from '../parts/badge';

export type CameraState = 'online' | 'offline' | 'unseen';

export const CAMERA_STATES: Record<CameraState, { name: string; tone: Tone }> = {
  online: { name: 'Online', tone: 'good' },
  offline: { name: 'Offline', tone: 'bad' },
  unseen: { name: 'Never seen', tone: 'muted' },
};

export function stateOf({ lastStatus }: CameraNowFragment): CameraState {
  if (lastStatus === null) return 'unseen';
  return lastStatus.online ? 'online' : 'offline';
}

export function batteryTone(percent: number): Tone {
  if (percent <= 15) return 'bad';
  return percent <= 30 ? 'warn' : 'good';
}
