// Work that requests share: keys that are read together and items that are written together. Nothing is remembered.
import DataLoader from 'dataloader';
import { isDeadlock, violatedConstraint } from './failures';

/**
 * A key joins only a batch whose reading has not begun, so every answer was read after its request arrived. While one
 * batch runs the next collects: N simultaneous requests cost two statements, not N.
 */
export function sharedLoader<Key, Row>(
  read: (keys: readonly Key[]) => Promise<ReadonlyMap<string, Row>>,
  identity: (key: Key) => string = String,
): DataLoader<Key, Row | null> {
  return oneBatchAtATime<Key, Row | null>(500, async (keys) => {
    const distinct = new Map(keys.map((key) => [identity(key), key]));
    const rows = await read([...distinct.values()]);
    return keys.map((key) => rows.get(identity(key)) ?? null);
  });
}

/**
 * Writes as group commit: items that wait while a statement commits are written by the next one together, and each gets
 * its own outcome. When the database refuses one of them, or one of them waits for somebody who waits for another,
 * nothing of the group was written; each is then written alone.
 * @param weight how many rows an item writes: MOST_WRITTEN of one statement
 */
export function groupCommit<Item, Outcome>(
  write: (items: readonly Item[]) => Promise<Outcome[]>,
  weight: (item: Item) => number = () => 1,
): (item: Item) => Promise<Outcome> {
  const together = async (items: readonly Item[]): Promise<(Outcome | Error)[]> => {
    try {
      return await write(items);
    } catch (error) {
      // After any other failure, such as a lost connection, the group may have been committed: it must not be repeated.
      const wasUndone = violatedConstraint(error) !== undefined || isDeadlock(error);
      if (items.length === 1 || !wasUndone) return items.map(() => error as Error);
    }
    const outcomes: (Outcome | Error)[] = [];
    for (const item of items) outcomes.push(...(await together([item])));
    return outcomes;
  };
  const loader = oneBatchAtATime<Item, Outcome>(100, async (items) => {
    const outcomes: (Outcome | Error)[] = [];
    for (const group of groupsOf(items, weight)) outcomes.push(...(await together(group)));
    return outcomes;
  });
  return (item) => loader.load(item);
}

/** A statement that writes so many takes up to 0.1 s, and one of twenty times as many longer than any statement may. */
const MOST_WRITTEN = 1000;

/** In order, as few as can be; an item that is too heavy for any is alone. */
function groupsOf<Item>(items: readonly Item[], weight: (item: Item) => number): Item[][] {
  const groups: Item[][] = [];
  let room = -1;
  for (const item of items) {
    room -= weight(item);
    if (room >= 0) groups.at(-1)?.push(item);
    else {
      groups.push([item]);
      room = MOST_WRITTEN - weight(item);
    }
  }
  return groups;
}

function oneBatchAtATime<Item, Outcome>(
  most: number,
  work: (items: readonly Item[]) => Promise<(Outcome | Error)[]>,
): DataLoader<Item, Outcome> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return new DataLoader<Item, Outcome>(
    async (items) => {
      running += 1;
      try {
        return await work(items);
      } finally {
        running -= 1;
        if (running === 0) for (const dispatch of waiting.splice(0)) dispatch();
      }
    },
    {
      cache: false,
      maxBatchSize: most,
      batchScheduleFn: (dispatch) => {
        if (running > 0) waiting.push(dispatch);
        else setImmediate(dispatch);
      },
    },
  );
}
