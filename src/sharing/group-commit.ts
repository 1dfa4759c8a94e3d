// Commits writes in groups: writes that arrive while a group is being written become the next group, and each gets its own result.
import { setImmediate as eventLoop } from 'node:timers/promises';
import { isDeadlock, isLockTimeout, isRefused, isStatementTimeout } from '../database/failures';
import { DeadlineExceeded } from '../errors';
import { type Deadline, isPastDeadline } from '../values/request-time';
import { splitIntoChunks } from './batch';

const MAX_ITEMS = 100;
const MAX_WEIGHT = 1000;

/** How long writes wait for a lock at most. PostgreSQL looks for deadlocks only after a second. */
interface LockWaits {
  groupMs: number;
  /** The time for an item that is tried again alone. */
  loneMs: number;
}

const SHORT_WAITS: LockWaits = { groupMs: 100, loneMs: 20 };
/** Writes wait for as long as a statement may take. */
const LONG_WAITS: LockWaits = { groupMs: 0, loneMs: 0 };

/** @param lockMs the longest wait for a lock; 0 for as long as a statement may take */
type WriteGroup<Item, Outcome> = (items: readonly Item[], lockMs: number) => Promise<Outcome[]>;
type WriteItem<Item, Outcome> = (item: Item, deadline: number) => Promise<Outcome>;

interface Waiting<Item, Outcome> extends Deadline {
  readonly item: Item;
  resolve(outcome: Outcome): void;
  reject(failure: unknown): void;
}

/**
 * Writes items in groups, one group at a time. An item may need more than one try:
 * 1. All items of the group are written together.
 * 2. If the database rolled back the group, each item is written alone.
 * 3. If an item still waits for a lock, it is written in a group of such items, the patient lane, which waits longer. All other items
 *    continue without it.
 *
 * An item is tried again only if the last try changed nothing: the database refused it because of an item, a deadlock, or a lock of
 * another program. The first two tries wait only a short time for locks. Before each try, items whose requests are past their deadline
 * are dropped, because their clients already have an error and other items would wait behind them.
 * @param write gets at least one item
 * @param weight how many rows an item writes
 */
export function groupCommit<Item, Outcome>(
  write: WriteGroup<Item, Outcome>,
  weight: (item: Item) => number = () => 1,
): WriteItem<Item, Outcome> {
  const quick = createLane(write, weight, SHORT_WAITS);
  const patient = createLane(write, weight, LONG_WAITS);
  return (item, deadline) =>
    quick(item, deadline).catch((error) => (isLockTimeout(error) ? patient(item, deadline) : Promise.reject(error)));
}

function createLane<Item, Outcome>(
  write: WriteGroup<Item, Outcome>,
  weight: (item: Item) => number,
  waits: LockWaits,
): WriteItem<Item, Outcome> {
  type Group = Waiting<Item, Outcome>[];
  const queue: Group = [];
  let isWriting = false;

  /** Writes a group. Returns the items that must be tried again alone, because this try changed nothing. */
  const attempt = async (group: Group, lockMs: number): Promise<Group> => {
    for (const one of group) if (isPastDeadline(one)) one.reject(new DeadlineExceeded());
    const inTime = group.filter((one) => !isPastDeadline(one));
    if (inTime.length === 0) return [];
    try {
      const outcomes = await write(
        inTime.map(({ item }) => item),
        lockMs,
      );
      for (const [at, one] of inTime.entries()) one.resolve(outcomes[at] as Outcome);
    } catch (failure) {
      if (inTime.length > 1 && wasRolledBack(failure, waits)) return inTime;
      // After any other failure, such as a lost connection, the group may have been committed, so it must not be repeated.
      for (const one of inTime) one.reject(failure);
    }
    return [];
  };

  const writeQueue = async () => {
    isWriting = true;
    // The event loop makes one round first, so that the requests of all ready sockets join the group.
    for (await eventLoop(); queue.length > 0; await eventLoop()) {
      for (const group of splitIntoChunks(queue.splice(0, MAX_ITEMS), ({ item }) => weight(item), MAX_WEIGHT)) {
        for (const item of await attempt(group, waits.groupMs)) await attempt([item], waits.loneMs);
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

function wasRolledBack(error: unknown, waits: LockWaits): boolean {
  const isUndone = isRefused(error) || isDeadlock(error);
  // After a long wait there is no time to write the items again.
  return isUndone || (waits === SHORT_WAITS && (isLockTimeout(error) || isStatementTimeout(error)));
}
