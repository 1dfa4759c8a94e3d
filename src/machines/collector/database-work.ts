// Runs the database work of a session in order, repeats it while the database does not answer, and stops with the session.
import pLimit from 'p-limit';
import { Unavailable } from '../../errors';
import { SILENT_AFTER_MS } from '../../kind-facts';
import { sleep } from '../../values/timers';

/** The intervals of the collector. Tests use shorter intervals. */
export interface Pace {
  /** Between two renewals of the leases. */
  tickMs: number;
  /** Between two attempts of a statement while the database does not answer. */
  outageMs: number;
  /** Before the second attempt to connect. Each further wait is twice as long. */
  reconnectMs: number;
  /** Between two checks of a device that has too many new prints. */
  fullMs: number;
  /** After this time without a message, a failed attempt to connect shows the device as offline. */
  unreachableMs: number;
}

export const PACE: Readonly<Pace> = {
  tickMs: 1000,
  outageMs: 1000,
  reconnectMs: 1000,
  fullMs: 5000,
  unreachableMs: SILENT_AFTER_MS,
};

export interface DatabaseParts {
  /** Runs a statement or transaction of a session. Only a few run at the same time, so that statements of clients come in between. */
  runInTurn<Result>(work: () => Promise<Result>): Promise<Result>;
  /** When the leases were last renewed, on the clock of performance.now(). */
  lastRenewedAt(): number;
  pace: Readonly<Pace>;
}

export class DatabaseWork {
  private readonly oneAtATime = pLimit(1);
  private readonly stopping = new AbortController();

  constructor(
    private readonly parts: DatabaseParts,
    private readonly onFailed: (error: unknown) => void,
  ) {}

  get isStopping(): boolean {
    return this.stopping.signal.aborted;
  }

  /** Waits for the work that has started. Work that waits is dropped. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.oneAtATime(async () => {});
  }

  enqueue(work: () => Promise<void>): void {
    void this.oneAtATime(async () => {
      if (this.isStopping) return;
      try {
        await work();
      } catch (error) {
        if (!this.isStopping) this.onFailed(error);
      }
    });
  }

  /**
   * Writes on the condition that this process holds the device. If our clock was set, the lease may seem to have expired: the collector renews
   * the lease within a second, and the write is repeated. If another process has the lease, this session ends, and so does the wait.
   */
  async retryUntilHeld<Written>(
    write: () => Promise<Written>,
    notHeld: Written,
    maxFailures?: number,
  ): Promise<Written> {
    for (;;) {
      const written = await this.retryUntilAnswered(write, maxFailures);
      if (written !== notHeld) return written;
      await this.pause();
    }
  }

  /**
   * Repeats a statement until the database answers. Received messages wait meanwhile.
   * @param maxFailures how often the statement may fail while the database answers other statements
   */
  async retryUntilAnswered<Answer>(
    work: () => Promise<Answer>,
    maxFailures = Number.POSITIVE_INFINITY,
  ): Promise<Answer> {
    for (let failures = 0; ; ) {
      try {
        return await this.parts.runInTurn(() => {
          // The session may have ended while the statement waited for its turn.
          this.stopping.signal.throwIfAborted();
          return work();
        });
      } catch (error) {
        if (!(error instanceof Unavailable)) throw error;
        const failedAt = performance.now();
        await this.pause();
        if (this.parts.lastRenewedAt() > failedAt) failures += 1;
        if (failures >= maxFailures) throw error;
      }
    }
  }

  private pause(): Promise<unknown> {
    return sleep(this.parts.pace.outageMs, undefined, { signal: this.stopping.signal });
  }
}
