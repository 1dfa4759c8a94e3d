// Group commit: items that wait while others are written are written together, and each has its own outcome.
import { setImmediate as eventLoop } from 'node:timers/promises';
import { isDeadlock, isLockTimeout, isRefused, isStatementTimeout } from '../database/failures';
import { DeadlineExceeded } from '../errors';
import { type Deadline, isPastDeadline } from '../values/request-time';
import { inChunks } from './batch';

const MAX_ITEMS = 100;
const MAX_WEIGHT = 1000;

/** The longest waits of writes for a lock. PostgreSQL looks for deadlocks only after a second. */
interface LockWaits {
  groupMs: number;
  /** The time of an item that is tried again, alone. */
  loneMs: number;
}

const SHORT: LockWaits = { groupMs: 100, loneMs: 20 };
/** They wait for as long as a statement may take. */
const LONG: LockWaits = { groupMs: 0, loneMs: 0 };

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
 * 1. The group is written together.
 * 2. Each item of a group that was undone is written alone.
 * 3. An item that is still locked waits longer, in groups of such items: the patient lane. The others continue.
 *
 * An item is tried again only if the last try changed nothing: the database refused it because of an item, a deadlock, or
 * a lock of another program. The first two tries wait shortly for locks. Before each try, items whose requests are over
 * are left out: their clients have their answers, and the items behind them would wait.
 * @param write gets at least one item
 * @param weight how many rows an item writes
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

  /** Returns the items that are tried again alone, because this try changed nothing. */
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
      if (inTime.length > 1 && wasUndone(failure, waits)) return inTime;
      // After any other failure, such as a lost connection, the group may have been committed: it must not be repeated.
      for (const one of inTime) one.reject(failure);
    }
    return [];
  };

  const writeQueue = async () => {
    isWriting = true;
    // The event loop goes round first: it collects the requests of all sockets that are ready.
    for (await eventLoop(); queue.length > 0; await eventLoop()) {
      for (const group of inChunks(queue.splice(0, MAX_ITEMS), ({ item }) => weight(item), MAX_WEIGHT)) {
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

function wasUndone(error: unknown, waits: LockWaits): boolean {
  const isUndone = isRefused(error) || isDeadlock(error);
  // After a long wait there is no time to do the items again.
  return isUndone || (waits === SHORT && (isLockTimeout(error) || isStatementTimeout(error)));
}
