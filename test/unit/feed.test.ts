// Tests the reader of a feed and its watchers, on a source of events in memory.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { BadInput, CursorExpired, DatabaseUnavailable, TooManyRequests } from '../../src/errors';
import { type Content, MESSAGES_MADE_TOGETHER, type Message, type Watcher } from '../../src/sharing/broadcast';
import { Broadcasts } from '../../src/sharing/broadcast-registry';
import {
  type EventSource,
  Feed,
  type FeedEvent,
  type FeedPosition,
  isAfter,
  MAX_EVENTS_PER_READ,
} from '../../src/sharing/feed';
import { atLeast, inTime, is, until } from '../support/waiting';

/** Events in memory, and the positions that were requested. */
class Source implements EventSource {
  readonly events: FeedEvent[] = [];
  reads = 0;
  isAway = false;

  add(count = 1): void {
    for (let n = 0; n < count; n += 1) {
      const at = this.events.length + 1;
      this.events.push({ position: [at, 1], cursor: `c${at}`, at: new Date().toISOString() });
    }
  }

  async latest(): Promise<FeedPosition> {
    await this.answer();
    return this.events.at(-1)?.position ?? [0, 0];
  }

  async after(position: FeedPosition, limit: number): Promise<FeedEvent[]> {
    this.reads += 1;
    await this.answer();
    if (position[0] > this.events.length) throw new Error('unknown position');
    return this.events.filter((event) => isAfter(event.position, position)).slice(0, limit);
  }

  private async answer(): Promise<void> {
    await nextTurn();
    if (this.isAway) throw new DatabaseUnavailable('away');
  }
}

/** A watcher that keeps its messages, and accepts at most `roomFor` messages together. */
class Noting implements Watcher {
  readonly got: string[] = [];
  ended: Error | 'stopped' | undefined;
  stop = () => {};
  constructor(private readonly roomFor = Number.POSITIVE_INFINITY) {}

  deliver(messages: readonly Message[]): number {
    const taken = messages.slice(0, this.roomFor);
    this.got.push(...taken.map(({ text }) => text));
    return taken.length;
  }

  async room(): Promise<void> {
    await nextTurn();
  }

  end(error?: Error): void {
    this.ended = error ?? 'stopped';
  }
}

let source: Source;
let feed: Feed;
let broadcasts: Broadcasts;
let executions: number;
let failures: Error[];
const watchers: Noting[] = [];
const START: FeedPosition = [0, 0];

beforeEach(() => {
  source = new Source();
  feed = new Feed(source);
  failures = [];
  broadcasts = new Broadcasts({ changes: feed, printerStates: feed }, (error) => failures.push(error), 12);
  executions = 0;
});
afterEach(() => {
  for (const watcher of watchers.splice(0)) watcher.stop();
});

const ALL: Content = {
  name: 'All',
  feed: 'changes',
  matches: () => true,
  makeMessage: async ({ cursor }) => {
    executions += 1;
    await nextTurn();
    return cursor;
  },
};

function watch(
  after: FeedPosition | null,
  { key = 'all', caller = '', content = ALL, watcher = new Noting() } = {},
): Noting {
  watchers.push(watcher);
  watcher.stop = broadcasts.watch(key, caller || key, content, watcher, after);
  return watcher;
}

const texts = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => `c${from + n}`);
const has = (watcher: Noting, text: string) =>
  until(
    `the watcher has received ${text}`,
    () => watcher,
    ({ got }) => got.includes(text),
  );
const isEnded = (watcher?: Noting) =>
  until(
    'the watcher is ended',
    () => watcher,
    (its) => its?.ended,
  );
/** Writes an event that all watchers wait for. */
const settled = async (...all: Noting[]) => {
  source.add();
  feed.wake();
  for (const watcher of all) await has(watcher, `c${source.events.length}`);
};

test('one caller may open a quarter of the broadcasts, also if all requests come together', async () => {
  broadcasts = new Broadcasts({ changes: feed, printerStates: feed }, (error) => failures.push(error), 8);
  const all = ['one', 'two', 'three'].map((key) => watch(START, { key, caller: 'greedy' }));
  await isEnded(all[2]);
  expect(all.map(({ ended }) => ended)).toEqual([
    undefined,
    undefined,
    new TooManyRequests(
      'One caller may have 2 different subscriptions open. Close one first, or share one by sending the same operation and variables.',
    ),
  ]);
  expect(() => broadcasts.refuseBeyondLimit('four', 'greedy')).toThrow(
    'One caller may have 2 different subscriptions open.',
  );
  broadcasts.refuseBeyondLimit('one', 'greedy');
  broadcasts.refuseBeyondLimit('four', 'other');
  all[0]?.stop();
  broadcasts.refuseBeyondLimit('four', 'greedy');
});

test('1,000 watchers of 10 operations cost 10 executions an event', async () => {
  const all = Array.from({ length: 1_000 }, (_, n) => watch(START, { key: `operation ${n % 10}` }));
  await settled(...all);
  executions = 0;
  await settled(...all);
  expect(executions).toBe(10);
  source.add(3);
  feed.wake();
  for (const watcher of all) await has(watcher, 'c5');
  expect(executions).toBe(40);
  expect(new Set(all.map(({ got }) => got.join()))).toEqual(new Set([texts(1, 5).join()]));
});

test('a watcher with a cursor gets what it missed and what follows, once, while others are written to', async () => {
  const first = watch(START);
  source.add(2 * MAX_EVENTS_PER_READ + 10);
  await settled(first);
  const late: { from: number; watcher: Noting }[] = [];
  for (let round = 0; round < 30; round += 1) {
    const from = (round * 37) % source.events.length;
    late.push({ from, watcher: watch([from, from === 0 ? 0 : 1]) });
    source.add((round % 3) + 1);
    if (round % 2 === 0) feed.wake();
    await nextTurn();
  }
  await settled(first, ...late.map(({ watcher }) => watcher));
  const end = source.events.length;
  expect(first.got).toEqual(texts(1, end));
  for (const { from, watcher } of late) expect(watcher.got).toEqual(texts(from + 1, end));
});

test('a watcher that does not read its messages delays nobody', async () => {
  const stuck = new Noting(0);
  stuck.room = () => new Promise(() => {});
  const quick = watch(START);
  watch(START, { watcher: stuck });
  await settled(quick);
  await settled(quick);
  expect(quick.got).toEqual(texts(1, 2));
});

test('a watcher gets what it missed at its own pace, and no message is prepared earlier', async () => {
  source.add(2 * MAX_EVENTS_PER_READ);
  const narrow = new Noting();
  let allowed = 0;
  let taken = () => {};
  narrow.room = async () => {
    while (narrow.got.length >= allowed) {
      await new Promise<void>((resolve) => {
        taken = resolve;
      });
    }
  };
  watch(START, { watcher: narrow });
  for (allowed = 1; allowed <= source.events.length; allowed += 100) {
    taken();
    await until(`the watcher has received ${allowed} messages`, () => narrow.got, atLeast(allowed));
    for (let turn = 0; turn < 20; turn += 1) await nextTurn();
    expect(narrow.got.length).toBeLessThan(allowed + MESSAGES_MADE_TOGETHER);
    expect(executions).toBe(narrow.got.length);
  }
  allowed = Number.POSITIVE_INFINITY;
  taken();
  await settled(narrow);
  expect(narrow.got).toEqual(texts(1, source.events.length));
});

test('a cursor that the source refuses ends that watcher alone, also at the end of the feed', async () => {
  const good = watch(START);
  await settled(good);
  const bad = watch([999, 1]);
  await isEnded(bad);
  expect(bad.ended).toEqual(new Error('unknown position'));
  await settled(good);
  expect(good.ended).toBeUndefined();
});

test('an outage delays watchers and loses nothing, new ones included', async () => {
  const one = watch(START);
  await settled(one);
  source.isAway = true;
  const before = source.reads;
  feed.wake();
  const two = watch([0, 0]);
  const three = watch(START, { key: 'other' });
  await until('the source was asked', () => source.reads, atLeast(before + 1));
  source.add(5);
  const { reads } = source;
  source.isAway = false;
  await settled(one, two);
  expect(one.got).toEqual(texts(1, 7));
  expect(two.got).toEqual(texts(1, 7));
  expect(three.ended).toBeUndefined();
  expect(source.reads).toBeGreaterThan(reads);
});

test('the time of an outage does not count as attempts', async () => {
  let tries = 0;
  const { latest } = source;
  // The source works again after one failed request.
  source.latest = () =>
    Reflect.apply(latest, source, []).catch((error: Error) => {
      source.isAway = false;
      throw error;
    });
  const makeMessage: Content['makeMessage'] = async ({ position, cursor }) => {
    if (position[0] === 1) return cursor;
    tries += 1;
    if (tries > 3) return cursor;
    source.isAway = true;
    throw new DatabaseUnavailable('away');
  };
  const one = watch(START, { content: { ...ALL, makeMessage } });
  await settled(one);
  await settled(one);
  expect([tries, one.ended, failures]).toEqual([4, undefined, []]);
});

test('a message that always times out ends its watchers, and is logged once', async () => {
  let tries = 0;
  const content: Content = {
    ...ALL,
    makeMessage: async ({ position, cursor }) => {
      if (position[0] === 1) return cursor;
      tries += 1;
      throw new DatabaseUnavailable('too slow');
    },
  };
  const all = [watch(START, { content }), watch(START, { content })];
  const other = watch(START, { key: 'other' });
  await settled(...all, other);
  source.add();
  feed.wake();
  for (const watcher of all) await isEnded(watcher);
  expect(tries).toBe(3);
  for (const { ended } of all) expect(ended).toBeInstanceOf(BadInput);
  expect(failures).toContainEqual(new Error('The subscription All was not executed in time for the change c2'));
  expect(failures[0]?.cause).toEqual(new DatabaseUnavailable('too slow'));
  await has(other, 'c2');
  expect(other.ended).toBeUndefined();
});

test('an event that can no longer be shown is skipped', async () => {
  const content: Content = {
    ...ALL,
    matches: ({ position }) => position[0] % 2 === 1,
    makeMessage: async ({ position, cursor }) => (position[0] === 3 ? null : cursor),
  };
  const one = watch([0, 0], { content });
  source.add(7);
  feed.wake();
  await has(one, 'c7');
  expect(one.got).toEqual(['c1', 'c5', 'c7']);
});

test('a failure that is not an outage ends all its watchers, and is logged once', async () => {
  const all = [watch(START), watch(START, { key: 'other' })];
  await settled(...all);
  source.after = async () => {
    throw new Error('broken');
  };
  feed.wake();
  for (const watcher of all) await isEnded(watcher);
  expect(all.map(({ ended }) => ended)).toEqual([new Error('broken'), new Error('broken')]);
  expect(failures).toEqual([new Error('broken')]);
});

test('a refused cursor is not a failure of the gateway', async () => {
  source.after = async () => {
    throw new CursorExpired();
  };
  const one = watch(START);
  await isEnded(one);
  expect([one.ended, failures]).toEqual([new CursorExpired(), []]);
});

test('the stop of the gateway waits for the messages of what was read, then ends all watchers', async () => {
  let finish = () => {};
  const executed = new Promise<void>((resolve) => {
    finish = resolve;
  });
  let began = false;
  const content: Content = {
    ...ALL,
    makeMessage: async ({ cursor, position }) => {
      if (position[0] === 2) {
        began = true;
        await executed;
      }
      return cursor;
    },
  };
  const one = watch(START, { content });
  await settled(one);
  source.add();
  feed.wake();
  await until('the second message is being made', () => began);
  const stopped = broadcasts.endAll();
  await nextTurn();
  expect(one.ended).toBeUndefined();
  finish();
  await inTime('all watchers are ended', stopped, () => one);
  expect(one.got).toEqual(texts(1, 2));
  expect(one.ended).toBe('stopped');
  const late = watch(START);
  await isEnded(late);
  expect(late.ended).toBe('stopped');
});

test('the lag of the reader is the age of the last event that it read, and 0 when there is nothing to read', async () => {
  const one = watch(START);
  await settled(one);
  source.events.push({ position: [2, 1], cursor: 'c2', at: new Date(Date.now() - 5000).toISOString() });
  feed.wake();
  await has(one, 'c2');
  expect(feed.secondsBehind).toBeGreaterThanOrEqual(5);
  await until('the reader has no lag', () => feed.secondsBehind, is(0));
});

test('a watcher without a cursor gets what happens from then on', async () => {
  source.add(3);
  const other = watch(START);
  const one = watch(null);
  await has(other, 'c3');
  for (let turn = 0; turn < 20; turn += 1) await nextTurn();
  await settled(other, one);
  expect(one.got).toEqual(['c4']);
});
