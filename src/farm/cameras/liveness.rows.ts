// The one rule of liveness: whether a camera is live, silent or offline now, in SQL.
import { sql } from '../../database/sql';
import { Prisma } from '../../generated/prisma/client';
import { DEFAULT_INTERVAL_SEC } from './camera.limits';
import { CAMERAS_WITH_LATEST } from './camera.rows';

/** Each camera `c` with its latest status `latest`, at the time `clock.now`. */
export const camerasAt = (now: string) =>
  Prisma.sql`${CAMERAS_WITH_LATEST} cross join (select ${now}::timestamptz) as clock (now)`;

/** The seconds for which a record that says online holds for its camera `c`. */
export const VALID_SEC = sql(`coalesce(c.expected_interval_sec, ${DEFAULT_INTERVAL_SEC})`);

/** The time up to which the latest status `latest` holds for its camera. */
export const VALID_UNTIL = Prisma.sql`latest.recorded_at + ${VALID_SEC} * interval '1 second'`;

/** Of a camera in camerasAt. */
export const LIVENESS = Prisma.sql`case
  when latest.id is null then 'NEVER_SEEN' when not latest.online then 'OFFLINE'
  when ${VALID_UNTIL} < clock.now then 'SILENT' else 'LIVE' end`;
