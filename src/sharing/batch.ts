// How requests share work. Keys that are read together, and items that are written together, go in batches; identical
// reads share one execution (shared-reads.ts).
//
// Gain: N requests that arrive at once cost two statements, not N. Without it a single job for 64 clients (W4) would cost
// 64 statements, and 64 new jobs (W6) would cost 64 commits.
//
// Freshness: a request joins only a batch, or an execution, that has not begun. Every answer was therefore read after its
// request arrived. It holds every write that was acknowledged before. Nothing is remembered behind an answer.
import { setImmediate as loopTurn } from 'node:timers/promises';
import DataLoader from 'dataloader';
import { isDeadlock, violatedConstraint } from '../database/failures';

export interface Loader<Key, Value> {
  load(key: Key): Promise<Value>;
}

const MAX_KEYS_READ = 500;
const MAX_ITEMS_WRITTEN = 100;
/** Rows of one statement. A statement that writes so many takes up to 0.1 s; a statement has 3 s. */
const MAX_ROWS_WRITTEN = 1000;

/** Reads keys in batches, one batch at a time. @param identity tells keys apart */
export function batchedRead<Key, Row>(
  read: (keys: readonly Key[]) => Promise<ReadonlyMap<string, Row | null>>,
  identity: (key: Key) => string = String,
): Loader<Key, Row | null> {
  return oneBatchAtATime(MAX_KEYS_READ, async (keys) => {
    const distinct = new Map(keys.map((key) => [identity(key), key]));
    const rows = await read([...distinct.values()]);
    return keys.map((key) => rows.get(identity(key)) ?? null);
  });
}

/**
 * Writes items in groups, one group at a time: items that wait while a group commits are written by the next statement
 * together, and each has its own outcome. A group that the database refuses, because of one item or because of a
 * deadlock, was undone as a whole; each of its items is then written alone, and once more after a deadlock of its own.
 * @param weight how many rows an item writes
 */
export function groupCommit<Item, Outcome>(
  write: (items: readonly Item[]) => Promise<Outcome[]>,
  weight: (item: Item) => number = () => 1,
): (item: Item) => Promise<Outcome> {
  const together = async (items: readonly Item[], tries = 2): Promise<(Outcome | Error)[]> => {
    try {
      return await write(items);
    } catch (error) {
      if (items.length === 1 && isDeadlock(error) && tries > 1) return together(items, tries - 1);
      // After any other failure, such as a lost connection, the group may have been committed: it must not be repeated.
      const wasUndone = violatedConstraint(error) !== undefined || isDeadlock(error);
      if (items.length === 1 || !wasUndone) return items.map(() => error as Error);
    }
    const outcomes: (Outcome | Error)[] = [];
    for (const item of items) outcomes.push(...(await together([item])));
    return outcomes;
  };
  const loader = oneBatchAtATime<Item, Outcome>(MAX_ITEMS_WRITTEN, async (items) => {
    const outcomes: (Outcome | Error)[] = [];
    for (const group of groupsOf(items, weight)) outcomes.push(...(await together(group)));
    return outcomes;
  });
  return (item) => loader.load(item);
}

/** In order, as few groups as can be; an item that is too heavy for any group is alone. */
function groupsOf<Item>(items: readonly Item[], weight: (item: Item) => number): Item[][] {
  const groups: Item[][] = [];
  let room = -1;
  for (const item of items) {
    room -= weight(item);
    if (room >= 0) groups.at(-1)?.push(item);
    else {
      groups.push([item]);
      room = MAX_ROWS_WRITTEN - weight(item);
    }
  }
  return groups;
}

/** A loader without a cache. Its batches run one after the other; the next batch collects while one runs. */
function oneBatchAtATime<Item, Outcome>(
  maxBatchSize: number,
  work: (items: readonly Item[]) => Promise<(Outcome | Error)[]>,
): Loader<Item, Outcome> {
  let running: Promise<unknown> = Promise.resolve();
  let queue: Promise<unknown> = running;
  return new DataLoader<Item, Outcome>(
    (items) => {
      const outcomes = work(items);
      running = outcomes.catch(() => {});
      return outcomes;
    },
    {
      cache: false,
      maxBatchSize,
      batchScheduleFn: (dispatch) => {
        // A turn of the event loop first: it collects the requests of all sockets that are ready.
        queue = queue
          .then(() => loopTurn())
          .then(() => {
            dispatch();
            return running;
          });
      },
    },
  );
}
