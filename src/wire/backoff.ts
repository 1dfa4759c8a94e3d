// The waits between tries to connect to a machine or a broker.

const FIRST_MS = 1000;
const MAX_MS = 60_000;
/** So that the machines of a farm are not asked at one moment when its network is back. */
const JITTER = 0.2;
/** After refused credentials more tries could lock the account of the machine or broker. */
const REFUSED_MS = 15 * 60_000;
/** A connection that lasted so long was good. */
const GOOD_MS = 30_000;
/** Ten connections a second. */
const GAP_MS = 100;

/** Unless the machine took the same credentials before: after a reboot some machines refuse right credentials for some seconds. */
const AGAIN_MS = [5_000, 15_000, 30_000];

/** The waits of one device, or of one broker: 1 s, doubling to 60 s. */
export class Backoff {
  private tries = 0;
  private again: number[] = [];

  constructor(
    private readonly firstMs = FIRST_MS,
    private readonly random: () => number = Math.random,
  ) {}

  /** The credentials were taken. */
  taken(): void {
    this.again = [...AGAIN_MS];
  }

  /** The wait after refused credentials. */
  refused(): number {
    return this.again.shift() ?? REFUSED_MS;
  }

  /** @param lastedMs how long the last connection was open; 0 when it was never open */
  next(lastedMs: number): number {
    if (lastedMs >= GOOD_MS) this.tries = 0;
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
  wait(): number {
    const now = this.clock();
    const at = Math.max(now, this.nextAt);
    this.nextAt = at + GAP_MS;
    return at - now;
  }
}
