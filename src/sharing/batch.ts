// Reads the keys of many requests with one statement. Writes are grouped in group-commit.ts, and identical reads share one
// execution in shared-reads.ts.
//
// Gain: N requests that arrive together cost two statements instead of N. Without batches, reading one job for 64 clients (W4)
// would cost 64 statements, and 64 new jobs (W6) would cost 64 commits.
//
// Freshness: a request joins only a batch, or an execution, that has not started. So every response was read after its request
// arrived, and contains every write that was acknowledged before. Nothing is cached.
import DataLoader from 'dataloader';
import { DeadlineExceeded } from '../errors';
import type { Page } from '../values/page';
import { type Deadline, isPastDeadline } from '../values/request-time';

const MAX_KEYS = 1000;
/** The maximum number of rows of one statement. 10,000 rows take up to 0.1 s; a statement has 3 s by default (REQUEST_TIMEOUT_MS). */
const MAX_ROWS = 10_000;

/** A key of a request, with the deadline of the request. */
interface Timed<Item> extends Deadline {
  readonly item: Item;
}

interface Loader<Key, Row> {
  /** Reads a key. A key that still waits at the deadline is not read. Only the keys of long reads have a deadline. */
  load(key: Key, deadline?: number): Promise<Row | null>;
}

/**
 * Reads keys in batches, one batch at a time. A batch has all keys that arrived while the previous batch was being read.
 * @param identity a text that is equal for equal keys
 * @param weight the maximum number of rows that a key reads
 */
export function batchedRead<Key, Row>(
  read: (keys: readonly Key[]) => Promise<ReadonlyMap<string, Row | null>>,
  identity: (key: Key) => string = String,
  weight: (key: Key) => number = () => 1,
): Loader<Key, Row> {
  const readChunk = async (chunk: readonly Timed<Key>[]) => {
    const inTime = new Set(chunk.filter((one) => !isPastDeadline(one)));
    const distinct = new Map([...inTime].map(({ item }) => [identity(item), item]));
    const rows = distinct.size > 0 ? await read([...distinct.values()]) : new Map<string, Row>();
    return (one: Timed<Key>): Row | null => {
      if (!inTime.has(one)) throw new DeadlineExceeded();
      return rows.get(identity(one.item)) ?? null;
    };
  };
  let running: Promise<unknown> = Promise.resolve();
  // The value of a key is a promise, so that a key waits for its own chunk only.
  const loader = new DataLoader<Timed<Key>, Promise<Row | null>>(
    async (batch) => {
      const values = new Map<Timed<Key>, Promise<Row | null>>();
      for (const chunk of splitIntoChunks(batch, ({ item }) => weight(item), MAX_ROWS)) {
        const rowOf = running.then(() => readChunk(chunk));
        running = rowOf.catch(() => {});
        for (const one of chunk)
          values.set(
            one,
            rowOf.then((of) => of(one)),
          );
      }
      return batch.map((one) => values.get(one) as Promise<Row | null>);
    },
    {
      cache: false,
      maxBatchSize: MAX_KEYS,
      // The event loop makes one round first, so that the requests of all ready sockets join the batch.
      batchScheduleFn: (dispatch) => running.then(() => setImmediate(dispatch)),
    },
  );
  return { load: async (item, deadline = Number.POSITIVE_INFINITY) => loader.load({ item, deadline }) };
}

/**
 * Reads one page for each of several owners with one statement, if the pages have the same filter, order and range. Without
 * this, a list of printers with their jobs would cost a statement for each printer.
 * @param readerOf makes the function that reads the pages of one filter, order and range
 */
export function batchedPages<Like, Row>(
  readerOf: (like: Like) => (owners: readonly string[]) => Promise<ReadonlyMap<string, Page<Row>>>,
) {
  /** A loader is kept as long as a request waits for its pages. */
  const loaders = new Map<string, { waiting: number; loader: Loader<string, Page<Row>> }>();
  return async (owner: string, like: Like, deadline: number): Promise<Page<Row>> => {
    const alike = JSON.stringify(like);
    const pages = loaders.get(alike) ?? { waiting: 0, loader: batchedRead(readerOf(like)) };
    loaders.set(alike, pages);
    pages.waiting += 1;
    try {
      return (await pages.loader.load(owner, deadline)) as Page<Row>;
    } finally {
      pages.waiting -= 1;
      if (pages.waiting === 0) loaders.delete(alike);
    }
  };
}

/** Splits items into few chunks, the lightest items first. An item that is heavier than `maxWeight` gets a chunk for itself. */
export function splitIntoChunks<Item>(
  items: readonly Item[],
  weight: (item: Item) => number,
  maxWeight: number,
): Item[][] {
  const chunks: Item[][] = [];
  let room = -1;
  for (const item of items.toSorted((a, b) => weight(a) - weight(b))) {
    room -= weight(item);
    if (room >= 0) chunks.at(-1)?.push(item);
    else {
      chunks.push([item]);
      room = maxWeight - weight(item);
    }
  }
  return chunks;
}
