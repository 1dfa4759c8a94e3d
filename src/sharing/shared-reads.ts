// Identical reads that arrive while one is running share its successor.
import { setImmediate as loopTurn } from 'node:timers/promises';

interface Group<Result> {
  /** Resolves when the next execution may begin. */
  free: Promise<unknown>;
  /** The execution that has not begun yet. */
  next?: Promise<Result>;
  /** How the last of its requests would execute it. */
  execute: () => Promise<Result>;
}

/**
 * Requests for the same share an execution that has not begun (see batch.ts for why that is fresh). 64 dashboards that
 * poll one list cost two executions at a time: the floors of W1 and W2 at 16 and 64 connections. A turn of the event loop
 * lies before each execution, because the embedded database answers before the next socket is read: without the turn
 * nothing was shared there, and a list of 1,000 cameras came at a ninth of the rate. The last request, which has most time
 * left, executes it for all.
 */
export class SharedReads<Result> {
  private readonly groups = new Map<string, Group<Result>>();

  run(key: string, execute: () => Promise<Result>): Promise<Result> {
    const group = this.groups.get(key) ?? { free: loopTurn(), execute };
    this.groups.set(key, group);
    group.execute = execute;
    group.next ??= group.free.then(() => this.begin(key, group));
    return group.next;
  }

  private begin(key: string, group: Group<Result>): Promise<Result> {
    group.next = undefined;
    const running = group.execute();
    group.free = running.then(
      () => loopTurn(),
      () => loopTurn(),
    );
    group.free.then(() => {
      if (group.next === undefined) this.groups.delete(key);
    });
    return running;
  }
}
