// Work that requests share: keys that are read together and items that are written together. Nothing is remembered.
import { setImmediate as loopTurn } from 'node:timers/promises';
import DataLoader from 'dataloader';
import { isDeadlock, violatedConstraint } from './failures';

export interface Loader<Key, Value> {
  load(key: Key): Promise<Value>;
}

/**
 * A key joins only a batch whose reading has not begun, so every answer was read after its request arrived. While one
 * batch runs the next collects: N simultaneous requests cost two statements, not N.
 * @param isApart whether the database works while this process works: then awake for a lone key (see stayAwake)
 * @param inHalves see oneBatchAtATime
 */
export function sharedLoader<Key, Row>(
  read: (keys: readonly Key[]) => Promise<ReadonlyMap<string, Row | null>>,
  identity: (key: Key) => string = String,
  isApart = false,
  inHalves = isApart,
): Loader<Key, Row | null> {
  return oneBatchAtATime<Key, Row | null>(500, { isApart, inHalves }, async (keys) => {
    const distinct = new Map(keys.map((key) => [identity(key), key]));
    const rows = await read([...distinct.values()]);
    return keys.map((key) => rows.get(identity(key)) ?? null);
  });
}

/**
 * Writes as group commit: items that wait while a statement commits are written by the next one together, and each gets
 * its own outcome. When the database refuses one of them, or one of them waits for somebody who waits for another,
 * nothing of the group was written; each is then written alone, and once more if it alone has waited so.
 * @param isApart whether the database works while this process works: then in halves (see oneBatchAtATime), and awake
 * for a lone item (see stayAwake)
 * @param weight how many rows an item writes: MOST_WRITTEN of one statement
 */
export function groupCommit<Item, Outcome>(
  write: (items: readonly Item[]) => Promise<Outcome[]>,
  isApart = false,
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
  const loader = oneBatchAtATime<Item, Outcome>(100, { isApart, inHalves: isApart }, async (items) => {
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

/** How long the process stays awake for an answer at most: nearly all that a single row takes. */
const AWAKE_MS = 1;

/**
 * Turns the loop of this process until the outcome is there, instead of letting it sleep, as long as nobody else waits. A
 * lone client's processor falls asleep at every step of a request otherwise, and wakes slowly: 1.2 times as many status
 * records and print jobs a second, written or read.
 */
function stayAwake(outcome: Promise<unknown>, isAlone: () => boolean): void {
  const until = performance.now() + AWAKE_MS;
  let isOpen = true;
  const close = () => {
    isOpen = false;
  };
  outcome.then(close, close);
  const turn = () => {
    if (isOpen && isAlone() && performance.now() < until) setImmediate(turn);
  };
  turn();
}

/** The smallest batch that is worth a statement of its own while others wait. */
const BUNDLE = 8;

/**
 * @param inHalves for a database that works while this process works: of those that wait or were just answered half go
 * together, and the next batch is on its way before the last one is answered. If all who wait went together, database
 * and process would wait for each other in turn, in batches of 14, 2, 14, 2 … for 16 clients, which stay so for ever
 * (status records for 16: 8 % more a second, cameras with their histories 40 %, single jobs 3 % for 64)
 */
function oneBatchAtATime<Item, Outcome>(
  most: number,
  { isApart, inHalves }: { isApart: boolean; inHalves: boolean },
  work: (items: readonly Item[]) => Promise<(Outcome | Error)[]>,
): Loader<Item, Outcome> {
  const bundle = inHalves ? BUNDLE : most;
  let running = false;
  /** Bundles of items that the loader keeps, and how many items that is. */
  const waiting: (() => void)[] = [];
  let size = 0;
  let taken: { items: readonly Item[]; answer(outcomes: Promise<(Outcome | Error)[]>): void }[] = [];
  const loader = new DataLoader<Item, Outcome>((items) => new Promise((answer) => taken.push({ items, answer })), {
    cache: false,
    maxBatchSize: bundle,
    batchScheduleFn: (take) => {
      waiting.push(take);
      if (!running && waiting.length === 1) setImmediate(() => next(0));
    },
  });

  async function next(answered: number): Promise<void> {
    running = true;
    const together = inHalves ? Math.min(most, (answered + size) / 2) : most;
    taken = [];
    for (const take of waiting.splice(0, Math.ceil(together / bundle))) take();
    const bundles = taken;
    const items = bundles.flatMap((one) => one.items);
    size -= items.length;
    const outcomes = work(items);
    if (isApart && items.length === 1) stayAwake(outcomes, () => size === 0);
    await outcomes.catch(() => {});
    running = false;
    if (waiting.length > 0) {
      next(items.length);
      if (inHalves) await loopTurn();
    }
    let at = 0;
    for (const one of bundles) {
      const from = at;
      at += one.items.length;
      const to = at;
      one.answer(outcomes.then((all) => all.slice(from, to)));
    }
  }

  return {
    load(item) {
      size += 1;
      return loader.load(item);
    },
  };
}
