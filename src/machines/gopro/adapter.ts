// Decides which answers of a GoPro, from HERO4 to HERO13, become status records.
import { isJsonObject } from '../../values/json';
import type { Adapter, CameraReading } from '../machine-adapter';
import { memberAt } from '../message-values';
import { readCameraStatus, STATE_PATHS } from './status';

/** Each poll is a complete record, so the adapter needs no memory. */
export const gopro: Adapter<null, CameraReading> = {
  start: () => ({ memory: null, readings: [], asks: [] }),
  receive(memory, { source, body, failed }, now) {
    const isState = STATE_PATHS.includes(source) && failed !== true && isJsonObject(memberAt(body, 'status'));
    return { memory, readings: isState ? [readCameraStatus(body, now)] : [], asks: [] };
  },
};
