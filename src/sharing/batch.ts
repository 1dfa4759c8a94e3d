// How requests share work. Keys that are read together go in batches, and so do items that are written together
// (group-commit.ts); identical reads share one execution (shared-reads.ts).
//
// Gain: N requests that arrive at once cost two statements, not N. Without it a single job for 64 clients (W4) would cost
// 64 statements, and 64 new jobs (W6) would cost 64 commits.
//
// Freshness: a request joins only a batch, or an execution, that has not begun. Every answer was therefore read after its
// request arrived. It holds every write that was acknowledged before. No answer is cached.
import DataLoader from 'dataloader';
import { DeadlineExceeded } from '../errors';
import type { Page } from '../values/page';
import { type Deadline, isOver } from '../values/request-time';

const MAX_KEYS = 1000;
/** Rows of one statement. 10,000 take up to 0.1 s; a statement has 3 s by default (REQUEST_TIMEOUT_MS). */
const MAX_ROWS = 10_000;

/** A key or an item of a request. */
interface Timed<Item> extends Deadline {
  readonly item: Item;
}

interface Loader<Key, Row> {
  /** A key that still waits at the deadline is left out. Only keys of long reads have one. */
  load(key: Key, deadline?: number): Promise<Row | null>;
}

/**
 * Reads keys in batches, one batch at a time: a batch has all keys that arrived while the batch before it was read.
 * @param identity distinguishes keys
 * @param weight how many rows a key reads at most
 */
export function batchedRead<Key, Row>(
  read: (keys: readonly Key[]) => Promise<ReadonlyMap<string, Row | null>>,
  identity: (key: Key) => string = String,
  weight: (key: Key) => number = () => 1,
): Loader<Key, Row> {
  const readChunk = async (chunk: readonly Timed<Key>[]) => {
    const inTime = new Set(chunk.filter((one) => !isOver(one)));
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
      for (const chunk of inChunks(batch, ({ item }) => weight(item), MAX_ROWS)) {
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
      // The event loop goes round first: it collects the requests of all sockets that are ready.
      batchScheduleFn: (dispatch) => running.then(() => setImmediate(dispatch)),
    },
  );
  return { load: async (item, deadline = Number.POSITIVE_INFINITY) => loader.load({ item, deadline }) };
}

/**
 * Reads the pages of owners. Requests for pages that are alike share a statement: a list of printers with their jobs would
 * cost a statement for each printer.
 * @param readerOf makes the read of pages with the same filter, order and range
 */
export function batchedPages<Like, Row>(
  readerOf: (like: Like) => (owners: readonly string[]) => Promise<ReadonlyMap<string, Page<Row>>>,
) {
  /** Each loader is kept as long as a request waits for it. */
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

/** The items in as few chunks as can be, the lightest first; an item too heavy for any chunk is alone. */
export function inChunks<Item>(items: readonly Item[], weight: (item: Item) => number, maxWeight: number): Item[][] {
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
