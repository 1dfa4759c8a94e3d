/**
 * How the dashboard reads again: how often while changes come without a pause, and after answers that are older than a change.
 *
 * @jest-environment node
 */
import { type ApolloClient, gql } from '@apollo/client';
import type { Client } from '../../src/client/client';
import { createApollo } from '../../src/web/app/apollo';
import { watchFarm } from '../../src/web/app/live-cache';

const shown = Object.assign(new EventTarget(), { hidden: false });

beforeEach(() => {
  jest.useFakeTimers();
  Object.assign(globalThis, { document: shown });
});

afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
  Reflect.deleteProperty(globalThis, 'document');
});

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test.each([
  { readMs: 10, least: 100, most: 150 },
  { readMs: 1000, least: 10, most: 12 },
])(
  'readings of $readMs ms leave the gateway time, and changes are shown meanwhile',
  async ({ readMs, least, most }) => {
    const counted = { readings: 0, writes: 0 };
    const apollo = {
      getObservableQueries: () => new Set(),
      refetchQueries: () => {
        counted.readings += 1;
        return pause(readMs);
      },
      cache: {
        batch: () => {
          counted.writes += 1;
        },
      },
    } as unknown as ApolloClient;
    const end = new AbortController();
    const gateway = {
      async *subscribe(_document: unknown, _variables: unknown, { onState }: { onState: (state: string) => void }) {
        onState('connected');
        while (!end.signal.aborted) {
          await pause(50);
          yield { changes: { __typename: 'PrintJobChanged', kind: 'UPDATED', cursor: 'c' } };
        }
      },
    } as unknown as Client;
    const watching = watchFarm({
      apollo,
      gateway,
      startCursor: 'c',
      signal: end.signal,
      onUnauthenticated: () => {},
      onReconnected: () => {},
    });
    await jest.advanceTimersByTimeAsync(60_000);
    const { readings, writes } = counted;
    end.abort();
    await jest.advanceTimersByTimeAsync(10_000);
    await watching;
    expect(readings).toBeGreaterThanOrEqual(least);
    expect(readings).toBeLessThanOrEqual(most);
    expect(writes).toBeGreaterThan(90);
  },
);

const JOBS = gql`
  query Jobs {
    printJobs {
      nodes {
        id
        status
      }
      pageInfo {
        hasNextPage
      }
    }
  }
`;

const jobs = (...statuses: string[]) => {
  const nodes = statuses.map((status, at) => ({ __typename: 'PrintJob', id: `job ${at}`, status }));
  return { printJobs: { __typename: 'PrintJobConnection', nodes, pageInfo: { hasNextPage: false } } };
};

test.each(['missed', 'told', 'told, but cut off'])(
  'a job that ended leaves its list, though an older answer arrives late: %s',
  async (way) => {
    const answers: ((data: object) => void)[] = [];
    const cuts: (() => void)[] = [];
    jest.spyOn(globalThis, 'fetch').mockImplementation(
      () =>
        new Promise((resolve, reject) => {
          answers.push((data) => resolve(Response.json({ data })));
          cuts.push(() => reject(new TypeError('Failed to fetch')));
        }),
    );
    const apollo = createApollo(
      '/graphql',
      () => ({}),
      () => {},
      () => {},
    );
    const end = new AbortController();
    const job = { __typename: 'PrintJob', id: 'job 0', status: 'COMPLETED' };
    const changes = { __typename: 'PrintJobChanged', kind: 'UPDATED', cursor: 'c', jobId: 'job 0', job };
    let tell = () => {};
    const gateway = {
      async *subscribe(_document: unknown, _variables: unknown, { onState, signal }: Watched) {
        onState('connected');
        while (!signal.aborted) {
          await new Promise<void>((resolve) => {
            tell = resolve;
            signal.addEventListener('abort', () => resolve());
          });
          if (!signal.aborted) yield { changes };
        }
      },
    } as unknown as Client;
    const watching = watchFarm({
      apollo,
      gateway,
      startCursor: 'c',
      signal: end.signal,
      onUnauthenticated: () => {},
      onReconnected: () => {},
    });
    const list = apollo.watchQuery({ query: JOBS });
    list.subscribe(() => {});
    const nodes = () => apollo.readQuery<ReturnType<typeof jobs>>({ query: JOBS })?.printJobs.nodes;
    const settle = (ms = 0) => jest.advanceTimersByTimeAsync(ms);
    await settle();
    answers[0]?.(jobs('QUEUED'));
    await settle();
    void list.refetch();
    await settle();
    if (way !== 'missed') {
      tell();
    } else {
      for (const hidden of [true, false]) {
        shown.hidden = hidden;
        shown.dispatchEvent(new Event('visibilitychange'));
        await settle();
      }
    }
    await settle(1_000);
    answers[1]?.(jobs('QUEUED'));
    await settle(1_000);
    if (way.includes('cut')) {
      cuts[2]?.();
      await settle(10_000);
    }
    answers.at(-1)?.(jobs());
    await settle(1_000);
    expect(nodes()).toEqual([]);
    expect(answers).toHaveLength(way.includes('cut') ? 4 : 3);
    end.abort();
    await settle(10_000);
    await watching;
  },
);

test('a query that fails is sent again by itself, with growing pauses, until it is answered', async () => {
  const busy = { errors: [{ message: 'busy', extensions: { code: 'INTERNAL_SERVER_ERROR' } }] };
  const sentAt: number[] = [];
  let answer = () => Response.json(busy);
  jest.spyOn(globalThis, 'fetch').mockImplementation(async () => {
    sentAt.push(Date.now());
    return answer();
  });
  const apollo = createApollo(
    '/graphql',
    () => ({}),
    () => {},
    () => {},
  );
  const end = new AbortController();
  const gateway = {
    async *subscribe(_document: unknown, _variables: unknown, { onState, signal }: Watched) {
      onState('connected');
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    },
  } as unknown as Client;
  const options = { apollo, gateway, startCursor: 'c', signal: end.signal, onUnauthenticated: () => {} };
  const watching = watchFarm({ ...options, onReconnected: () => {} });
  const list = apollo.watchQuery({ query: JOBS });
  list.subscribe({ error: () => {} });
  await jest.advanceTimersByTimeAsync(125_000);
  const pauses = sentAt.slice(1).map((ms, at) => Math.round((ms - (sentAt[at] as number)) / 1000));
  expect(pauses).toEqual([5, 10, 20, 30, 30, 30]);
  answer = () => Response.json({ data: jobs('QUEUED') });
  await jest.advanceTimersByTimeAsync(60_000);
  expect(list.getCurrentResult().data).toEqual(jobs('QUEUED'));
  expect(sentAt).toHaveLength(8);
  end.abort();
  shown.dispatchEvent(new Event('visibilitychange'));
  await jest.advanceTimersByTimeAsync(10_000);
  await watching;
});

interface Watched {
  onState: (state: string) => void;
  signal: AbortSignal;
}
