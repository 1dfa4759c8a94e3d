// Decides how long the gateway waits before it tries again to connect to a machine or a broker.

const FIRST_MS = 1000;
const MAX_MS = 60_000;
/** Spreads the connections, so that not all machines of a farm are dialled in the same moment when the network is back. */
const JITTER = 0.2;
/** The wait after refused credentials, because more attempts could lock the account at the machine or broker. */
const AFTER_REFUSAL_MS = 15 * 60_000;
/** A connection that lasted this long was stable, so the waits start again at the shortest. */
const STABLE_AFTER_MS = 30_000;
/** The process opens ten connections a second at most. */
const BETWEEN_CONNECTIONS_MS = 100;

/** The first waits after a refusal, if the machine accepted the same credentials before. After a reboot some machines reject correct credentials for some seconds. */
const QUICK_RETRIES_MS = [5_000, 15_000, 30_000];

/** The waits of one device or one broker. They start at 1 s and double up to 60 s. */
export class Backoff {
  private tries = 0;
  private quickRetriesMs: number[] = [];

  constructor(
    private readonly firstMs = FIRST_MS,
    private readonly random: () => number = Math.random,
  ) {}

  /** Notes that the machine accepted the credentials. */
  noteAccepted(): void {
    this.quickRetriesMs = [...QUICK_RETRIES_MS];
  }

  /** The wait after refused credentials. */
  nextWaitAfterRefusal(): number {
    return this.quickRetriesMs.shift() ?? AFTER_REFUSAL_MS;
  }

  /** @param lastedMs how long the last connection was open; 0 if it never opened */
  nextWait(lastedMs: number): number {
    if (lastedMs >= STABLE_AFTER_MS) this.tries = 0;
    const wait = Math.min(this.firstMs * 2 ** this.tries, MAX_MS);
    if (wait < MAX_MS) this.tries += 1;
    return wait * (1 + JITTER * (2 * this.random() - 1));
  }
}

/** Spaces out the connections of the process. */
export class ConnectGate {
  private nextAt = 0;

  constructor(private readonly clock: () => number = () => performance.now()) {}

  /** Reserves the next moment for a connection. Returns the milliseconds until then. */
  reserveWait(): number {
    const now = this.clock();
    const at = Math.max(now, this.nextAt);
    this.nextAt = at + BETWEEN_CONNECTIONS_MS;
    return at - now;
  }
}
