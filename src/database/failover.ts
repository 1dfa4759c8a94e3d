// Whether the database can write. After a failover connections end, so that the next ones reach the new primary.
import type { Availability } from './availability';
import type { Driver } from './driver';

const CHECK_MS = 1000;

export class Failover {
  private timer: NodeJS.Timeout | undefined;
  private asked: Promise<void> | undefined;

  constructor(
    private readonly driver: Pick<Driver, 'renew'>,
    private readonly availability: Availability,
    private readonly canWrite: () => Promise<unknown>,
  ) {
    availability.onReadOnly = () => this.check();
  }

  /** Probes that arrive together share one check. */
  ready(): Promise<void> {
    this.asked ??= this.availability
      .run(async () => {
        await this.canWrite();
        this.availability.isReadOnly = false;
      })
      .finally(() => {
        this.asked = undefined;
      });
    return this.asked;
  }

  stop(): void {
    clearTimeout(this.timer);
    this.availability.onReadOnly = () => {};
  }

  /** The read-only server is asked again until it can write; the connections that were made meanwhile end too. */
  private check(): void {
    if (this.timer) return;
    this.driver.renew?.();
    const ask = async () => {
      const isReady = await this.ready().then(
        () => true,
        () => false,
      );
      if (!isReady) return this.later(ask);
      this.timer = undefined;
      this.driver.renew?.();
    };
    this.later(ask);
  }

  private later(ask: () => Promise<void>): void {
    this.timer = setTimeout(ask, CHECK_MS).unref();
  }
}
