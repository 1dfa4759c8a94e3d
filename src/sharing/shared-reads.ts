// Lets identical reads share one execution: reads that arrive while an execution is running share the next one.
import { setImmediate as eventLoop } from 'node:timers/promises';

interface Execution<Result> {
  /** The read of the request whose deadline is latest, and that deadline. */
  execute: () => Promise<Result>;
  deadline: number;
  result: Promise<Result>;
}

interface Group<Result> {
  /** Resolves when the next execution may start. */
  free: Promise<unknown>;
  /** The execution that has not started yet. */
  next?: Execution<Result>;
}

/**
 * Shares an execution among requests with the same key, as long as the execution has not started (batch.ts explains why the
 * result is fresh). 64 dashboards that poll one list cost two executions at a time; the floors of W1 and W2 at 16 and 64
 * connections depend on this. The event loop makes one round before each execution, because the embedded database answers
 * before the next socket is read. Without this round nothing was shared there, and a list of 1,000 cameras was served at a
 * ninth of the rate. The execution belongs to the request whose deadline is latest.
 */
export class SharedReads<Result> {
  private readonly groups = new Map<string, Group<Result>>();

  run(key: string, deadline: number, execute: () => Promise<Result>): Promise<Result> {
    const group = this.groups.get(key) ?? { free: eventLoop() };
    this.groups.set(key, group);
    group.next ??= { deadline, execute, result: group.free.then(() => this.start(key, group)) };
    if (deadline > group.next.deadline) Object.assign(group.next, { deadline, execute });
    return group.next.result;
  }

  private start(key: string, group: Group<Result>): Promise<Result> {
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
