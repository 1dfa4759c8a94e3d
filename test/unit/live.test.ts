// How often the dashboard reads again while changes come without a pause.
import type { ApolloClient } from '@apollo/client';
import type { Client } from '../../src/client/client';
import { watchFarm } from '../../src/web/app/live';

const shown = Object.assign(new EventTarget(), { hidden: false });

beforeEach(() => {
  jest.useFakeTimers();
  Object.assign(globalThis, { document: shown });
});

afterEach(() => {
  jest.useRealTimers();
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
    const watching = watchFarm({ apollo, gateway, after: 'c', signal: end.signal, refused: () => {} });
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
