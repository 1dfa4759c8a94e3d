// Turns of the event loop: statements on the embedded database, which block it, long requests, and short tasks.
import { setImmediate as round } from 'node:timers/promises';
import { StatementQueue } from '../../src/database/embedded/statement-queue';
import { createRounds, Turns } from '../../src/sharing/turns';

/** Blocks the event loop for a time. */
async function blockLoop(ms: number): Promise<void> {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

afterEach(() => jest.restoreAllMocks());

test('the event loop turns between statements that block it', async () => {
  const queue = new StatementQueue(60_000);
  let loopTurns = 0;
  const count = () => {
    loopTurns += 1;
    counting = setImmediate(count);
  };
  let counting = setImmediate(count);
  await Promise.all(Array.from({ length: 6 }, () => queue.run(() => blockLoop(60))));
  clearImmediate(counting);
  expect(loopTurns).toBeGreaterThanOrEqual(5);
});

test('a statement that no request waits for is not sent', async () => {
  let now = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  const queue = new StatementQueue(100);
  let sent = 0;
  const all = Array.from({ length: 20 }, () =>
    queue.run(async () => {
      sent += 1;
      now += 30;
    }),
  );
  const refused = (await Promise.allSettled(all)).filter(({ status }) => status === 'rejected');
  expect(sent + refused.length).toBe(20);
  // The statements start after 0, 30, 60 and 90 ms.
  expect(sent).toBe(4);
  await queue.run(async () => {});
});

const LONG_MS = 60_000;

test('between two turns that block the event loop, it has rounds for others', async () => {
  const turns = new Turns();
  const order: string[] = [];
  const long = async (name: string) => {
    await turns.take(name, LONG_MS);
    order.push(name);
    for (const end = performance.now() + 30; performance.now() < end; );
  };
  const [first, second] = [long('first'), long('second')];
  await first;
  for (let count = 0; count < 3; count += 1) {
    await round();
    order.push('other');
  }
  await second;
  expect(order).toEqual(['first', 'other', 'other', 'other', 'second']);
});

test('clients that wait for a turn are served in rotation; one that has waited too long is refused', async () => {
  const turns = new Turns();
  const order: string[] = [];
  const take = async (client: string, waitMs = LONG_MS) => {
    await turns.take(client, waitMs);
    order.push(client);
  };
  const all = ['a', 'a', 'a', 'b', 'c'].map((client) => take(client));
  const late = take('a', 0);
  // The event loop is blocked until the wait has passed.
  for (const end = performance.now() + 5; performance.now() < end; );
  await expect(late).rejects.toThrow('too many long requests');
  await Promise.all(all);
  expect(order).toEqual(['a', 'b', 'c', 'a', 'a']);
  await take('d');
});

test('a few short tasks start in each round of the event loop, in the order of their arrival', async () => {
  const begin = createRounds(2);
  const begun: number[] = [];
  const inRounds: number[] = [];
  for (let n = 0; n < 5; n += 1) begin(() => begun.push(n));
  while (begun.length < 5) {
    inRounds.push(begun.length);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(inRounds).toEqual([2, 4]);
  expect(begun).toEqual([0, 1, 2, 3, 4]);
});
