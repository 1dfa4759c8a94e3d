// A pool whose server gives fewer connections than the pool may have: statements then wait until a given connection is free.
import { Pool, type PoolClient, type PoolConfig } from 'pg';
import { setTimeout } from '../../values/timers';

/** The server may give more again. */
const AGAIN_MS = 60_000;
const REPORT_MS = 500;

type Connected = (error: Error | undefined, client: PoolClient | undefined, release: PoolClient['release']) => void;

export class PatientPool extends Pool {
  private readonly most: number;
  /** Connections that the server has given. */
  private given = 0;
  private shrunkAt = Number.NEGATIVE_INFINITY;
  private reported: number | undefined;
  private reporting: NodeJS.Timeout | undefined;

  /** @param scarce called with the number of connections that the server gives, and its refusal */
  constructor(
    options: PoolConfig & { max: number },
    private readonly scarce: (connections: number, refusal: unknown) => void,
  ) {
    super(options);
    this.most = options.max;
    this.on('connect', () => {
      this.given += 1;
      this.options.max = Math.max(this.options.max, this.given);
    });
    this.on('remove', () => {
      this.given -= 1;
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
    if (this.options.max < this.most && performance.now() - this.shrunkAt > AGAIN_MS) this.options.max = this.most;
    for (;;) {
      try {
        return await super.connect();
      } catch (error) {
        if (!isScarce(error) || this.totalCount === 0) throw error;
        this.shrink(error);
      }
    }
  }

  /** A full pool makes no further connection: statements wait until a connection is free. */
  private shrink(refusal: unknown): void {
    this.options.max = Math.max(1, this.given);
    this.shrunkAt = performance.now();
    // Others are on their way.
    this.reporting ??= setTimeout(() => {
      this.reporting = undefined;
      if (this.reported !== this.given) this.scarce(this.given, refusal);
      this.reported = this.given;
    }, REPORT_MS).unref();
  }
}

/** The role, the database or the whole server has as many connections as it may. */
export const isScarce = (error: unknown) => (error as { code?: unknown } | null)?.code === '53300';
