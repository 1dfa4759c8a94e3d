// What a session asks of the database: one thing after the other, again while it does not answer, and nothing behind the end.
import pLimit from 'p-limit';
import { Unavailable } from '../../errors';
import { sleep } from '../../values/timers';

/** How long the collector waits for what comes again. Tests give it shorter times. */
export interface Pace {
  /** Between two renewals of the leases. */
  tickMs: number;
  /** Between two tries of a statement while the database does not answer. */
  outageMs: number;
  /** Before the second try to connect; each further wait is twice as long. */
  reconnectMs: number;
  /** Between two looks at a device that has too many new prints. */
  fullMs: number;
}

export const PACE: Readonly<Pace> = { tickMs: 1000, outageMs: 1000, reconnectMs: 1000, fullMs: 5000 };

export interface DatabaseParts {
  /** A statement or transaction for a machine: a few at a time, so that those of clients come between. */
  runInTurn<Result>(ask: () => Promise<Result>): Promise<Result>;
  /** When the database last answered, on the clock of performance.now(). */
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

  /** What has begun is finished; nothing else is done. */
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
   * A lease that is over because our clock was set is renewed within a second, and then the write is done. One that another
   * process has ends this session, and with it the wait.
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
   * What was heard waits while the database does not answer.
   * @param maxFailures how often the statement may fail in this way while others are answered
   */
  async retryUntilAnswered<Answer>(
    ask: () => Promise<Answer>,
    maxFailures = Number.POSITIVE_INFINITY,
  ): Promise<Answer> {
    for (let failed = 0; ; ) {
      try {
        return await this.parts.runInTurn(() => {
          // It may have waited for its turn until the session ended.
          this.stopping.signal.throwIfAborted();
          return ask();
        });
      } catch (error) {
        if (!(error instanceof Unavailable)) throw error;
        const failedAt = performance.now();
        await this.pause();
        if (this.parts.lastRenewedAt() > failedAt) failed += 1;
        if (failed >= maxFailures) throw error;
      }
    }
  }

  private pause(): Promise<unknown> {
    return sleep(this.parts.pace.outageMs, undefined, { signal: this.stopping.signal });
  }
}
