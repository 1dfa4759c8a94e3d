// What status records say of a camera, in SQL: whether it is live, silent or offline now, whether it records, and whether in a loop.
import { listOf, sql } from '../../database/sql';
import { Prisma } from '../../generated/prisma/client';
import { DEFAULT_INTERVAL_SEC } from './camera.limits';
import { CAMERAS_WITH_LATEST } from './camera.rows';

/** Each camera `c` with its latest status `latest`, at the time `clock.now`. */
export const camerasAt = (now: string) =>
  Prisma.sql`${CAMERAS_WITH_LATEST} cross join (select ${now}::timestamptz) as clock (now)`;

/** The seconds for which a record that says online holds for its camera `c`. */
export const VALID_SEC = sql(`coalesce(c.expected_interval_sec, ${DEFAULT_INTERVAL_SEC})`);

const VALID = `${VALID_SEC.sql} * interval '1 second'`;

/** The time up to which the latest status `latest` holds for its camera. */
export const VALID_UNTIL = sql(`latest.recorded_at + ${VALID}`);

/**
 * Whether a camera is silent at the time `at`, when its record before is of `recordedAt`.
 * @param valid for how long a record holds: an interval
 */
export const isSilentAt = (at: string, recordedAt: string, valid: string) => sql(`${recordedAt} + ${valid} < ${at}`);

/** The liveness of a camera in camerasAt. */
export const LIVENESS = Prisma.sql`case
  when latest.id is null then 'NEVER_SEEN' when not latest.online then 'OFFLINE'
  when ${isSilentAt('clock.now', 'latest.recorded_at', VALID)} then 'SILENT' else 'LIVE' end`;

/** Whether a record says that its camera records. @param states of RECORDING_STATES @param alias of the record */
export const isRecording = (states: readonly string[], alias: string): Prisma.Sql => {
  const state = sql(`lower(${alias}.recording_state)`);
  return Prisma.sql`(${sql(alias)}.online and coalesce(${state} = any(${listOf(states, 'text')}::text[]), false))`;
};

/** Whether it records in a loop: the oldest video makes room for the newest, so its card is never full. */
export const isLooping = (alias: string): Prisma.Sql =>
  sql(`coalesce(lower(${alias}.mode) in ('loop', 'looping'), false)`);
