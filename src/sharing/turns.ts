// Turns of the event loop for work that holds it for long.
import { TooManyRequests } from '../errors';
import { setTimeout } from '../values/timers';

/** The longest pause behind a turn; behind a turn that was shorter than the least one there is none. */
const MAX_PAUSE_MS = 250;
const MIN_PAUSE_MS = 5;

interface Waiting {
  begin(): void;
}

/**
 * One item is worked on in each turn, and behind it the event loop is free for as long as the item held it: a body of a
 * megabyte, or a document of 5,000 tokens, can hold it for 0.1 s. Other requests come between; the loop accepts one connection
 * in each of its rounds, so a probe would wait for many items. The clients take turns.
 */
export class Turns {
  private isTaken = false;
  /** Who waits, by client, in the order of their turns. */
  private readonly queues = new Map<string, Set<Waiting>>();

  /** Resolves when the turn begins. What follows runs to the end of its synchronous part before the turn ends. */
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
        reject(new TooManyRequests('The gateway has too many long requests to read at the moment'));
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

  /** Gives the turn to the next one, or to whoever comes. */
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

  /** The client's next one comes behind those of all others. */
  private leave(client: string, waiting: Waiting): void {
    const queue = this.queues.get(client);
    if (!queue?.delete(waiting)) return;
    this.queues.delete(client);
    if (queue.size > 0) this.queues.set(client, queue);
  }
}

/** The turns of this process: long bodies and long documents have the same ones. */
const TURNS = new Turns();
export const longTurn = (client: string, waitMs: number): Promise<void> => TURNS.take(client, waitMs);

/** Short works that begin in one round of the event loop. One takes up to a millisecond. */
const SHORT_WORKS = 8;

/**
 * Begins a few short works in each round of the event loop, in the order in which they came. A client that has one of them
 * at a time takes turns with the others, and what else the loop has to do comes between.
 */
export function rounds(perRound: number): (begin: () => void) => void {
  const waiting: (() => void)[] = [];
  let begun = 0;
  let isDue = false;
  const beginNext = (begin: () => void) => {
    begun += 1;
    if (!isDue) setImmediate(nextRound);
    isDue = true;
    begin();
  };
  const nextRound = () => {
    isDue = false;
    begun = 0;
    while (begun < perRound && waiting.length > 0) beginNext(waiting.shift() as () => void);
  };
  return (begin) => {
    if (begun < perRound && waiting.length === 0) beginNext(begin);
    else waiting.push(begin);
  };
}

/** The rounds of this process: the messages of all WebSockets have the same ones. */
export const beginInRounds = rounds(SHORT_WORKS);
