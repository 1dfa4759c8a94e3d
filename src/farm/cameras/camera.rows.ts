// Names the columns of cameras and of the status log once, for statements and for the readers of their rows.
import { type Columns, columnMember, nestedRow, type RowShape, rowShape } from '../../database/rows';
import { Prisma } from '../../generated/prisma/client';
import type { Camera, CameraStatus } from './camera.types';

/** The columns of a new record. The database adds the id. */
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

/** @param alias the alias of camera_status or camera_latest_status in the statement */
export const statusRow = (alias: string): RowShape<CameraStatus> =>
  rowShape<CameraStatus>(alias, { id: 'bigint', ...RECORD_COLUMNS });

/** The columns of a camera `c` with its latest status `latest`. */
export const CAMERA_ROW = rowShape<Camera, 'id' | 'lastStatus'>(
  'c',
  {
    friendlyName: 'text',
    macAddress: 'text',
    createdAt: 'timestamptz',
    updatedAt: 'timestamptz',
    expectedIntervalSec: 'int',
    printerId: 'uuid',
    recordsPrints: 'boolean',
  },
  {
    id: columnMember('c.camera_id', 'text'),
    lastStatus: nestedRow(statusRow('latest'), (json) => `case when latest.id is not null then ${json} end`),
  },
);

/** The cameras `c` that are not removed. */
export const CAMERAS = Prisma.sql`(select * from cameras where removed_at is null) c`;

/** Triggers on the log keep the latest record of each camera in a table, so that this read (W1) costs the same however long the log is. */
export const CAMERAS_WITH_LATEST = Prisma.sql`${CAMERAS}
  left join camera_latest_status latest on latest.camera_id = c.camera_id`;
