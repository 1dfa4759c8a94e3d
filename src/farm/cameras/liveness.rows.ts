// Decides in SQL what status records report of a camera: whether it is live, silent or offline now, whether it records, and whether in a loop.
import { arrayParameter, sql } from '../../database/sql';
import { Prisma } from '../../generated/prisma/client';
import { snake } from '../../values/spelling';
import { DEFAULT_INTERVAL_SEC } from './camera.limits';
import { CAMERAS, RECORD_COLUMNS } from './camera.rows';

const PRESENT_COLUMNS = ['id', ...Object.keys(RECORD_COLUMNS).map(snake)]
  .map((column) => `case when past.id is null then newest.${column} else past.${column} end as ${column}`)
  .join(', ');

/**
 * Each camera `c` at the time `clock.now` with the status `latest` that counts at that time: the newest record that is not in the future. If all
 * records of a camera are in the future, its lastStatus counts. The log is read only for cameras with a record in the future: `limit 1` keeps
 * PostgreSQL from calling the function for every other camera (20,000 cameras: 37 ms instead of 500).
 */
export const selectCamerasAt = (now: string) => Prisma.sql`${CAMERAS}
  cross join (select ${now}::timestamptz) as clock (now)
  left join camera_latest_status newest on newest.camera_id = c.camera_id
  left join lateral (
    select p.* from camera_status_until(c.camera_id, clock.now) p where newest.recorded_at > clock.now limit 1
  ) past on true
  cross join lateral (select ${sql(PRESENT_COLUMNS)}) latest`;

/** The seconds for which an online record of the camera `c` is valid. */
export const VALID_SEC = sql(`coalesce(c.expected_interval_sec, ${DEFAULT_INTERVAL_SEC})`);

const VALID = `${VALID_SEC.sql} * interval '1 second'`;

/** The time until which the latest status `latest` of a camera is valid. */
export const VALID_UNTIL = sql(`latest.recorded_at + ${VALID}`);

/**
 * Whether a camera is silent at the time `at`, if its last record before has the time `recordedAt`.
 * @param valid the interval for which a record is valid
 */
export const isSilentAt = (at: string, recordedAt: string, valid: string) => sql(`${recordedAt} + ${valid} < ${at}`);

/** The liveness of a camera of selectCamerasAt. */
export const LIVENESS = Prisma.sql`case
  when latest.id is null then 'NEVER_SEEN' when not latest.online then 'OFFLINE'
  when ${isSilentAt('clock.now', 'latest.recorded_at', VALID)} then 'SILENT' else 'LIVE' end`;

/** Whether a record reports that its camera is recording. @param states the setting RECORDING_STATES @param alias the alias of the record */
export const isRecording = (states: readonly string[], alias: string): Prisma.Sql => {
  const state = sql(`lower(${alias}.recording_state)`);
  return Prisma.sql`(${sql(alias)}.online and coalesce(${state} = any(${arrayParameter(states, 'text')}::text[]), false))`;
};

/** Whether a camera records in a loop. Then the newest video replaces the oldest, so the card never gets full. */
export const isLooping = (alias: string): Prisma.Sql =>
  sql(`coalesce(lower(${alias}.mode) in ('loop', 'looping'), false)`);
