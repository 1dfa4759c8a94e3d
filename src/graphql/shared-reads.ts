// Reads as group commit: identical reads that wait while one is being executed share the next execution.
import { setImmediate } from 'node:timers/promises';

interface Group<Result> {
  /** Resolves when the next execution may begin. */
  free: Promise<unknown>;
  /** The execution that has not begun yet. */
  next?: Promise<Result>;
}

/**
 * Shares executions among requests that ask for the same. A request never joins an execution that began before it
 * arrived, so that it sees every write that was acknowledged by then; nothing is kept once the last one is answered.
 * 64 dashboards that poll the same list cost two executions at a time. None begins before the sockets that are ready
 * have been read: the embedded database answers before the next one is, so that nothing was shared there (lists of 1,000
 * cameras for 16 clients came at a ninth of the rate).
 */
export class SharedReads<Result> {
  private readonly groups = new Map<string, Group<Result>>();

  run(key: string, execute: () => Promise<Result>): Promise<Result> {
    const group = this.groups.get(key) ?? { free: setImmediate() };
    this.groups.set(key, group);
    group.next ??= group.free.then(() => this.begin(key, group, execute));
    return group.next;
  }

  private begin(key: string, group: Group<Result>, execute: () => Promise<Result>): Promise<Result> {
    group.next = undefined;
    const running = execute();
    group.free = running.then(
      () => setImmediate(),
      () => setImmediate(),
    );
    group.free.then(() => {
      if (group.next === undefined) this.groups.delete(key);
    });
    return running;
  }
}
