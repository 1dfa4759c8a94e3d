// The limits of cameras: from §8 of the camera document, and the gateway's own.
import { DAY_MS } from '../values/instant';
import { MAX_KEY_LENGTH } from '../values/text';

/** §8: "History window on the detail operation", 24 hours. */
export const HISTORY_WINDOW_MS = DAY_MS;
/** §8: "Maximum history entries", 100; the default of the graph's `first`. */
export const HISTORY_ENTRIES = 100;
export const MAX_HISTORY_ENTRIES = 1000;
/** Of one call of recordCameraStatuses. */
export const MAX_RECORDS = 1000;
export const MAX_FRIENDLY_NAME_LENGTH = 1000;
/** Of an id, a MAC address, and the texts of a status record. */
export const MAX_TEXT_LENGTH = MAX_KEY_LENGTH;
