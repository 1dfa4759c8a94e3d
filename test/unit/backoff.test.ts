// The waits between attempts to connect to machines and brokers.
import { Backoff } from '../../src/wire/backoff';

const SELDOM = 15 * 60_000;

test('an operation that never succeeded is tried again after 15 minutes', () => {
  expect(new Backoff().nextWaitAfterRefusal()).toBe(SELDOM);
});

test('an operation that succeeded before is tried again soon, and then after 15 minutes', () => {
  const backoff = new Backoff();
  backoff.noteAccepted();
  expect([1, 2, 3, 4, 5].map(() => backoff.nextWaitAfterRefusal())).toEqual([5000, 15_000, 30_000, SELDOM, SELDOM]);
  backoff.noteAccepted();
  expect(backoff.nextWaitAfterRefusal()).toBe(5000);
});
