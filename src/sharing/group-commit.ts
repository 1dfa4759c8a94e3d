// Group commit: items that wait while others are written are written together, and each has its own outcome.
import { isDeadlock, isLockTimeout, isRefused, isStatementTimeout } from '../database/failures';
import { firstResult, type Group, isInTime, late, oneBatchAtATime, type Settled, type Timed } from './queue';

const MOST = { items: 100, weight: 1000 };

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

/** @param end of the request (Moment) */
type WriteItem<Item, Outcome> = (item: Item, end: number) => Promise<Outcome>;

/**
 * Writes items in groups, one group at a time. An item may need more than one try:
 * 1. The group is written together.
 * 2. If the write names the faulty items (GroupUndone), the others are written together.
 * 3. Each item that is left is written alone.
 * 4. An item that is still locked waits longer, in groups of such items: the patient lane. The others go on.
 *
 * An item is tried again only if the last try changed nothing: the database refused it because of an item, a deadlock, or
 * a lock of another program. The first three tries wait shortly for locks. Before each try, items whose requests are over are left
 * out: their clients have their answers, and the items behind them would wait.
 * @param write gets at least one item. `lockMs` is the longest wait for a lock; 0 for as long as a statement may take
 * @param weight how many rows an item writes
 */
export function groupCommit<Item, Outcome>(
  write: (items: readonly Item[], lockMs: number) => Promise<Outcome[]>,
  weight?: (item: Item) => number,
): WriteItem<Item, Outcome> {
  return openGroupCommit(async (takeItems, lockMs) => {
    const items = takeItems();
    return items.length > 0 ? write(items, lockMs) : [];
  }, weight);
}

/**
 * Group commit for a write that takes its items later: its group is open until then. Keyed writes need this, because the
 * database takes a while to begin their transaction. Items that arrive before belong to the group, and share its failure.
 * @param write `takeItems` returns the same items at each call; none when the requests of all of them are over
 */
export function openGroupCommit<Item, Outcome>(
  write: (takeItems: () => readonly Item[], lockMs: number) => Promise<Outcome[]>,
  weight: (item: Item) => number = () => 1,
): WriteItem<Item, Outcome> {
  const lane = (waits: LockWaits) =>
    oneBatchAtATime<Item, Outcome>(MOST, weight, async (group) => {
      const outcomes = new Map<Timed<Item>, Settled<Outcome>>();
      /** Returns the items to write together next. Items have no outcomes when the try changed nothing. */
      const attempt = async (tried: Group<Item>, lockMs: number): Promise<readonly Timed<Item>[]> => {
        const inTime = firstResult(() => tried.takeItems().filter(isInTime));
        const takeItems = () => inTime().map(({ item }) => item);
        let settled: Settled<Outcome>[];
        try {
          const done = tried.wasOpen || takeItems().length > 0 ? await write(takeItems, lockMs) : [];
          settled = done.map((value) => ({ value }));
        } catch (failure) {
          const others =
            failure instanceof GroupUndone ? inTime().filter(({ item }) => !failure.because.has(item)) : [];
          // After any other failure, such as a lost connection, the group may have been committed: it must not be repeated.
          if (inTime().length > 1 && wasUndone(failure, waits)) return others;
          settled = inTime().map(() => ({ failure }));
        }
        for (const [at, one] of inTime().entries()) outcomes.set(one, settled[at] as Settled<Outcome>);
        return [];
      };
      const others = await attempt(group, waits.groupMs);
      if (others.length > 0) await attempt(groupOf(others), waits.groupMs);
      for (const one of group.takeItems()) if (!outcomes.has(one)) await attempt(groupOf([one]), waits.loneMs);
      return group.takeItems().map((one) => (outcomes.has(one) ? (outcomes.get(one) as Settled<Outcome>) : late()));
    });
  const quick = lane(SHORT);
  const patient = lane(LONG);
  return (item, end) =>
    quick.load(item, end).catch((error) => (isLockTimeout(error) ? patient.load(item, end) : Promise.reject(error)));
}

const groupOf = <Item>(items: readonly Timed<Item>[]): Group<Item> => ({ wasOpen: false, takeItems: () => items });

function wasUndone(error: unknown, waits: LockWaits): boolean {
  const isUndone = error instanceof GroupUndone || isRefused(error) || isDeadlock(error);
  // After a long wait there is no time to do the items again.
  return isUndone || (waits === SHORT && (isLockTimeout(error) || isStatementTimeout(error)));
}
