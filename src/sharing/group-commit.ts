// Writes items in groups: items that arrive while a group is being written form the next group. Each item has its own outcome.
import { setImmediate as eventLoop } from 'node:timers/promises';
import { isDeadlock, isLockTimeout, isRefused, isStatementTimeout } from '../database/failures';
import { DeadlineExceeded } from '../errors';
import { type Deadline, isOver } from '../values/request-time';
import { inChunks } from './batch';

const MAX_ITEMS = 100;
const MAX_WEIGHT = 1000;

/** How long writes wait for a lock. The waits are short, because PostgreSQL looks for deadlocks only after a second. */
interface LockWaits {
  groupMs: number;
  /** The wait of an item that is tried again alone. */
  loneMs: number;
}

const SHORT: LockWaits = { groupMs: 100, loneMs: 20 };
/** Waits as long as a statement may take. */
const LONG: LockWaits = { groupMs: 0, loneMs: 0 };

/** Reports that these items failed, and that therefore nothing of their group was written. */
export class GroupUndone extends Error {
  constructor(readonly because: ReadonlySet<unknown>) {
    super();
  }
}

/** @param lockMs the longest wait for a lock; 0 to wait as long as a statement may take */
type WriteGroup<Item, Outcome> = (items: readonly Item[], lockMs: number) => Promise<Outcome[]>;
type WriteItem<Item, Outcome> = (item: Item, deadline: number) => Promise<Outcome>;

interface Waiting<Item, Outcome> extends Deadline {
  readonly item: Item;
  resolve(outcome: Outcome): void;
  reject(failure: unknown): void;
}

/**
 * Writes items in groups, one group at a time. An item may need more than one try:
 * 1. The group is written together.
 * 2. If the write names the faulty items (GroupUndone), the remaining items are written together.
 * 3. Each item that is not written yet is written alone.
 * 4. An item that is still locked joins a second lane, whose groups wait longer. Items without a lock continue meanwhile.
 *
 * An item is tried again only if the last try changed nothing: the database refused the try because of an item, a deadlock, or
 * a lock of another program. The first three tries wait only briefly for locks. Before each try, items whose requests have
 * ended are dropped: their clients already have a response, and the items behind them would wait for nothing.
 * @param write writes a group of at least one item
 * @param weight the number of rows that an item writes
 */
export function groupCommit<Item, Outcome>(
  write: WriteGroup<Item, Outcome>,
  weight: (item: Item) => number = () => 1,
): WriteItem<Item, Outcome> {
  const quick = lane(write, weight, SHORT);
  const patient = lane(write, weight, LONG);
  return (item, deadline) =>
    quick(item, deadline).catch((error) => (isLockTimeout(error) ? patient(item, deadline) : Promise.reject(error)));
}

function lane<Item, Outcome>(
  write: WriteGroup<Item, Outcome>,
  weight: (item: Item) => number,
  waits: LockWaits,
): WriteItem<Item, Outcome> {
  type Group = Waiting<Item, Outcome>[];
  const queue: Group = [];
  let isWriting = false;

  /** Writes a group. If the try changed nothing, returns the smaller groups in which the items are tried again. */
  const attempt = async (group: Group, lockMs: number): Promise<Group[]> => {
    for (const one of group) if (isOver(one)) one.reject(new DeadlineExceeded());
    const inTime = group.filter((one) => !isOver(one));
    if (inTime.length === 0) return [];
    const items = inTime.map(({ item }) => item);
    try {
      const outcomes = await write(items, lockMs);
      for (const [at, one] of inTime.entries()) one.resolve(outcomes[at] as Outcome);
    } catch (failure) {
      const faulty = failure instanceof GroupUndone ? failure.because : new Set<unknown>(items);
      if (inTime.length > 1 && wasUndone(failure, waits)) {
        const alone = inTime.filter(({ item }) => faulty.has(item)).map((one) => [one]);
        return [inTime.filter(({ item }) => !faulty.has(item)), ...alone];
      }
      // After any other failure, such as a lost connection, the group may have been committed, so it must not be repeated.
      for (const one of inTime) one.reject(failure);
    }
    return [];
  };

  const writeQueue = async () => {
    isWriting = true;
    // The event loop makes one round first, so that the requests of all ready sockets join the group.
    for (await eventLoop(); queue.length > 0; await eventLoop()) {
      for (const group of inChunks(queue.splice(0, MAX_ITEMS), ({ item }) => weight(item), MAX_WEIGHT)) {
        const again = await attempt(group, waits.groupMs);
        for (const next of again) again.push(...(await attempt(next, next.length > 1 ? waits.groupMs : waits.loneMs)));
      }
    }
    isWriting = false;
  };

  return (item, deadline) =>
    new Promise((resolve, reject) => {
      queue.push({ item, deadline, resolve, reject });
      if (!isWriting) void writeQueue();
    });
}

function wasUndone(error: unknown, waits: LockWaits): boolean {
  const isUndone = error instanceof GroupUndone || isRefused(error) || isDeadlock(error);
  // After a long wait the requests have no time left for another try.
  return isUndone || (waits === SHORT && (isLockTimeout(error) || isStatementTimeout(error)));
}
