// Identical reads that arrive while one is running share its successor.
import { setImmediate as eventLoop } from 'node:timers/promises';

interface Execution<Result> {
  /** The read of the request with most time left, and the deadline of that request. */
  execute: () => Promise<Result>;
  deadline: number;
  result: Promise<Result>;
}

interface Group<Result> {
  /** Resolves when the next execution may begin. */
  free: Promise<unknown>;
  /** The execution that has not begun yet. */
  next?: Execution<Result>;
}

/**
 * Requests for the same share an execution that has not begun (see batch.ts for why that is fresh). 64 dashboards that
 * poll one list cost two executions at a time: the floors of W1 and W2 at 16 and 64 connections. A round of the event loop
 * lies before each execution, because the embedded database answers before the next socket is read: without it
 * nothing was shared there, and a list of 1,000 cameras came at a ninth of the rate. The request with most time left
 * executes it for all.
 */
export class SharedReads<Result> {
  private readonly groups = new Map<string, Group<Result>>();

  run(key: string, deadline: number, execute: () => Promise<Result>): Promise<Result> {
    const group = this.groups.get(key) ?? { free: eventLoop() };
    this.groups.set(key, group);
    group.next ??= { deadline, execute, result: group.free.then(() => this.begin(key, group)) };
    if (deadline > group.next.deadline) Object.assign(group.next, { deadline, execute });
    return group.next.result;
  }

  private begin(key: string, group: Group<Result>): Promise<Result> {
    const { execute } = group.next as Execution<Result>;
    group.next = undefined;
    const running = execute();
    group.free = running.then(
      () => eventLoop(),
      () => eventLoop(),
    );
    group.free.then(() => {
      if (group.next === undefined) this.groups.delete(key);
    });
    return running;
  }
}
