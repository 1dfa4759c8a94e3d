// Writes each poll of a camera as a status record, as long as this process holds the device. Without polls there are no records, so the
// camera becomes silent without further work.
import { randomUUID } from 'node:crypto';
import { NotFound } from '../../errors';
import type { CameraService } from '../../farm/cameras/camera.service';
import type { Lease } from '../../sharing/lease';
import { instantNow } from '../../values/instant';
import type { RequestTime } from '../../values/request-time';
import { type CameraReading, FIRST_CONTACT, type LastKnown } from '../machine-adapter';
import type { DeviceReadings, SessionForReadings } from './device-session';

/** The most polls that wait while the database does not answer: an hour at the faster rate. The oldest further polls are dropped. */
const MAX_WAITING = 360;
/** The memory of a record. All its members are numbers and words of the adapter. */
const RECORD_BYTES = 256;

export interface CameraParts {
  cameras: CameraRecorder;
  /** Returns the deadline of a write that starts now. */
  createDeadline(): number;
  /** Whether the printer that this camera watches is printing. */
  isWatchedPrinting(cameraId: string): Promise<boolean>;
  /** Is called after status records were written. */
  onWritten(what: 'STATUS'): void;
}

export class CameraRecords implements DeviceReadings<CameraReading> {
  private waiting: CameraReading[] = [];

  constructor(
    private readonly session: SessionForReadings,
    private readonly cameraId: string,
    private readonly parts: CameraParts,
  ) {}

  async load(): Promise<LastKnown> {
    return { ...FIRST_CONTACT, lastContactAt: this.session.lastContact.at };
  }

  waitingBytes(): number {
    return this.waiting.length * RECORD_BYTES;
  }

  onTooMuch(): void {
    // If no reading waits, the memory belongs to messages that wait for the rows of the device. The next connection polls again.
    if (this.waiting.length === 0) this.session.reconnect('TOO_MUCH_DATA');
    this.waiting = this.waiting.slice(Math.ceil(this.waiting.length / 2));
    this.session.countWaiting();
  }

  accept(readings: readonly CameraReading[]): void {
    if (readings.length === 0) return;
    this.waiting = [...this.waiting, ...readings].slice(-MAX_WAITING);
    this.session.countWaiting();
    this.session.work.enqueue(() => this.record());
  }

  private async record(): Promise<void> {
    const readings = this.waiting;
    this.waiting = [];
    this.session.countWaiting();
    if (readings.length === 0) return;
    const time = { now: instantNow(), newId: randomUUID };
    await this.session.work.retryUntilHeld(
      () =>
        this.parts.cameras.record(this.session.lease, this.cameraId, readings, {
          ...time,
          deadline: this.parts.createDeadline(),
        }),
      'NOT_HELD',
    );
    this.parts.onWritten('STATUS');
    const isPrinting = await this.session.work.retryUntilAnswered(() => this.parts.isWatchedPrinting(this.cameraId));
    this.session.link.current?.setPrinting(isPrinting);
  }
}

/** What writing records needs of a transaction. */
interface RecordParts {
  cameras: Pick<CameraService, 'record'>;
  /** Whether the process holds the device now and until the transaction ends. */
  isHolder(lease: Lease): Promise<boolean>;
}

export class CameraRecorder {
  constructor(
    private readonly inTransaction: <Result>(work: (parts: RecordParts) => Promise<Result>) => Promise<Result>,
  ) {}

  /**
   * Writes all readings or none, like recordCameraStatuses. A reading that is written twice stays one record, because both writes have the
   * time of the same poll.
   */
  async record(
    lease: Lease,
    cameraId: string,
    readings: readonly CameraReading[],
    time: RequestTime,
  ): Promise<'DONE' | 'NOT_HELD'> {
    const records = readings.map(({ kind, at, ...status }) => ({ cameraId, recordedAt: at, ...status }));
    try {
      await this.inTransaction(async ({ cameras, isHolder }) => {
        // The row of the camera is locked before the row of its device, in the same order as when a camera is removed.
        await cameras.record(records, time);
        if (!(await isHolder(lease))) throw new NotHeld();
      });
      return 'DONE';
    } catch (error) {
      // A removed camera has no device either.
      if (error instanceof NotHeld || error instanceof NotFound) return 'NOT_HELD';
      throw error;
    }
  }
}

/** Rolls the transaction back. */
class NotHeld extends Error {}
