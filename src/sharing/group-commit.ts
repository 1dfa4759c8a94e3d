// Group commit: items that wait while others are written are written together, and each has its own outcome.
import { setImmediate as eventLoop } from 'node:timers/promises';
import { isDeadlock, isLockTimeout, isRefused, isStatementTimeout } from '../database/failures';
import { DeadlineExceeded } from '../errors';
import { type Deadline, isOver } from '../values/request-time';
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

/** Says that nothing of a group was done, because of these items. */
export class GroupUndone extends Error {
  constructor(readonly because: ReadonlySet<unknown>) {
    super();
  }
}

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
 * 2. If the write names the faulty items (GroupUndone), the others are written together.
 * 3. Each item that is not written yet is written alone.
 * 4. An item that is still locked waits longer, in groups of such items: the patient lane. The others go on.
 *
 * An item is tried again only if the last try changed nothing: the database refused it because of an item, a deadlock, or
 * a lock of another program. The first three tries wait shortly for locks. Before each try, items whose requests are over
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

  /** Returns the groups in which items are tried again, because this try changed nothing. */
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
  // After a long wait there is no time to do the items again.
  return isUndone || (waits === SHORT && (isLockTimeout(error) || isStatementTimeout(error)));
}
