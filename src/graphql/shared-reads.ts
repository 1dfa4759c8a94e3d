// Reads as group commit: identical reads that wait while one is being executed share the next execution.

interface Group<Result> {
  running: Promise<Result>;
  next?: Promise<Result>;
}

/**
 * Shares executions among requests that ask for the same. A request never joins an execution that began before it
 * arrived, so that it sees every write that was acknowledged by then; nothing is kept once the last one is answered.
 * 64 dashboards that poll the same list cost two executions at a time.
 */
export class SharedReads<Result> {
  private readonly groups = new Map<string, Group<Result>>();

  run(key: string, execute: () => Promise<Result>): Promise<Result> {
    const group = this.groups.get(key);
    if (group === undefined) return this.begin(key, execute);
    group.next ??= group.running.then(
      () => this.begin(key, execute),
      () => this.begin(key, execute),
    );
    return group.next;
  }

  private begin(key: string, execute: () => Promise<Result>): Promise<Result> {
    const group: Group<Result> = { running: execute() };
    this.groups.set(key, group);
    const done = () => {
      // When others wait, the next execution takes this place before they can be answered.
      if (group.next === undefined) this.groups.delete(key);
    };
    group.running.then(done, done);
    return group.running;
  }
}
