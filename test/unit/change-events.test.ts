// Which messages the WebSockets of Spoolman's API get from a played feed: in floods, outages and failures, and from clients that do not read.
import { EventEmitter } from 'node:events';
import type { WebSocket } from '@fastify/websocket';
import type { FastifyRequest } from 'fastify';
import { SpoolmanSockets } from '../../src/doors/http/spoolman-sockets';
import { ChangeEvents, type Listener } from '../../src/doors/spoolman/change-events';
import { TagScans } from '../../src/doors/spoolman/tag-scans';
import { DatabaseUnavailable } from '../../src/errors';
import type { StockChangesStore } from '../../src/farm/changes/stock-changes.store';
import { Caller } from '../../src/farm/graph/caller';
import type { Feed, FeedEvent, FeedRange } from '../../src/sharing/feed';

const createOutage = () => new DatabaseUnavailable('The database is away', 'AWAY');

/** A farm whose spools have the ids "1", "2" … and a revision, which is what their answers show. */
function playFarm(spools = 3) {
  const revisions = new Map(Array.from({ length: spools }, (_, at) => [String(at + 1), 1]));
  const reads: number[] = [];
  const failures: Error[] = [];
  let isAway = false;
  let isUpset = false;
  let followers = 0;
  let deliver = (_range: FeedRange) => {};
  const answer = async <Value>(value: Value): Promise<Value> => {
    if (isAway) throw createOutage();
    if (isUpset) throw new Error('A fault of the gateway');
    return value;
  };
  const feed = {
    follow: () => {
      followers += 1;
      return () => {
        followers -= 1;
        deliver({ events: [], end: [0, 0] });
      };
    },
    latest: async () => [0, 0] as const,
    next: () =>
      new Promise<FeedRange>((resolve) => {
        deliver = resolve;
      }),
  };
  const store = {
    vendors: () => answer([]),
    numbers: () => answer({ spools: [...revisions.keys()].map((id) => [id, Number(id)]), filaments: [] }),
    containers: ({ filaments }: { filaments: string[] }) =>
      answer({ spools: filaments.length > 0 ? [...revisions.keys()] : [], filaments: [] }),
    spoolsOfRunningPrints: () => answer([]),
  };
  const objects = {
    read: async (_resource: string, ids: readonly string[]) => {
      reads.push(ids.length);
      const rows = ids.flatMap((id) => {
        const revision = revisions.get(id);
        return revision === undefined ? [] : [[id, { id: Number(id), json: `{"id":${id},"at":${revision}}` }] as const];
      });
      return answer(new Map(rows));
    },
  };
  const events = new ChangeEvents(
    feed as unknown as Feed,
    store as unknown as StockChangesStore,
    objects as never,
    (error) => failures.push(error),
  );
  const tell = async (changes: readonly { type: string; entity: string }[]) => {
    deliver({ events: changes as unknown as FeedEvent[], end: [0, 0] });
    await pass(0);
  };
  return {
    events,
    reads,
    failures,
    followers: () => followers,
    isAway: (away: boolean) => {
      isAway = away;
    },
    upset: () => {
      isUpset = true;
    },
    change: (...ids: string[]) => {
      for (const id of ids) revisions.set(id, (revisions.get(id) ?? 0) + 1);
      return tell(ids.map((entity) => ({ type: 'SPOOL', entity })));
    },
    remove: (id: string) => {
      revisions.delete(id);
      return tell([{ type: 'SPOOL', entity: id }]);
    },
    changeFilament: () => {
      for (const [id, revision] of revisions) revisions.set(id, revision + 1);
      return tell([{ type: 'FILAMENT', entity: 'f' }]);
    },
  };
}

const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);

function listen(events: ChangeEvents, wish: Partial<Listener> = {}) {
  const heard = { came: [] as { type: string; payload: { id: number; at?: number }; at: number }[], fails: 0 };
  const end = events.listen({
    resource: 'spool',
    id: null,
    send: (text) => heard.came.push({ ...JSON.parse(text), at: performance.now() }),
    fail: () => {
      heard.fails += 1;
    },
    ...wish,
  });
  return Object.assign(heard, { end });
}

beforeEach(() => {
  jest.useFakeTimers();
  jest.spyOn(performance, 'now').mockImplementation(() => Date.now());
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

test('a flood of changes arrives once each, in short reads, and an object has at most one message a second', async () => {
  const farm = playFarm(10_000);
  await farm.events.ready();
  const all = listen(farm.events);
  const one = listen(farm.events, { id: 7 });
  const ids = Array.from({ length: 10_000 }, (_, at) => String(at + 1));
  await farm.change(...ids);
  expect(all.came.map(({ payload }) => payload.id)).toEqual(ids.map(Number));
  expect(Math.max(...farm.reads)).toBe(200);
  await farm.change('7');
  await farm.change('7');
  await pass(2000);
  expect(one.came.map(({ payload }) => payload.at)).toEqual([2, 4]);
  expect((one.came[1]?.at ?? 0) - (one.came[0]?.at ?? 0)).toBeGreaterThanOrEqual(1000);
  farm.events.stop();
});

test('a change in an outage is sent once when the database answers again, also that of a filament', async () => {
  const farm = playFarm();
  await farm.events.ready();
  const { came } = listen(farm.events);
  farm.isAway(true);
  await farm.change('1');
  await farm.changeFilament();
  await pass(30_000);
  expect(came).toEqual([]);
  farm.isAway(false);
  await pass(3000);
  expect(came.map(({ payload }) => payload)).toEqual([
    { id: 1, at: 3 },
    { id: 2, at: 2 },
    { id: 3, at: 2 },
  ]);
  expect(farm.failures).toEqual([]);
  farm.events.stop();
});

test('in an outage no socket opens, and the next one after it does', async () => {
  const farm = playFarm();
  farm.isAway(true);
  await expect(farm.events.ready()).rejects.toThrow(DatabaseUnavailable);
  expect(farm.followers()).toBe(0);
  farm.isAway(false);
  await farm.events.ready();
  const { came } = listen(farm.events);
  await farm.change('4');
  await farm.remove('2');
  await pass(2000);
  expect(came.map(({ type, payload }) => [type, payload.id])).toEqual([
    ['added', 4],
    ['deleted', 2],
  ]);
  farm.events.stop();
});

test('a failure ends every socket, and a socket that was just being opened too', async () => {
  const farm = playFarm();
  await farm.events.ready();
  const open = listen(farm.events);
  farm.upset();
  await farm.change('1');
  expect([open.fails, farm.failures.length, farm.followers()]).toEqual([1, 1, 0]);
  expect(listen(farm.events).fails).toBe(1);
});

test('clients that connect again each second start nothing anew, and following ends a minute after the last', async () => {
  const farm = playFarm();
  for (let second = 0; second < 90; second += 1) {
    for (let client = 0; client < 200; client += 1) {
      await farm.events.ready();
      listen(farm.events).end();
    }
    await pass(1000);
    expect(farm.followers()).toBe(1);
  }
  await pass(61_000);
  expect([farm.followers(), farm.events.count]).toEqual([0, 0]);
});

/** A socket of ws, as far as the gateway uses it. */
class PlayedSocket extends EventEmitter {
  readonly OPEN = 1;
  readonly readyState = 1;
  bufferedAmount = 0;
  readonly sent: string[] = [];
  readonly closed: number[] = [];

  send(text: string): void {
    this.sent.push(text);
  }

  close(code: number): void {
    this.closed.push(code);
  }
}

test('a client that reads too slowly, and one whose token has expired, are closed, and others get all', async () => {
  const farm = playFarm();
  const sockets = new SpoolmanSockets(farm.events, new TagScans());
  const topic = { resource: null, id: null };
  await sockets.admit(topic);
  const connect = (expiresAt: number | null = null) => {
    const socket = new PlayedSocket();
    const caller = new Caller('key somebody', ['spools'], null, expiresAt);
    sockets.serve(socket as unknown as WebSocket, { caller } as FastifyRequest, topic);
    return socket;
  };
  const [good, slow, expired] = [connect(), connect(), connect(Date.now() + 60_000)];
  slow.bufferedAmount = 2 ** 20 + 1;
  await farm.change('1');
  await pass(90_000);
  slow.bufferedAmount = 0;
  await farm.change('2');
  expect([good, slow, expired].map(({ sent, closed }) => [sent.length, closed])).toEqual([
    [2, []],
    [0, [1013]],
    [1, [1008]],
  ]);
  farm.events.stop();
  expect([good.closed, slow.closed]).toEqual([[1011], [1013]]);
});
