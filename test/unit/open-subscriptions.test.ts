// What a connection buffers for a client that does not read, how large an answer may be, and when credentials expire.
import { Writable } from 'node:stream';
import { OpenSubscriptions, type Sink } from '../../src/doors/http/graphql/open-subscriptions';
import { Caller } from '../../src/farm/graph/caller';
import type { Message, Watcher } from '../../src/sharing/broadcast';

const MEGABYTE = 1 << 20;
const DAY_MS = 86_400_000;

const subscriptions = new OpenSubscriptions();
afterEach(() => jest.useRealTimers());

/** A subscription whose client reads nothing until `take` is called. */
function startSubscription(expiresAt: number | null = null) {
  const taken: (() => void)[] = [];
  const stream = new Writable({ write: (_chunk, _encoding, done) => void taken.push(done) });
  const ends: (Error | undefined)[] = [];
  const sink: Sink = {
    send: (texts) => void stream.write(texts.join('')),
    overhead: 0,
    stream,
    end: (error) => ends.push(error),
  };
  let watcher: Watcher | undefined;
  let isWatched = true;
  subscriptions.open(
    (begun) => {
      watcher = begun;
      return () => {
        isWatched = false;
      };
    },
    sink,
    new Caller('token somebody', ['read'], null, expiresAt),
  );
  return {
    stream,
    ends,
    watcher: watcher as unknown as Watcher,
    isWatched: () => isWatched,
    take: () => {
      while (taken.length > 0) taken.shift()?.();
    },
  };
}

const messages = (bytes: number, count = 1): Message[] =>
  Array.from({ length: count }, (_, n) => ({ position: [n, 1], cursor: `c${n}`, text: 'x'.repeat(bytes), bytes }));

test.each([100, 700_000])(
  'a client that does not read never causes more than a megabyte to be buffered, in answers of %d bytes',
  async (bytes) => {
    const { watcher, stream, ends, take } = startSubscription();
    let sent = 0;
    for (let taken = 1; taken > 0; sent += taken) taken = watcher.deliver(messages(bytes, 16));
    expect(stream.writableLength).toBe(sent * bytes);
    expect(stream.writableLength).toBeLessThanOrEqual(MEGABYTE);
    expect(watcher.deliver(messages(bytes))).toBe(0);
    const room = watcher.room();
    take();
    await room;
    expect(watcher.deliver(messages(bytes))).toBe(1);
    expect(ends).toEqual([]);
  },
);

test('a client that reads nothing is ended with its last cursor', async () => {
  jest.useFakeTimers();
  const { watcher, ends, isWatched } = startSubscription();
  expect(watcher.deliver(messages(20_000, 60))).toBe(52);
  const room = watcher.room();
  jest.advanceTimersByTime(5000);
  await room;
  expect(ends).toMatchObject([{ code: 'SLOW_CONSUMER', cursor: 'c51' }]);
  expect(isWatched()).toBe(false);
});

test('an answer that is too large ends its subscription, after the answers before it', () => {
  const { watcher, stream, ends, isWatched } = startSubscription();
  watcher.deliver([...messages(10), ...messages(800_000), ...messages(10)]);
  expect(stream.writableLength).toBe(10);
  expect(ends).toMatchObject([
    { code: 'BAD_USER_INPUT', message: expect.stringMatching(/has 800000 bytes; the limit is 786432\. Select fewer/) },
  ]);
  expect(isWatched()).toBe(false);
});

test('a token ends its subscription when it expires, also beyond the longest time of a timer', () => {
  jest.useFakeTimers();
  const days = 25;
  const { ends, isWatched } = startSubscription(Date.now() + days * DAY_MS);
  jest.advanceTimersByTime(days * DAY_MS - 1000);
  expect([ends, isWatched()]).toEqual([[], true]);
  jest.advanceTimersByTime(1000);
  expect(ends).toMatchObject([{ code: 'UNAUTHENTICATED' }]);
  expect(isWatched()).toBe(false);
});
