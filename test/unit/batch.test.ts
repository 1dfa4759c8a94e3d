// Shared work: keys that are read together, never too early and never remembered, and items that are written together.
import { DeadlineExceeded } from '../../src/errors';
import { batchedRead } from '../../src/sharing/batch';
import { groupCommit as timedCommit } from '../../src/sharing/group-commit';

const ENDLESS = Number.POSITIVE_INFINITY;

function groupCommit<Item, Outcome>(...parts: Parameters<typeof timedCommit<Item, Outcome>>) {
  const write = timedCommit<Item, Outcome>(...parts);
  return (item: Item) => write(item, ENDLESS);
}

/** A reader whose every batch waits until the test lets it end. */
function heldReader() {
  const batches: { keys: readonly string[]; end(): void; fail(error: Error): void }[] = [];
  const loader = batchedRead<string, string>(
    (keys) =>
      new Promise((resolve, reject) => {
        batches.push({ keys, end: () => resolve(new Map(keys.map((key) => [key, `${key} as read`]))), fail: reject });
      }),
  );
  return { loader, batches };
}

/** Holds a lock of another program until the test releases it. */
function heldLock() {
  let unlock = () => {};
  const unlocked = new Promise<void>((resolve) => {
    unlock = resolve;
  });
  return { unlocked, unlock };
}

const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

test('a hundred simultaneous requests cost two reads', async () => {
  const { loader, batches } = heldReader();
  const first = loader.load('0');
  await turn();
  const others = Array.from({ length: 99 }, (_, n) => loader.load(String(n + 1)));
  await turn();
  expect(batches.map(({ keys }) => keys.length)).toEqual([1]);
  batches[0]?.end();
  expect(await first).toBe('0 as read');
  await turn();
  expect(batches.map(({ keys }) => keys.length)).toEqual([1, 99]);
  batches[1]?.end();
  expect((await Promise.all(others)).at(-1)).toBe('99 as read');
});

test('a key never joins a read that started before the key was requested', async () => {
  const { loader, batches } = heldReader();
  const before = loader.load('a');
  await turn();
  const after = loader.load('a');
  await turn();
  batches[0]?.end();
  await before;
  await turn();
  expect(batches.map(({ keys }) => keys)).toEqual([['a'], ['a']]);
  batches[1]?.end();
  expect(await after).toBe('a as read');
});

test('writes are grouped by their weight, and the failure of a group affects no other', async () => {
  const groups: number[][] = [];
  const write = groupCommit<number, number>(
    async (items) => {
      groups.push([...items]);
      if (items.includes(1500)) throw new Error('too long');
      return items.map((item) => item + 1);
    },
    (item) => item,
  );
  const outcomes = await Promise.allSettled([0, 400, 600, 1, 999, 0, 1500, 1000, 2].map(write));
  expect(groups).toEqual([[0, 0, 1, 2, 400], [600], [999], [1000], [1500]]);
  expect(outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : outcome.reason.message))).toEqual([
    1,
    401,
    601,
    2,
    1000,
    1,
    'too long',
    1001,
    3,
  ]);
});

test('the items of a group that deadlocks are written one by one', async () => {
  let tries = 0;
  const write = groupCommit<string, string>(async (items) => {
    tries += 1;
    if (items.length > 1) throw { cause: { originalCode: '40P01', originalMessage: 'deadlock detected' } };
    return [...items];
  });
  expect(await Promise.all(['a', 'b', 'c'].map(write))).toEqual(['a', 'b', 'c']);
  expect(tries).toBe(4);
});

test('a locked item waits with others like it, while groups of the other items continue', async () => {
  const written: string[] = [];
  const { unlocked, unlock } = heldLock();
  const write = groupCommit<string, string>(async (items, lockMs) => {
    if (items.some((item) => item.startsWith('locked'))) {
      if (lockMs > 0) throw { cause: { originalCode: '55P03', originalMessage: 'lock timeout' } };
      await unlocked;
    }
    written.push(items.join(' '));
    return [...items];
  });
  const locked = Promise.all(['locked 1', 'locked 2'].map(write));
  expect(await Promise.all(['a', 'b'].map(write))).toEqual(['a', 'b']);
  expect(await write('c')).toBe('c');
  unlock();
  expect(await locked).toEqual(['locked 1', 'locked 2']);
  expect(written).toEqual(['a', 'b', 'c', 'locked 1 locked 2']);
});

test('a long read does not delay the short reads of its batch', async () => {
  const reads: (readonly number[])[] = [];
  const loader = batchedRead<number, number>(
    async (rows) => {
      reads.push(rows);
      if (rows.includes(20_000)) throw new Error('too long');
      return new Map(rows.map((row) => [String(row), row]));
    },
    String,
    (rows) => rows,
  );
  const long = loader.load(20_000);
  expect(await Promise.all([9000, 100, 2000].map((rows) => loader.load(rows)))).toEqual([9000, 100, 2000]);
  await expect(long).rejects.toThrow('too long');
  expect(reads).toEqual([[100, 2000], [9000], [20_000]]);
});

describe('an item whose request has ended', () => {
  let now = 0;
  beforeEach(() => {
    now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
  });
  afterEach(() => jest.restoreAllMocks());
  const settleAll = async (all: Promise<string>[]) =>
    (await Promise.allSettled(all)).map((one) => (one.status === 'fulfilled' ? one.value : one.reason));

  test('is left out of the next group', async () => {
    const groups: string[] = [];
    const write = timedCommit<string, string>(async (items) => {
      groups.push(items.join(' '));
      now += 10;
      return [...items];
    });
    const first = write('first', 5);
    await turn();
    const rest = ['late', 'in time', 'late too'].map((item) => write(item, item === 'in time' ? 10 : 9));
    expect(await settleAll([first, ...rest])).toEqual([
      'first',
      new DeadlineExceeded(),
      'in time',
      new DeadlineExceeded(),
    ]);
    expect(groups).toEqual(['first', 'in time']);
  });

  test('is not read', async () => {
    const reads: (readonly string[])[] = [];
    const loader = batchedRead<string, string>(async (keys) => {
      reads.push(keys);
      return new Map(keys.map((key) => [key, `${key} as read`]));
    });
    now = 10;
    const read = [loader.load('a', 9), loader.load('b', 10), loader.load('c')];
    expect(await settleAll(read as Promise<string>[])).toEqual([new DeadlineExceeded(), 'b as read', 'c as read']);
    await expect(loader.load('a', 9)).rejects.toThrow(DeadlineExceeded);
    expect(reads).toEqual([['b', 'c']]);
  });
});
