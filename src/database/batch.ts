// Work that requests share: keys that are read together and items that are written together. Nothing is remembered.
import DataLoader from 'dataloader';
import { violatedConstraint } from './failures';

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
 * its own outcome. When the database refuses one of them, nothing of the group was written; each is then written alone.
 */
export function groupCommit<Item, Outcome>(
  write: (items: readonly Item[]) => Promise<Outcome[]>,
): (item: Item) => Promise<Outcome> {
  const loader = oneBatchAtATime<Item, Outcome>(100, async (items) => {
    try {
      return await write(items);
    } catch (error) {
      // After any other failure, such as a lost connection, the group may have been committed: it must not be repeated.
      if (items.length === 1 || violatedConstraint(error) === undefined) throw error;
    }
    const outcomes: (Outcome | Error)[] = [];
    for (const item of items) {
      outcomes.push(
        await write([item]).then(
          ([outcome]) => outcome as Outcome,
          (error) => error as Error,
        ),
      );
    }
    return outcomes;
  });
  return (item) => loader.load(item);
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
