// The turns of statements on the embedded database, with statements that hold the event loop as its own do.
import { StatementQueue } from '../../src/database/embedded/statement-queue';

/** Runs to its end without a turn of the event loop. */
async function hold(ms: number): Promise<void> {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

afterEach(() => jest.restoreAllMocks());

test('the event loop turns between statements that hold it', async () => {
  const queue = new StatementQueue(60_000);
  let loopTurns = 0;
  const count = () => {
    loopTurns += 1;
    counting = setImmediate(count);
  };
  let counting = setImmediate(count);
  await Promise.all(Array.from({ length: 6 }, () => queue.run(() => hold(60))));
  clearImmediate(counting);
  expect(loopTurns).toBeGreaterThanOrEqual(5);
});

test('a statement that no request waits for any more is not sent', async () => {
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
  // They begin after 0, 30, 60 and 90 ms.
  expect(sent).toBe(4);
  await queue.run(async () => {});
});
