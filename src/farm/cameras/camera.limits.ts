// Holds the limits of the members of cameras and status records. camera.service.ts enforces them; the schemas and statements read them too.
import { MAX_KEY_LENGTH } from '../../values/text';

/**
 * How far the time of a status record may be ahead of the gateway's clock. The database allows one hour more (status-log.sql,
 * status-log.maintenance.sql), because its clock may differ.
 */
export const MAX_HOURS_AHEAD = 24;
export const MAX_FRIENDLY_NAME_LENGTH = 1000;
/** How long a camera without expectedIntervalSec may send no record before it counts as silent. web/camera/camera-now.tsx has the same number. */
export const DEFAULT_INTERVAL_SEC = 300;
/** One day. */
export const MAX_INTERVAL_SEC = 86_400;
/** The maximum length of an id, a MAC address and a text of a status record. */
export const MAX_TEXT_LENGTH = MAX_KEY_LENGTH;

/** The ranges of members, as keywords of JSON Schema, for the checks of the service and for the OpenAPI description. */
export const CAMERA_RANGES = {
  id: { minLength: 1, maxLength: MAX_TEXT_LENGTH },
  friendlyName: { minLength: 1, maxLength: MAX_FRIENDLY_NAME_LENGTH },
  macAddress: { maxLength: MAX_TEXT_LENGTH },
  batteryPct: { minimum: 0, maximum: 100 },
  videoRemainingSec: { minimum: 0 },
  fps: { minimum: 0 },
  expectedIntervalSec: { minimum: 1, maximum: MAX_INTERVAL_SEC },
};
