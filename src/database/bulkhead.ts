// Limits the connections that statements of one kind hold. When a table is locked, other tables still get connections.
import { DatabaseUnavailable } from '../errors';
import { setTimeout } from '../values/timers';

interface Kind {
  held: number;
  waiting: Set<() => void>;
}

export class Bulkhead {
  private readonly kinds = new Map<string, Kind>();

  private readonly connections: number;

  /**
   * @param poolSize null: there is no pool, and no limit
   * @param waitMs the longest wait for a connection
   */
  constructor(
    poolSize: number | null,
    private readonly waitMs: number,
  ) {
    // Of ten connections, a locked table holds three of each of two stores, and those of three keyed writes: one stays free.
    this.connections = poolSize === null ? Number.POSITIVE_INFINITY : Math.max(2, Math.floor(poolSize / 3));
  }

  get waiting(): number {
    return [...this.kinds.values()].reduce((sum, { waiting }) => sum + waiting.size, 0);
  }

  async run<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const kind = this.kinds.get(name) ?? { held: 0, waiting: new Set() };
    this.kinds.set(name, kind);
    if (kind.held >= this.connections) await this.freeConnection(kind);
    else kind.held += 1;
    try {
      return await work();
    } finally {
      // A connection goes to the request that has waited longest.
      const [next] = kind.waiting;
      if (next) next();
      else kind.held -= 1;
    }
  }

  private freeConnection({ waiting }: Kind): Promise<void> {
    return new Promise((resolve, reject) => {
      const next = () => {
        clearTimeout(timer);
        waiting.delete(next);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.delete(next);
        reject(new DatabaseUnavailable('All connections of this store are in use'));
      }, this.waitMs);
      waiting.add(next);
    });
  }
}
