// Turns of the process for what machines and receivers send: one connection at a time, the one that cost least so far, and never more than half of the time.
import { setTimeout } from '../values/timers';

/** So long connections may be worked for without a pause. A message of the greatest size takes longer, alone. */
const SLICE_MS = 10;
/** The longest pause: a message of the greatest size takes half of it. */
const LONGEST_PAUSE_MS = 100;
/** What a turn costs beside its work. */
const TURN_MS = 0.02;

/** What one connection has cost. */
export interface Account {
  spentMs: number;
}

/** The clock of the turns, and how they wait. */
interface Clock {
  now(): number;
  /** The time of the processor that this process has used: on a busy computer a turn lasts long and costs little. */
  cpuMs(): number;
  schedule(ms: number, work: () => void): void;
  /** Behind all that a turn has begun: streams and promises go on behind the call that woke them. */
  afterCurrentTurn(work: () => void): void;
}

const CLOCK: Clock = {
  now: () => performance.now(),
  cpuMs() {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  },
  // A turn is never in the same call as the one before: requests of clients come between.
  schedule: (ms, work) => void (ms > 0 ? setTimeout(work, ms) : setImmediate(work)),
  afterCurrentTurn: (work) => process.nextTick(work),
};

export class MessageTurns {
  private readonly waiting = new Map<Account, (() => void)[]>();
  private isScheduled = false;
  private isInTurn = false;
  /** What the connection of the last turn had cost: one that was silent for long has saved up nothing. */
  private lastSpentMs = 0;
  /** Grows with the work and shrinks with time; while it is above a slice, all connections wait. */
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

  /** Work that a connection made outside of its turns. */
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
    // Twice, because it shrank by as much while the work was done.
    this.load = Math.min(Math.max(0, this.load - (now - this.loadAt)) + 2 * spent, LONGEST_PAUSE_MS);
    this.loadAt = now;
  }
}

/** The turns of all connections of the process. */
export const MESSAGE_TURNS = new MessageTurns();
