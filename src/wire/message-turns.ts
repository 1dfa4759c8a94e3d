// Decides which connection's data the process handles next: that of the connection that has cost least, and in half of the time at most.
import { setTimeout } from '../values/timers';

/** How long the process may work for connections without a pause. A single message of the greatest size takes longer. */
const SLICE_MS = 10;
/** The longest pause. A message of the greatest size takes half of this time. */
const LONGEST_PAUSE_MS = 100;
/** What a turn costs in addition to its work. */
const TURN_MS = 0.02;

/** What one connection has cost so far. */
export interface Account {
  spentMs: number;
}

/** The clock of the turns, and how they wait. Tests replace it. */
interface Clock {
  now(): number;
  /** The processor time that this process has used. On a busy computer a turn may last long and still cost little. */
  cpuMs(): number;
  schedule(ms: number, work: () => void): void;
  /** Runs after everything that the turn has started, because streams and promises continue after the call that woke them. */
  afterCurrentTurn(work: () => void): void;
}

const CLOCK: Clock = {
  now: () => performance.now(),
  cpuMs() {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  },
  // Two turns are never in the same call, so that requests of clients come in between.
  schedule: (ms, work) => void (ms > 0 ? setTimeout(work, ms) : setImmediate(work)),
  afterCurrentTurn: (work) => process.nextTick(work),
};

export class MessageTurns {
  private readonly waiting = new Map<Account, (() => void)[]>();
  private isScheduled = false;
  private isInTurn = false;
  /** What the connection of the last turn had cost. A connection that was silent for long starts here, so it saves up no turns. */
  private lastSpentMs = 0;
  /** Grows with the work and shrinks with time. While it is above SLICE_MS, all connections wait. */
  private load = 0;
  private loadAt = 0;

  constructor(private readonly clock: Clock = CLOCK) {}

  enqueue(account: Account, work: () => void): void {
    const works = this.waiting.get(account);
    if (works !== undefined) {
      works.push(work);
      return;
    }
    account.spentMs = Math.max(account.spentMs, this.lastSpentMs);
    this.waiting.set(account, [work]);
    this.schedule();
  }

  /** Runs work for a connection outside of its turns, and charges the connection for it. */
  runCharged<Result>(account: Account, work: () => Result): Result {
    if (this.isInTurn) return work();
    const begun = this.clock.cpuMs();
    this.isInTurn = true;
    try {
      return work();
    } finally {
      this.isInTurn = false;
      this.charge(account, begun);
    }
  }

  private schedule(): void {
    if (this.isScheduled || this.waiting.size === 0) return;
    this.isScheduled = true;
    this.clock.schedule(this.load > SLICE_MS ? Math.ceil(this.load) : 0, () => this.runNext());
  }

  private runNext(): void {
    const account = [...this.waiting.keys()].reduce((least, other) => (other.spentMs < least.spentMs ? other : least));
    const works = this.waiting.get(account) as (() => void)[];
    const work = works.shift() as () => void;
    if (works.length === 0) this.waiting.delete(account);
    this.lastSpentMs = account.spentMs;
    const begun = this.clock.cpuMs();
    this.isInTurn = true;
    try {
      work();
    } finally {
      this.clock.afterCurrentTurn(() => {
        this.isInTurn = false;
        this.charge(account, begun);
        this.isScheduled = false;
        this.schedule();
      });
    }
  }

  private charge(account: Account, begun: number): void {
    const now = this.clock.now();
    const spent = this.clock.cpuMs() - begun + TURN_MS;
    account.spentMs += spent;
    // Counted twice, because the load shrank by as much while the work ran.
    this.load = Math.min(Math.max(0, this.load - (now - this.loadAt)) + 2 * spent, LONGEST_PAUSE_MS);
    this.loadAt = now;
  }
}

/** The turns of all connections of the process. */
export const MESSAGE_TURNS = new MessageTurns();
