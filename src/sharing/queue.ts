// The queue of keys and items. A batch is all that arrived while the batch before it was worked on. A group is a part of a
// batch that one statement does.
import { setImmediate as loopTurn } from 'node:timers/promises';
import DataLoader from 'dataloader';
import { Overtime } from '../errors';
import { isOver } from '../values/moment';

export interface Loader<Key, Value> {
  /** @param end of the request (Moment). A key that still waits then is left out. Only keys of long reads have one. */
  load(key: Key, end?: number): Promise<Value>;
}

/** An item, and when the time of its request is over (Moment). */
export interface Timed<Item> {
  readonly item: Item;
  readonly end: number;
}

export const isInTime = (one: Timed<unknown>) => !isOver(one);

interface Most {
  /** The most items of a batch. */
  items: number;
  /**
   * The most rows of the statement of a group. A statement with 10,000 takes up to 0.1 s; it has 3 s by default
   * (REQUEST_TIMEOUT_MS).
   */
  weight: number;
}

export interface Group<Item> {
  /** Whether the group was open when its work began. */
  readonly wasOpen: boolean;
  /** Ends the group: later items come into the next one. Returns the same items at each call. */
  takeItems(): readonly Timed<Item>[];
}

export type Settled<Value> = { value: Value } | { failure: unknown };
export const late = () => ({ failure: new Overtime() });

/** An item whose request waits until it is settled. */
interface Waiting<Item, Value> extends Timed<Item> {
  settle(outcome: Settled<Value>): void;
}

/** A loader without a cache. An item is settled with its group, not with its batch. */
export function oneBatchAtATime<Item, Value>(
  most: Most,
  weight: (item: Item) => number,
  work: (group: Group<Item>) => Promise<Settled<Value>[]>,
): Loader<Item, Value> {
  let queue: Promise<unknown> = Promise.resolve();
  let batch: Waiting<Item, Value>[] = [];
  // DataLoader gets a promise as the value of an item, so an item waits for its own group only.
  const loader = new DataLoader<Timed<Item>, Promise<Settled<Value>>>(
    async (items) => {
      batch = [];
      return items.map((one) => new Promise((settle) => batch.push({ ...one, settle })));
    },
    {
      cache: false,
      maxBatchSize: most.items,
      batchScheduleFn: (dispatch) => {
        // A turn of the event loop first: it collects the requests of all sockets that are ready.
        queue = queue.then(() => loopTurn()).then(() => inGroups(dispatch));
      },
    },
  );
  const inGroups = async (dispatch: () => void) => {
    const groups = firstResult(() => {
      // DataLoader calls the function that fills `batch` before this returns.
      dispatch();
      return groupsOf(batch, ({ item }) => weight(item), most.weight);
    });
    // The first group may be open, so there are no groups before its work.
    for (let n = 0; n === 0 || n < groups().length; n += 1) {
      const takeItems = () => groups()[n] ?? [];
      const settled = await work({ wasOpen: n === 0, takeItems }).catch((failure) =>
        takeItems().map(() => ({ failure })),
      );
      for (const [at, one] of takeItems().entries()) one.settle(settled[at] as Settled<Value>);
    }
  };
  return {
    async load(item, end = Number.POSITIVE_INFINITY) {
      const settled = await loader.load({ item, end });
      if ('failure' in settled) throw settled.failure;
      return settled.value;
    },
  };
}

/** The first result, for every call. */
export function firstResult<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** The items in as few groups as can be, the lightest first; an item too heavy for any group is alone. */
function groupsOf<Item>(items: readonly Item[], weight: (item: Item) => number, maxWeight: number): Item[][] {
  const groups: Item[][] = [];
  let room = -1;
  for (const item of items.toSorted((a, b) => weight(a) - weight(b))) {
    room -= weight(item);
    if (room >= 0) groups.at(-1)?.push(item);
    else {
      groups.push([item]);
      room = maxWeight - weight(item);
    }
  }
  return groups;
}
