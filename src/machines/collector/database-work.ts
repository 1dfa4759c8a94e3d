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
  inTurn<Result>(ask: () => Promise<Result>): Promise<Result>;
  /** When the database last answered, on the clock of performance.now(). */
  renewedAt(): number;
  pace: Readonly<Pace>;
}

export class DatabaseWork {
  private readonly oneAtATime = pLimit(1);
  private readonly stopping = new AbortController();

  constructor(
    private readonly parts: DatabaseParts,
    private readonly failed: (error: unknown) => void,
  ) {}

  get isStopping(): boolean {
    return this.stopping.signal.aborted;
  }

  /** What has begun is finished; nothing else is done. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.oneAtATime(async () => {});
  }

  do(work: () => Promise<void>): void {
    void this.oneAtATime(async () => {
      if (this.isStopping) return;
      try {
        await work();
      } catch (error) {
        if (!this.isStopping) this.failed(error);
      }
    });
  }

  /**
   * A lease that is over because our clock was set is renewed within a second, and then the write is done. One that another
   * process has ends this session, and with it the wait.
   */
  async asHolder<Written>(write: () => Promise<Written>, notHeld: Written, most?: number): Promise<Written> {
    for (;;) {
      const written = await this.untilAnswered(write, most);
      if (written !== notHeld) return written;
      await this.pause();
    }
  }

  /**
   * What was heard waits while the database does not answer.
   * @param most how often the statement may fail in this way while others are answered
   */
  async untilAnswered<Answer>(ask: () => Promise<Answer>, most = Number.POSITIVE_INFINITY): Promise<Answer> {
    for (let failed = 0; ; ) {
      try {
        return await this.parts.inTurn(() => {
          // It may have waited for its turn until the session ended.
          this.stopping.signal.throwIfAborted();
          return ask();
        });
      } catch (error) {
        if (!(error instanceof Unavailable)) throw error;
        const failedAt = performance.now();
        await this.pause();
        if (this.parts.renewedAt() > failedAt) failed += 1;
        if (failed >= most) throw error;
      }
    }
  }

  private pause(): Promise<unknown> {
    return sleep(this.parts.pace.outageMs, undefined, { signal: this.stopping.signal });
  }
}
