// The turns of statements on the embedded database, with statements that hold the event loop as its own do.
import { Turns } from '../../src/database/embedded/turns';

/** Runs to its end without a turn of the event loop. */
async function hold(ms: number): Promise<void> {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

test('the event loop turns between statements that hold it', async () => {
  const turns = new Turns(60_000);
  let loopTurns = 0;
  const count = () => {
    loopTurns += 1;
    counting = setImmediate(count);
  };
  let counting = setImmediate(count);
  await Promise.all(Array.from({ length: 6 }, () => turns.take(() => hold(60))));
  clearImmediate(counting);
  expect(loopTurns).toBeGreaterThanOrEqual(5);
});

test('statements run in order, and one that fails holds up no other', async () => {
  const turns = new Turns(60_000);
  const order: number[] = [];
  const all = [0, 1, 2].map((n) =>
    turns.take(async () => {
      order.push(n);
      if (n === 1) throw new Error('refused');
    }),
  );
  expect((await Promise.allSettled(all)).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(order).toEqual([0, 1, 2]);
});

test('a statement that no request waits for any more is not sent', async () => {
  const turns = new Turns(100);
  let sent = 0;
  const all = Array.from({ length: 20 }, () =>
    turns.take(() => {
      sent += 1;
      return hold(30);
    }),
  );
  const refused = (await Promise.allSettled(all)).filter(({ status }) => status === 'rejected');
  expect(sent + refused.length).toBe(20);
  expect(sent).toBeGreaterThan(0);
  expect(sent).toBeLessThanOrEqual(5);
  await turns.take(() => hold(1));
});
