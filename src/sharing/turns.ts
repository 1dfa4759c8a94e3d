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
