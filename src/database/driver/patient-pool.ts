// Limits the pool of connections to what the server grants: if that is less than the pool may have, statements wait for a free connection.
import { Pool, type PoolClient, type PoolConfig } from 'pg';
import { setTimeout } from '../../values/timers';

/** After this time the pool asks for more connections again, because the server may grant them now. */
const RETRY_MS = 60_000;
const REPORT_MS = 500;

type Connected = (error: Error | undefined, client: PoolClient | undefined, release: PoolClient['release']) => void;

export class PatientPool extends Pool {
  private readonly maxSize: number;
  /** The number of open connections that the server has granted. */
  private granted = 0;
  private shrunkAt = Number.NEGATIVE_INFINITY;
  private reported: number | undefined;
  private reporting: NodeJS.Timeout | undefined;

  /** @param scarce is called with the number of connections that the server grants, and its refusal of another one */
  constructor(
    options: PoolConfig & { max: number },
    private readonly scarce: (connections: number, refusal: unknown) => void,
  ) {
    super(options);
    this.maxSize = options.max;
    this.on('connect', () => {
      this.granted += 1;
      this.options.max = Math.max(this.options.max, this.granted);
    });
    this.on('remove', () => {
      this.granted -= 1;
    });
  }

  override connect(): Promise<PoolClient>;
  override connect(done: Connected): void;
  override connect(done?: Connected): Promise<PoolClient> | undefined {
    const connected = this.connectOrWait();
    if (done === undefined) return connected;
    connected.then(
      (client) => done(undefined, client, client.release),
      (error) => done(error, undefined, () => {}),
    );
    return undefined;
  }

  private async connectOrWait(): Promise<PoolClient> {
    if (this.options.max < this.maxSize && performance.now() - this.shrunkAt > RETRY_MS)
      this.options.max = this.maxSize;
    for (;;) {
      try {
        return await super.connect();
      } catch (error) {
        if (!isScarce(error) || this.totalCount === 0) throw error;
        this.shrink(error);
      }
    }
  }

  /** Limits the pool to the connections that it has. A full pool opens no further connection, so statements wait for a free one. */
  private shrink(refusal: unknown): void {
    this.options.max = Math.max(1, this.granted);
    this.shrunkAt = performance.now();
    // The report waits, because other connections may still be opened at this moment.
    this.reporting ??= setTimeout(() => {
      this.reporting = undefined;
      if (this.reported !== this.granted) this.scarce(this.granted, refusal);
      this.reported = this.granted;
    }, REPORT_MS).unref();
  }
}

/** Whether the role, the database or the whole server has reached its limit of connections. */
export const isScarce = (error: unknown) => (error as { code?: unknown } | null)?.code === '53300';
