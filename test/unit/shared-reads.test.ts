// Which reads share an execution, and which never do.
import { setImmediate } from 'node:timers/promises';
import { SharedReads } from '../../src/sharing/shared-reads';

/** Requests that expire at the same moment, unless a test says otherwise. */
const END = 1000;

/** An execution that ends when the test tells it to. */
function executions() {
  const begun: { end(result: number): void; fail(error: Error): void }[] = [];
  const execute = () =>
    new Promise<number>((end, fail) => {
      begun.push({ end, fail });
    });
  return { begun, execute };
}

/** Behaves like a database in this process: it answers before any other socket is read. */
async function microtasks(): Promise<void> {
  for (let n = 0; n < 100; n += 1) await undefined;
}

describe('identical reads', () => {
  test('of one turn of the event loop share an execution, also if it would have ended between them', async () => {
    const reads = new SharedReads<number>();
    let executed = 0;
    const execute = async () => {
      executed += 1;
      return executed;
    };
    const first = reads.run('read', END, execute);
    await microtasks();
    const second = reads.run('read', END, execute);
    expect(await Promise.all([first, second])).toEqual([1, 1]);
  });

  test('that arrive during an execution share the next one, which starts when the first has ended', async () => {
    const reads = new SharedReads<number>();
    const { begun, execute } = executions();
    const first = reads.run('read', END, execute);
    await setImmediate();
    const later = [reads.run('read', END, execute), reads.run('read', END, execute)];
    await setImmediate();
    expect(begun).toHaveLength(1);
    begun[0]?.end(1);
    expect(await first).toBe(1);
    await setImmediate();
    expect(begun).toHaveLength(2);
    begun[1]?.end(2);
    expect(await Promise.all(later)).toEqual([2, 2]);
  });

  test('that arrive after the last was answered are executed again', async () => {
    const reads = new SharedReads<number>();
    for (const n of [1, 2, 3]) expect(await reads.run('read', END, async () => n)).toBe(n);
  });

  test('fail together, and later reads are not affected', async () => {
    const reads = new SharedReads<number>();
    const { begun, execute } = executions();
    const failing = Promise.allSettled([reads.run('read', END, execute), reads.run('read', END, execute)]);
    await setImmediate();
    const next = reads.run('read', END, async () => 2);
    begun[0]?.fail(new Error('away'));
    expect(await failing).toEqual(Array(2).fill({ status: 'rejected', reason: new Error('away') }));
    expect(await next).toBe(2);
  });
});

test('different reads do not wait for each other', async () => {
  const reads = new SharedReads<number>();
  const { begun, execute } = executions();
  const first = reads.run('one', END, execute);
  await setImmediate();
  expect(await reads.run('other', END, async () => 2)).toBe(2);
  begun[0]?.end(1);
  expect(await first).toBe(1);
});
