// The device of a camera: each poll is a status record. Without a poll there is none, and the camera becomes silent by itself.
import { randomUUID } from 'node:crypto';
import { instantNow } from '../../values/instant';
import type { CameraKind } from '../kind-code';
import { type CameraReading, FIRST_CONTACT, type Opened } from '../machine-adapter';
import type { CameraRecorder } from './camera-recorder';
import { type DeviceSessionParts, MachineSession } from './device-session';
import type { HeldDevice } from './held-device.store';

/** Polls that wait while the database does not answer: an hour of the quicker ones. Beyond it the oldest are left out. */
const MAX_WAITING = 360;
/** Of a record: its members are numbers and words of the adapter. */
const RECORD_BYTES = 256;

export interface CameraSessionParts extends DeviceSessionParts {
  cameras: CameraRecorder;
  /** Whether the printer that a camera watches prints. */
  isWatchedPrinting(cameraId: string): Promise<boolean>;
  /** Status records were written. */
  recorded(what: 'STATUS'): void;
}

export class CameraSession extends MachineSession<CameraReading, CameraSessionParts> {
  private waiting: CameraReading[] = [];

  constructor(
    device: HeldDevice,
    private readonly cameraId: string,
    holder: string,
    kind: CameraKind,
    parts: CameraSessionParts,
  ) {
    super(device, holder, kind, parts);
  }

  protected async load(): Promise<Opened> {
    return { ...FIRST_CONTACT, lastContactAt: this.lastContact.at };
  }

  protected machineSilent(): void {}

  protected waitingBytes(): number {
    return this.waiting.length * RECORD_BYTES;
  }

  tooMuch(): void {
    // What waits for the rows of the device is heard again by the next connection.
    if (this.waiting.length === 0) this.reconnect('TOO_MUCH_DATA');
    this.waiting = this.waiting.slice(Math.ceil(this.waiting.length / 2));
    this.countWaiting();
  }

  protected take(readings: readonly CameraReading[]): void {
    if (readings.length === 0) return;
    this.waiting = [...this.waiting, ...readings].slice(-MAX_WAITING);
    this.countWaiting();
    this.work.do(() => this.record());
  }

  private async record(): Promise<void> {
    const readings = this.waiting;
    this.waiting = [];
    this.countWaiting();
    if (readings.length === 0) return;
    const time = { now: instantNow(), newId: randomUUID };
    await this.work.asHolder(
      () =>
        this.parts.cameras.record(this.lease, this.cameraId, readings, { ...time, deadline: this.parts.newDeadline() }),
      'NOT_HELD',
    );
    this.parts.recorded('STATUS');
    const isPrinting = await this.work.untilAnswered(() => this.parts.isWatchedPrinting(this.cameraId));
    this.link.current?.printing(isPrinting);
  }
}
