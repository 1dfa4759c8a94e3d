// How requests share work. Keys that are read together, and items that are written together, go in batches; identical
// reads share one execution (shared-reads.ts).
//
// Gain: N requests that arrive at once cost two statements, not N. Without it a single job for 64 clients (W4) would cost
// 64 statements, and 64 new jobs (W6) would cost 64 commits.
//
// Freshness: a request joins only a batch, or an execution, that has not begun. Every answer was therefore read after its
// request arrived. It holds every write that was acknowledged before. No answer is kept. One exception: the printers and
// spools of new jobs (inventory/known-links.ts).
import { setImmediate as loopTurn } from 'node:timers/promises';
import DataLoader from 'dataloader';
import { isDeadlock, isLockTimeout, isRefused, isStatementTimeout } from '../database/failures';
import { Overtime } from '../errors';
import { isOver } from '../values/moment';

interface Loader<Key, Value> {
  /** @param end of the request (Moment). A key that still waits then is left out. Only keys of long reads have one. */
  load(key: Key, end?: number): Promise<Value>;
}

/** An item, and when the time of its request is over (Moment). */
interface Timed<Item> {
  readonly item: Item;
  readonly end: number;
}

const isInTime = (one: Timed<unknown>) => !isOver(one);

/** `weight` is in rows of one statement. A statement with so many takes up to 0.1 s. By default (REQUEST_TIMEOUT_MS) it has 3 s. */
const READ = { items: 500, weight: 10_000 };
const WRITTEN = { items: 100, weight: 1000 };

/** The longest waits of writes for a lock. PostgreSQL looks for deadlocks only after a second. */
interface LockWaits {
  groupMs: number;
  loneMs: number;
}

const SHORT: LockWaits = { groupMs: 100, loneMs: 20 };
/** As long as a statement may take. */
const LONG: LockWaits = { groupMs: 0, loneMs: 0 };

/** Says that nothing of a group was done, because of these items. */
export class GroupUndone extends Error {
  constructor(readonly because: ReadonlySet<unknown>) {
    super();
  }
}

/**
 * Reads keys in batches, one batch at a time.
 * @param identity tells keys apart
 * @param weight how many rows a key reads at most
 */
export function batchedRead<Key, Row>(
  read: (keys: readonly Key[]) => Promise<ReadonlyMap<string, Row | null>>,
  identity: (key: Key) => string = String,
  weight: (key: Key) => number = () => 1,
): Loader<Key, Row | null> {
  return oneBatchAtATime<Key, Row | null>(READ, weight, async (group) => {
    const inTime = new Set(group.close().filter(isInTime));
    const distinct = new Map([...inTime].map(({ item }) => [identity(item), item]));
    const rows = inTime.size > 0 ? await read([...distinct.values()]) : new Map<string, Row | null>();
    return group.close().map((one) => (inTime.has(one) ? { value: rows.get(identity(one.item)) ?? null } : late()));
  });
}

interface Group<Item> {
  /** Whether the group was open when its write began. */
  readonly wasOpen: boolean;
  /** Ends the group: later items come into the next one. Returns its items, the same at each call. */
  close(): readonly Timed<Item>[];
}

/**
 * Writes items in groups, one group at a time: items that wait while a group commits are written by the next statement
 * together, and each has its own outcome. The database may refuse a group because of one item, a deadlock, or a lock of
 * another program. Then nothing of the group was done. Where the write names the faulty items (GroupUndone), the others
 * are written together once more. Every item that is still left is written alone. Groups wait shortly for locks. An item
 * that is still locked waits longer in groups of such items, so the others go on. An item whose request is over is left
 * out: its client has its answer, and the items behind it would wait.
 * The write itself closes its group. Items that arrive before that belong to the group, and share its failure.
 * @param write `close` returns the items, the same at each call; none when the requests of all of them are over. `lockMs`
 * is the longest wait for a lock; 0 for as long as a statement may take
 * @param weight how many rows an item writes
 */
export function groupCommit<Item, Outcome>(
  write: (close: () => readonly Item[], lockMs: number) => Promise<Outcome[]>,
  weight: (item: Item) => number = () => 1,
): (item: Item, end: number) => Promise<Outcome> {
  const lane = (waits: LockWaits) =>
    oneBatchAtATime<Item, Outcome>(WRITTEN, weight, async (group) => {
      const outcomes = new Map<Timed<Item>, Settled<Outcome>>();
      /** The items are left without outcomes when nothing of their group was done. */
      const attempt = async (some: Group<Item>, lockMs: number): Promise<readonly Timed<Item>[]> => {
        const inTime = firstResult(() => some.close().filter(isInTime));
        const close = () => inTime().map(({ item }) => item);
        let settled: Settled<Outcome>[];
        try {
          const done = some.wasOpen || close().length > 0 ? await write(close, lockMs) : [];
          settled = done.map((value) => ({ value }));
        } catch (failure) {
          const others =
            failure instanceof GroupUndone ? inTime().filter(({ item }) => !failure.because.has(item)) : [];
          // After any other failure, such as a lost connection, the group may have been committed: it must not be repeated.
          if (close().length > 1 && wasUndone(failure, waits)) return others;
          settled = close().map(() => ({ failure }));
        }
        for (const [at, one] of inTime().entries()) outcomes.set(one, settled[at] as Settled<Outcome>);
        return [];
      };
      const others = await attempt(group, waits.groupMs);
      if (others.length > 0) await attempt(closed(others), waits.groupMs);
      for (const one of group.close()) if (!outcomes.has(one)) await attempt(closed([one]), waits.loneMs);
      return group.close().map((one) => (outcomes.has(one) ? (outcomes.get(one) as Settled<Outcome>) : late()));
    });
  const quick = lane(SHORT);
  const patient = lane(LONG);
  return (item, end) =>
    quick.load(item, end).catch((error) => (isLockTimeout(error) ? patient.load(item, end) : Promise.reject(error)));
}

function wasUndone(error: unknown, waits: LockWaits): boolean {
  const isUndone = error instanceof GroupUndone || isRefused(error) || isDeadlock(error);
  // After a long wait there is no time to do the items again.
  return isUndone || (waits === SHORT && (isLockTimeout(error) || isStatementTimeout(error)));
}

type Settled<Value> = { value: Value } | { failure: unknown };
const late = () => ({ failure: new Overtime() });

/** An item whose request waits until it is settled. */
interface Waiting<Item, Value> extends Timed<Item> {
  settle(outcome: Settled<Value>): void;
}

/** A loader without a cache. An item is settled with its group, not with its batch. */
function oneBatchAtATime<Item, Value>(
  limits: { items: number; weight: number },
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
      maxBatchSize: limits.items,
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
      return groupsOf(batch, ({ item }) => weight(item), limits.weight);
    });
    // The first group may be open, so there are no groups before its work.
    for (let n = 0; n === 0 || n < groups().length; n += 1) {
      const close = () => groups()[n] ?? [];
      const settled = await work({ wasOpen: n === 0, close }).catch((failure) => close().map(() => ({ failure })));
      for (const [at, one] of close().entries()) one.settle(settled[at] as Settled<Value>);
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

const closed = <Item>(items: readonly Timed<Item>[]): Group<Item> => ({ wasOpen: false, close: () => items });

/** The first result, for every call. */
function firstResult<T>(make: () => T): () => T {
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
