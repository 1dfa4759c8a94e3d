// Loaders without memory, shared by all requests: keys that wait while a batch is being read make the next one.
import DataLoader from 'dataloader';

/**
 * A key joins only a batch whose reading has not begun, so every answer was read after its request arrived, and nothing
 * is kept. While one batch runs the next collects: N simultaneous requests cost two statements, not N.
 */
export function sharedLoader<Key, Row>(
  read: (keys: readonly Key[]) => Promise<ReadonlyMap<string, Row>>,
  identity: (key: Key) => string = String,
): DataLoader<Key, Row | null> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return new DataLoader<Key, Row | null>(
    async (keys) => {
      running += 1;
      try {
        const distinct = new Map(keys.map((key) => [identity(key), key]));
        const rows = await read([...distinct.values()]);
        return keys.map((key) => rows.get(identity(key)) ?? null);
      } finally {
        running -= 1;
        if (running === 0) for (const dispatch of waiting.splice(0)) dispatch();
      }
    },
    {
      cache: false,
      maxBatchSize: 500,
      batchScheduleFn: (dispatch) => {
        if (running > 0) waiting.push(dispatch);
        else setImmediate(dispatch);
      },
    },
  );
}
