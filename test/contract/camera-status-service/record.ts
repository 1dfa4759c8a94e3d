// A status record with every member, as GraphQL takes it and as the document shows it.
import { snake } from '../../../src/values/spelling';

export const RECORD = {
  batteryPct: 87.5,
  videoRemainingSec: 3600,
  recordingState: 'recording',
  mode: 'video',
  resolution: '4K',
  fps: 59.94,
  online: true,
  rawBatteryPct: 871.25,
};
export const SHOWN = Object.fromEntries(Object.entries(RECORD).map(([name, value]) => [snake(name), value]));
export const RECORD_MEMBERS = ['id', 'camera_id', 'recorded_at', ...Object.keys(SHOWN)];
