// How requests share work. Keys that are read together go in batches, and so do items that are written together
// (group-commit.ts); identical reads share one execution (shared-reads.ts).
//
// Gain: N requests that arrive at once cost two statements, not N. Without it a single job for 64 clients (W4) would cost
// 64 statements, and 64 new jobs (W6) would cost 64 commits.
//
// Freshness: a request joins only a batch, or an execution, that has not begun. Every answer was therefore read after its
// request arrived. It holds every write that was acknowledged before. No answer is kept.
import { isInTime, type Loader, late, oneBatchAtATime } from './queue';

const MOST = { items: 500, weight: 10_000 };

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
  return oneBatchAtATime<Key, Row | null>(MOST, weight, async (group) => {
    const inTime = new Set(group.takeItems().filter(isInTime));
    const distinct = new Map([...inTime].map(({ item }) => [identity(item), item]));
    const rows = inTime.size > 0 ? await read([...distinct.values()]) : new Map<string, Row | null>();
    return group.takeItems().map((one) => (inTime.has(one) ? { value: rows.get(identity(one.item)) ?? null } : late()));
  });
}
