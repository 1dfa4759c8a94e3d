// The queue of statements on the embedded database: one after the other. It yields to the event loop between them.
import { setImmediate as eventLoop } from 'node:timers/promises';
import pLimit from 'p-limit';

/** PGlite runs statements without yielding. After this time the event loop runs other requests, `/healthz` too. */
const MAX_HELD_MS = 50;

export class StatementQueue {
  private readonly inTurn = pLimit(1);
  /** Since when statements have held the event loop; undefined when it has run since the last statement. */
  private heldSince: number | undefined;

  /** @param maxWaitMs the longest wait of a statement: the time limit of a request, which has been answered by then */
  constructor(private readonly maxWaitMs: number) {}

  /** Runs work, a statement or a whole transaction, when all work before it has ended. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const asked = performance.now();
    return this.inTurn(async () => {
      await this.yieldToEventLoop();
      if (performance.now() - asked > this.maxWaitMs) throw new Error('The statement waited too long in the queue');
      return work();
    });
  }

  /** Yields when statements have held the event loop for long: before each statement, also in a transaction. */
  async yieldToEventLoop(): Promise<void> {
    if (this.heldSince !== undefined && performance.now() - this.heldSince > MAX_HELD_MS) await eventLoop();
    if (this.heldSince !== undefined) return;
    this.heldSince = performance.now();
    setImmediate(() => {
      this.heldSince = undefined;
    });
  }
}
