// Decides when work that blocks the event loop may start, so that other requests run in between.
import { TooManyRequests } from '../errors';
import { setTimeout } from '../values/timers';

/** The longest pause after a turn. */
const MAX_PAUSE_MS = 250;
/** A turn that blocked the event loop for a shorter time is followed by no pause. */
const MIN_PAUSE_MS = 5;

interface Waiting {
  begin(): void;
}

/**
 * Gives a turn to one item at a time. After each turn there is a pause, as long as the item blocked the event loop, in which other
 * requests run. A body of a megabyte, or a document of 5,000 tokens, can block the loop for 0.1 s. Because the loop accepts one
 * connection in each round, a probe would otherwise wait for many items. Clients that wait get their turns in rotation.
 */
export class Turns {
  private isTaken = false;
  /** The waiting items by client. The first client has the next turn. */
  private readonly queues = new Map<string, Set<Waiting>>();

  /** Resolves when the turn starts. The turn ends after the synchronous code that follows. */
  async take(client: string, waitMs: number): Promise<void> {
    if (this.isTaken) await this.wait(client, waitMs);
    this.isTaken = true;
    await new Promise((resolve) => setImmediate(resolve));
    const began = performance.now();
    setImmediate(() => {
      const heldMs = performance.now() - began;
      if (heldMs < MIN_PAUSE_MS) this.pass();
      else setTimeout(() => this.pass(), Math.min(heldMs, MAX_PAUSE_MS));
    });
  }

  private wait(client: string, ms: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.leave(client, waiting);
        reject(new TooManyRequests('The gateway is busy with too many long requests. Try again in a few seconds.'));
      }, ms);
      const waiting = {
        begin: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      this.queues.set(client, (this.queues.get(client) ?? new Set()).add(waiting));
    });
  }

  /** Gives the turn to the next waiting item. If no item waits, the next call of `take` gets it. */
  private pass(): void {
    for (const [client, queue] of this.queues) {
      const [first] = queue;
      if (first === undefined) continue;
      this.leave(client, first);
      first.begin();
      return;
    }
    this.isTaken = false;
  }

  /** Removes an item from the queue of its client. The client's next item then comes after those of all other clients. */
  private leave(client: string, waiting: Waiting): void {
    const queue = this.queues.get(client);
    if (!queue?.delete(waiting)) return;
    this.queues.delete(client);
    if (queue.size > 0) this.queues.set(client, queue);
  }
}

/** The turns of this process, which long bodies and long documents share. */
const TURNS = new Turns();
export const takeLongTurn = (client: string, waitMs: number): Promise<void> => TURNS.take(client, waitMs);

/** How many short pieces of work start in one round of the event loop. One takes up to a millisecond. */
const WORK_PER_ROUND = 8;

/**
 * Starts a few short pieces of work in each round of the event loop, in the order of their arrival, so that everything else that the
 * loop has to do runs in between. If each client has only one piece waiting at a time, clients take turns.
 */
export function createRounds(perRound: number): (begin: () => void) => void {
  const waiting: (() => void)[] = [];
  let started = 0;
  let isDue = false;
  const startNext = (begin: () => void) => {
    started += 1;
    if (!isDue) setImmediate(nextRound);
    isDue = true;
    begin();
  };
  const nextRound = () => {
    isDue = false;
    started = 0;
    while (started < perRound && waiting.length > 0) startNext(waiting.shift() as () => void);
  };
  return (begin) => {
    if (started < perRound && waiting.length === 0) startNext(begin);
    else waiting.push(begin);
  };
}

/** The rounds of this process, which the messages of all WebSockets share. */
export const startInRounds = createRounds(WORK_PER_ROUND);
