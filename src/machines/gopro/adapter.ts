// A GoPro by its answers to polls, of all generations: HERO4 to HERO13.
import { isJsonObject } from '../../values/json';
import type { Adapter, CameraReading } from '../machine-adapter';
import { memberAt } from '../message-values';
import { cameraReading, STATE_PATHS } from './status';

/** Each poll is a whole record, so there is nothing to remember. */
export const gopro: Adapter<null, CameraReading> = {
  start: () => ({ memory: null, readings: [], asks: [] }),
  receive(memory, { source, body, failed }, now) {
    const isState = STATE_PATHS.includes(source) && failed !== true && isJsonObject(memberAt(body, 'status'));
    return { memory, readings: isState ? [cameraReading(body, now)] : [], asks: [] };
  },
};
