// The turns of statements on the embedded database: one after the other, with turns of the event loop between them.
import { setImmediate as loopTurn } from 'node:timers/promises';

/** PGlite runs a statement without a turn of the event loop. After this time other requests get one, `/healthz` too. */
const MAX_HELD_MS = 50;

export class Turns {
  private queue: Promise<unknown> = Promise.resolve();
  /** When the event loop was last seen to turn; undefined when it has turned since. */
  private heldSince: number | undefined;

  /** @param maxWaitMs the longest wait of a statement: the time limit of a request, which has been answered by then */
  constructor(private readonly maxWaitMs: number) {}

  /** Runs work, a statement or a whole transaction, when all work before it has ended. */
  take<T>(work: () => Promise<T>): Promise<T> {
    const asked = performance.now();
    const done = this.queue.then(async () => {
      await this.breathe();
      if (performance.now() - asked > this.maxWaitMs) throw new Error('The statement waited too long for its turn');
      return work();
    });
    this.queue = done.catch(() => {});
    return done;
  }

  /** Lets the event loop turn when statements have held it for long: before each statement, also in a transaction. */
  async breathe(): Promise<void> {
    if (this.heldSince !== undefined && performance.now() - this.heldSince > MAX_HELD_MS) await loopTurn();
    if (this.heldSince !== undefined) return;
    this.heldSince = performance.now();
    setImmediate(() => {
      this.heldSince = undefined;
    });
  }
}
