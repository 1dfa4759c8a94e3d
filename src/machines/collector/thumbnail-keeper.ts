// Keeps the slicer's preview picture of each print that starts: once for each print, and without delaying its readings.
import { type PlanKey, planKeysOf } from '../../farm/print-rules/sliced-plan';
import type { ThumbnailStore } from '../../farm/prints/thumbnail.store';
import { readPicture } from '../../values/thumbnail';
import type { SessionForReadings } from './device-session';
import type { HeldDevice } from './held-device.store';
import type { PrintFollower } from './print-follower';

export interface ThumbnailParts {
  /** `null` if the gateway keeps no pictures (PRINT_THUMBNAILS). */
  thumbnails: Pick<ThumbnailStore, 'add'> | null;
  /** Is called if a picture could not be stored. The print itself is not affected. */
  onThumbnailFailed(error: unknown, device: HeldDevice): void;
}

export class ThumbnailKeeper {
  /** The print whose picture was requested last. A failed request is not repeated. */
  private requestedId: string | null = null;

  constructor(
    private readonly session: Pick<SessionForReadings, 'device' | 'link' | 'work'>,
    private readonly parts: ThumbnailParts,
  ) {}

  /** Requests the picture of the running print, unless it was requested before. */
  keepOf(running: PrintFollower['running']): void {
    const connection = this.session.link.current;
    const { thumbnails } = this.parts;
    if (running === null || connection === null || thumbnails === null || running.id === this.requestedId) return;
    const { id, print } = running;
    this.requestedId = id;
    const keys = planKeysOf(print);
    const read = print.filePath === null ? undefined : connection.readThumbnail?.(print.filePath);
    if (read === undefined) this.store(id, null, keys);
    else void read.then((picture) => this.store(id, picture, keys));
  }

  /** What the machine sent is only stored if it is a picture. */
  private store(id: string, picture: Buffer | null, keys: readonly PlanKey[]): void {
    const { device, work } = this.session;
    const { thumbnails, onThumbnailFailed } = this.parts;
    const checked = picture !== null && readPicture(picture) !== null ? picture : null;
    work.enqueue(async () => {
      try {
        await work.retryUntilAnswered(async () => thumbnails?.add(id, checked, keys));
      } catch (error) {
        if (work.isStopping) throw error;
        onThumbnailFailed(error, device);
      }
    });
  }
}
