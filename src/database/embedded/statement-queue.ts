// Runs the statements on the built-in database one after the other, and yields to the event loop between them.
import { setImmediate as eventLoop } from 'node:timers/promises';
import pLimit from 'p-limit';

/** PGlite runs statements without yielding. After this time the event loop gets a turn, so that other requests such as /healthz run. */
const MAX_BLOCKED_MS = 50;

export class StatementQueue {
  private readonly oneAtATime = pLimit(1);
  /** Since when statements have blocked the event loop; undefined if it has run since the last statement. */
  private blockedSince: number | undefined;

  /** @param maxWaitMs the longest wait of a statement: the time limit of a request, after which its client has an answer anyway */
  constructor(private readonly maxWaitMs: number) {}

  /** Runs a statement or a whole transaction as soon as all earlier ones have ended. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const queuedAt = performance.now();
    return this.oneAtATime(async () => {
      await this.yieldToEventLoop();
      if (performance.now() - queuedAt > this.maxWaitMs) throw new Error('The statement waited too long in the queue');
      return work();
    });
  }

  /** Yields if statements have blocked the event loop for too long. It is called before each statement, also in a transaction. */
  async yieldToEventLoop(): Promise<void> {
    if (this.blockedSince !== undefined && performance.now() - this.blockedSince > MAX_BLOCKED_MS) await eventLoop();
    if (this.blockedSince !== undefined) return;
    this.blockedSince = performance.now();
    setImmediate(() => {
      this.blockedSince = undefined;
    });
  }
}
