// Writes what a camera reported into its log, on the condition that this process holds the device.

import { NotFound } from '../../errors';
import type { CameraService } from '../../farm/cameras/camera.service';
import type { Lease } from '../../sharing/lease';
import type { RequestTime } from '../../values/request-time';
import type { CameraReading } from '../machine-adapter';

/** What a record needs of one transaction. */
interface CameraParts {
  cameras: Pick<CameraService, 'record'>;
  /** Whether the process holds the device, and holds it until the transaction ends. */
  isHolder(lease: Lease): Promise<boolean>;
}

export class CameraRecorder {
  constructor(
    private readonly inTransaction: <Result>(work: (parts: CameraParts) => Promise<Result>) => Promise<Result>,
  ) {}

  /** All or none, as recordCameraStatuses does it. A reading that is written twice is one record: it has the time of its poll. */
  async record(
    lease: Lease,
    cameraId: string,
    readings: readonly CameraReading[],
    time: RequestTime,
  ): Promise<'DONE' | 'NOT_HELD'> {
    const records = readings.map(({ kind, at, ...status }) => ({ cameraId, recordedAt: at, ...status }));
    try {
      await this.inTransaction(async ({ cameras, isHolder }) => {
        // The row of the camera is locked before that of its device, as when the camera is removed.
        await cameras.record(records, time);
        if (!(await isHolder(lease))) throw new NotHeld();
      });
      return 'DONE';
    } catch (error) {
      // A camera that was removed has no device either.
      if (error instanceof NotHeld || error instanceof NotFound) return 'NOT_HELD';
      throw error;
    }
  }
}

/** Ends the transaction, and nothing is written. */
class NotHeld extends Error {}
