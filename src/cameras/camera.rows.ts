// The columns of cameras and of their status log, each named once: statements and row readers are made from them.
import { type Columns, memberOf, nested, type RowShape, rowShape } from '../database/rows';
import { sql } from '../database/sql';
import { Prisma } from '../generated/prisma/client';
import { DEFAULT_INTERVAL_SEC } from './camera.limits';
import type { Camera, CameraStatus } from './camera.types';

/** The columns of a new record; the database gives it an id. */
export const RECORD_COLUMNS = {
  cameraId: 'text',
  recordedAt: 'timestamptz',
  batteryPct: 'float8',
  videoRemainingSec: 'int',
  recordingState: 'text',
  mode: 'text',
  resolution: 'text',
  fps: 'float8',
  online: 'boolean',
  rawBatteryPct: 'float8',
} satisfies Columns<Omit<CameraStatus, 'id'>>;

/** @param alias of camera_status or camera_latest_status in the statement */
export const statusRow = (alias: string): RowShape<CameraStatus> =>
  rowShape<CameraStatus>(alias, { id: 'bigint', ...RECORD_COLUMNS });

/** A camera `c` with its latest status `latest`. */
export const CAMERA_ROW = rowShape<Camera, 'id' | 'lastStatus'>(
  'c',
  {
    friendlyName: 'text',
    macAddress: 'text',
    createdAt: 'timestamptz',
    updatedAt: 'timestamptz',
    expectedIntervalSec: 'int',
    printerId: 'uuid',
  },
  {
    id: memberOf('c.camera_id', 'text'),
    lastStatus: nested(statusRow('latest'), (json) => `case when latest.id is not null then ${json} end`),
  },
);

/** Triggers on the log keep the record with the greatest recorded_at: a read of W1 costs the same however long the log is. */
export const CAMERAS_WITH_LATEST = Prisma.sql`(select * from cameras where removed_at is null) c
  left join camera_latest_status latest on latest.camera_id = c.camera_id`;

/** The same with the time `clock.now`. */
export const camerasAt = (now: string) =>
  Prisma.sql`${CAMERAS_WITH_LATEST} cross join (select ${now}::timestamptz) as clock (now)`;

/** The seconds for which a record that says online vouches for its camera `c`. */
export const VOUCHED_SEC = sql(`coalesce(c.expected_interval_sec, ${DEFAULT_INTERVAL_SEC})`);

/** The time up to which the latest status `latest` vouches for its camera. */
export const VOUCHED_UNTIL = Prisma.sql`latest.recorded_at + ${VOUCHED_SEC} * interval '1 second'`;

/** The one rule of liveness: of a camera `c` with its latest status `latest` at `clock.now` (camerasAt). */
export const LIVENESS = Prisma.sql`case
  when latest.id is null then 'NEVER_SEEN' when not latest.online then 'OFFLINE'
  when ${VOUCHED_UNTIL} < clock.now then 'SILENT' else 'LIVE' end`;
