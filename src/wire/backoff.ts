// The waits between tries to connect to a machine or a broker.

const FIRST_MS = 1000;
const MAX_MS = 60_000;
/** So that the machines of a farm are not asked at one moment when its network is back. */
const JITTER = 0.2;
/** After refused credentials more tries could lock the account of the machine or broker. */
const AFTER_REFUSAL_MS = 15 * 60_000;
/** A connection that lasted so long was good. */
const STABLE_AFTER_MS = 30_000;
/** Ten connections a second. */
const BETWEEN_CONNECTIONS_MS = 100;

/** Unless the machine took the same credentials before: after a reboot some machines refuse right credentials for some seconds. */
const QUICK_RETRIES_MS = [5_000, 15_000, 30_000];

/** The waits of one device, or of one broker: 1 s, doubling to 60 s. */
export class Backoff {
  private tries = 0;
  private quickRetriesMs: number[] = [];

  constructor(
    private readonly firstMs = FIRST_MS,
    private readonly random: () => number = Math.random,
  ) {}

  /** The credentials were taken. */
  taken(): void {
    this.quickRetriesMs = [...QUICK_RETRIES_MS];
  }

  /** The wait after refused credentials. */
  refused(): number {
    return this.quickRetriesMs.shift() ?? AFTER_REFUSAL_MS;
  }

  /** @param lastedMs how long the last connection was open; 0 when it was never open */
  next(lastedMs: number): number {
    if (lastedMs >= STABLE_AFTER_MS) this.tries = 0;
    const wait = Math.min(this.firstMs * 2 ** this.tries, MAX_MS);
    if (wait < MAX_MS) this.tries += 1;
    return wait * (1 + JITTER * (2 * this.random() - 1));
  }
}

/** The process's connections, one after the other. */
export class ConnectGate {
  private nextAt = 0;

  constructor(private readonly clock: () => number = () => performance.now()) {}

  /** How long the next connection has to wait. */
  reserveWait(): number {
    const now = this.clock();
    const at = Math.max(now, this.nextAt);
    this.nextAt = at + BETWEEN_CONNECTIONS_MS;
    return at - now;
  }
}
