// Turns of the event loop for work that holds it for long.
import { TooManyRequests } from '../errors';
import { setTimeout } from '../values/timers';
import { Room } from './room';

/** The longest pause behind a turn; behind a turn that was shorter than the least one there is none. */
const MAX_PAUSE_MS = 250;
const MIN_PAUSE_MS = 5;

/**
 * One item is worked on in each turn, and behind it the event loop is free for as long as the item held it: a body of a
 * megabyte, or a document of 5,000 tokens, can hold it for 0.1 s. Other requests come between; the loop accepts one connection
 * in each of its rounds, so a probe would wait for many items. The clients take turns.
 */
export function turns(): (client: string, waitMs: number) => Promise<void> {
  const room = new Room(1);
  const late = () => new TooManyRequests('The gateway has too many long requests to read at the moment');
  return async (client, waitMs) => {
    const leave = await room.enter(client, 1, waitMs, late);
    await new Promise((resolve) => setImmediate(resolve));
    const began = performance.now();
    // What follows runs to the end of its synchronous part before this does.
    setImmediate(() => {
      const heldMs = performance.now() - began;
      if (heldMs < MIN_PAUSE_MS) leave();
      else setTimeout(leave, Math.min(heldMs, MAX_PAUSE_MS));
    });
  };
}

/** The turns of this process: long bodies and long documents have the same ones. */
export const longTurn = turns();

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
