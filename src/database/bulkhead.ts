// Limits how many connections the statements of one store may use, so that a locked table does not block statements on other tables.
import { DatabaseUnavailable } from '../errors';
import { setTimeout } from '../values/timers';

interface Share {
  used: number;
  waiting: Set<() => void>;
}

export class Bulkhead {
  /** The connections in use, by the names of the stores. */
  private readonly shares = new Map<string, Share>();

  private readonly connections: number;

  /**
   * @param poolSize the size of the pool of connections; null: there is no pool, so there is no limit
   * @param waitMs the longest wait for a connection
   */
  constructor(
    poolSize: number | null,
    private readonly waitMs: number,
  ) {
    // Of ten connections, a locked table can hold three for each of two stores and three for keyed writes. One connection stays free.
    this.connections = poolSize === null ? Number.POSITIVE_INFINITY : Math.max(2, Math.floor(poolSize / 3));
  }

  get waiting(): number {
    return [...this.shares.values()].reduce((sum, { waiting }) => sum + waiting.size, 0);
  }

  async run<Result>(store: string, work: () => Promise<Result>): Promise<Result> {
    const share = this.shares.get(store) ?? { used: 0, waiting: new Set() };
    this.shares.set(store, share);
    if (share.used >= this.connections) await this.waitForConnection(share);
    else share.used += 1;
    try {
      return await work();
    } finally {
      // The statement that has waited longest gets the connection.
      const [next] = share.waiting;
      if (next) next();
      else share.used -= 1;
    }
  }

  private waitForConnection({ waiting }: Share): Promise<void> {
    return new Promise((resolve, reject) => {
      const next = () => {
        clearTimeout(timer);
        waiting.delete(next);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.delete(next);
        reject(
          new DatabaseUnavailable('All database connections that statements of this store may use are busy', 'BUSY'),
        );
      }, this.waitMs);
      waiting.add(next);
    });
  }
}
