// Shared work: what is read together, what is never read too early, that nothing is remembered; what is written together.
import { performance } from 'node:perf_hooks';
import { groupCommit, sharedLoader } from '../../src/database/batch';

/** A reader whose every batch waits until the test lets it end. */
function heldReader() {
  const batches: { keys: readonly string[]; end(): void; fail(error: Error): void }[] = [];
  const loader = sharedLoader<string, string>(
    (keys) =>
      new Promise((resolve, reject) => {
        batches.push({ keys, end: () => resolve(new Map(keys.map((key) => [key, `${key} as read`]))), fail: reject });
      }),
  );
  return { loader, batches };
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

test('beside a database that works while this process works, half of those who wait are written together, the next half before they are answered', async () => {
  const batches: { items: readonly number[]; end(): void }[] = [];
  const write = groupCommit<number, number>(
    (items) => new Promise((resolve) => batches.push({ items, end: () => resolve([...items]) })),
    true,
  );
  const answered: number[] = [];
  const ask = (items: number[]) => items.map((item) => write(item).then((outcome) => answered.push(outcome)));
  const from = (first: number, count: number) => Array.from({ length: count }, (_, n) => first + n);
  const all = ask(from(0, 40));
  await turn();
  expect(batches.map(({ items }) => items.length)).toEqual([24]);
  batches[0]?.end();
  while (batches.length < 2) await Promise.resolve();
  expect(answered).toEqual([]);
  await turn();
  expect(answered).toEqual(from(0, 24));
  // 16 who were just answered and these 24 are 40.
  all.push(...ask(from(40, 24)));
  batches[1]?.end();
  await turn();
  expect(batches.map(({ items }) => items.length)).toEqual([24, 16, 24]);
  batches[2]?.end();
  await Promise.all(all);
  expect(batches.flatMap(({ items }) => items)).toEqual(from(0, 64));
  expect(answered).toEqual(from(0, 64));
});

test('beside such a database the process stays awake while a lone item is written, for a millisecond, and then sleeps', async () => {
  const turnsOf = async (isApart: boolean, items: number[]) => {
    const write = groupCommit<number, number>(async (some) => {
      await new Promise((resolve) => setTimeout(resolve, 40));
      return [...some];
    }, isApart);
    const turns = jest.spyOn(globalThis, 'setImmediate');
    const before = performance.eventLoopUtilization();
    await Promise.all(items.map(write));
    const { idle } = performance.eventLoopUtilization(before);
    const count = turns.mock.calls.length;
    turns.mockRestore();
    return { isAwake: count > 5, sleeps: idle > 10 };
  };
  // On a busy machine a millisecond may pass in a single turn, but not every time.
  const alone: Awaited<ReturnType<typeof turnsOf>>[] = [];
  for (let n = 0; n < 5; n += 1) alone.push(await turnsOf(true, [1]));
  expect(alone).toContainEqual({ isAwake: true, sleeps: true });
  expect(await turnsOf(true, [1, 2])).toEqual({ isAwake: false, sleeps: true });
  expect(await turnsOf(false, [1])).toEqual({ isAwake: false, sleeps: true });
});

test('a key never joins a read that began before it was asked for', async () => {
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

test('a key that many ask for is read once, and what is absent is null', async () => {
  const reads: (readonly string[])[] = [];
  const loader = sharedLoader<string, string>(async (keys) => {
    reads.push(keys);
    return new Map([['a', 'A']]);
  });
  expect(await Promise.all(['a', 'b', 'a'].map((key) => loader.load(key)))).toEqual(['A', null, 'A']);
  expect(reads).toEqual([['a', 'b']]);
});

test('writes are grouped by their weight, and a group that fails fails alone', async () => {
  const groups: number[][] = [];
  const write = groupCommit<number, number>(
    async (items) => {
      groups.push([...items]);
      if (items.includes(1500)) throw new Error('too long');
      return items.map((item) => item + 1);
    },
    false,
    (item) => item,
  );
  const outcomes = await Promise.allSettled([0, 400, 600, 1, 999, 0, 1500, 1000, 2].map(write));
  expect(groups).toEqual([[0, 400, 600], [1, 999, 0], [1500], [1000], [2]]);
  expect(outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : outcome.reason.message))).toEqual([
    ...[1, 401, 601, 2, 1000, 1],
    'too long',
    ...[1001, 3],
  ]);
});

test('writers who waited for each other are written one by one', async () => {
  let tries = 0;
  const write = groupCommit<string, string>(async (items) => {
    tries += 1;
    if (items.length > 1) throw { cause: { originalCode: '40P01', originalMessage: 'deadlock detected' } };
    return [...items];
  });
  expect(await Promise.all(['a', 'b', 'c'].map(write))).toEqual(['a', 'b', 'c']);
  expect(tries).toBe(4);
});

test('a writer who is alone and lost to somebody who waited for it is written once more', async () => {
  let tries = 0;
  const write = groupCommit<string, string>(async (items) => {
    tries += 1;
    if (tries === 1) throw { cause: { originalCode: '40P01', originalMessage: 'deadlock detected' } };
    return [...items];
  });
  expect(await write('a')).toBe('a');
  expect(tries).toBe(2);
});

test('a read that fails fails for those who wait for it, and for no one after them', async () => {
  const { loader, batches } = heldReader();
  const failing = loader.load('a');
  await turn();
  const waiting = loader.load('b');
  await turn();
  batches[0]?.fail(new Error('the database is gone'));
  await expect(failing).rejects.toThrow('the database is gone');
  await turn();
  batches[1]?.end();
  expect(await waiting).toBe('b as read');
});
