// Keeps the cache current: writes changed objects into it, and refetches the lists and sums that a change may affect.
import { type ApolloClient, makeVar, type ObservableQuery } from '@apollo/client';
import type { Client } from '../../client/client';
import type * as operations from '../../generated/web-operations';
import { FarmChangesDocument, type FarmChangesSubscription } from '../../generated/web-operations';
import { toProblem } from '../parts/problem';
import { markOutdated } from './cached-lists';

type Change = FarmChangesSubscription['changes'];

/** Changes come in bursts. All changes within this time are handled together. */
const BATCH_MS = 400;
/** How often the open page is refetched while changes cannot be watched, and how soon a failed query is sent again. */
const POLL_MS = 5_000;
/** The upper limit of this pause, which doubles each time that a query fails again. */
const MAX_POLL_MS = 30_000;
/**
 * After a refetch, the next one waits this many times as long as the refetch took: a list of thousands of rows takes a hundred
 * requests.
 */
const PAUSE_FACTOR = 4;
/** The upper limit of this pause, because short queries wait for it too. */
const MAX_PAUSE_MS = 5_000;

/** Whether changes arrive. While the connection is `lost`, the values on the page may be out of date. */
export const live = makeVar<'connecting' | 'live' | 'lost'>('connecting');

type OperationName = keyof typeof operations extends infer Name
  ? Name extends `${infer N}Document`
    ? N
    : never
  : never;

const SPOOL_QUERIES = ['SpoolGrams', 'SpoolJobs', 'SpoolLedger', 'SpoolPage', 'Spools'] as const;
const PRODUCT_QUERIES = ['FilamentPage', 'Filaments', 'FilamentSpools'] as const;

/** The queries whose lists and sums a change may affect. The changed object itself arrives with the change and needs no refetch. */
const AFFECTED_QUERIES: Record<Change['__typename'], readonly OperationName[]> = {
  // There are many each second, so nothing is refetched for them. The pages poll the alerts.
  CameraStatusRecorded: [],
  CameraChanged: ['CameraPage', 'CameraWatches', 'Farm', 'FarmPrinters', 'JobFilm', 'PrinterPage', 'Start'],
  PrintJobChanged: [
    'Alerts',
    'FarmPrinters',
    'Job',
    'Jobs',
    'JobToDivide',
    'PrinterQueue',
    ...PRODUCT_QUERIES,
    ...SPOOL_QUERIES,
    'Today',
    'Usage',
    'Week',
  ],
  ObservedPrintChanged: ['Alerts', 'Job', 'PrinterPrints', 'PrintPage', 'WaitingPrints'],
  PrinterChanged: ['FarmPrinters', 'PrinterChoices', 'PrinterPage', 'Printers', 'SlotHistory', 'Start'],
  DeviceChanged: ['Alerts', 'CameraPage', 'FarmStates', 'PrinterPage'],
  SpoolChanged: [
    'Alerts',
    'FarmPrinters',
    'Job',
    'Places',
    'PrinterPage',
    'SpoolChoices',
    'SpoolLoads',
    ...PRODUCT_QUERIES,
    ...SPOOL_QUERIES,
    'Start',
  ],
  FilamentChanged: ['Alerts', 'FilamentChoices', ...PRODUCT_QUERIES],
  MaterialChanged: ['Materials', 'Start'],
};

interface WatchOptions {
  apollo: ApolloClient;
  gateway: Client;
  /** The cursor of the feed of changes from before the first page was read. */
  startCursor: string;
  signal: AbortSignal;
  onUnauthenticated: () => void;
  /** Called when changes arrive again after the connection was lost. */
  onReconnected: () => void;
}

export async function watchFarm({
  apollo,
  gateway,
  startCursor,
  signal,
  onUnauthenticated,
  onReconnected,
}: WatchOptions): Promise<void> {
  /** A change is sent only once. If a refetch failed, it must be repeated. */
  let hasFailed = false;
  const refetch = async (altered?: Set<string | undefined>) => {
    const isAffected = ({ queryName }: ObservableQuery) => altered?.has(queryName) ?? true;
    if (await refetchShownQueries(apollo, isAffected)) hasFailed = true;
  };
  void repeatFailedQueries(signal, async () => {
    const isWhole = hasFailed || live() === 'lost';
    const isAffected = (query: ObservableQuery) => isWhole || hasTemporaryError(query);
    if (![...apollo.getObservableQueries('active')].some(isAffected)) return false;
    hasFailed = false;
    const isAgain = await refetchShownQueries(apollo, isAffected);
    hasFailed ||= isAgain;
    return isAgain;
  });
  let stream = new AbortController();
  let wake = () => {};
  const restartStream = () => {
    stream.abort();
    wake();
  };
  document.addEventListener('visibilitychange', restartStream);
  signal.addEventListener('abort', restartStream);
  let cursor: string | null = startCursor;
  let hasMissedChanges = false;
  const onState = (state: string) => {
    const wasLost = live() === 'lost';
    live(state === 'connected' ? 'live' : 'lost');
    if (hasMissedChanges && live() === 'live') {
      markListsOutdated(apollo);
      void refetch();
    }
    if (wasLost && live() === 'live') onReconnected();
    hasMissedChanges = live() === 'lost';
  };
  while (!signal.aborted) {
    // A hidden page keeps no stream open, because nobody sees its values.
    if (document.hidden) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
      continue;
    }
    stream = new AbortController();
    const options = { signal: stream.signal, onState };
    const addChange = createBatcher(apollo, refetch, stream.signal);
    try {
      for await (const { changes } of gateway.subscribe(FarmChangesDocument, { after: cursor }, options))
        addChange(changes);
    } catch (error) {
      const { codes } = toProblem(error);
      if (codes.includes('UNAUTHENTICATED')) onUnauthenticated();
      live('lost');
      // After an expired cursor there is no need to wait: the feed is watched from now on, and everything is refetched.
      if (!codes.includes('CURSOR_EXPIRED')) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    stream.abort();
    // There may be thousands of changes until the feed is watched again. Refetching the page costs less than reading them.
    cursor = null;
    hasMissedChanges = true;
  }
  document.removeEventListener('visibilitychange', restartStream);
  live('connecting');
}

/**
 * Sends queries again until the signal aborts. A wall display continues by itself when a busy database answers again, and when the
 * gateway is back.
 * @param repeat resolves with whether a query failed again
 */
async function repeatFailedQueries(signal: AbortSignal, repeat: () => Promise<boolean>): Promise<void> {
  let pauseMs = POLL_MS;
  const pause = (ms: number) => new Promise<true>((resolve) => setTimeout(resolve, ms, true));
  while (!signal.aborted) {
    await pause(pauseMs);
    if (signal.aborted || document.hidden) continue;
    // A request to a computer that has disappeared may stay unanswered for minutes.
    const isAgain = await Promise.race([repeat(), pause(MAX_POLL_MS)]);
    pauseMs = isAgain ? Math.min(2 * pauseMs, MAX_POLL_MS) : POLL_MS;
  }
}

const hasTemporaryError = (query: ObservableQuery) => {
  const { error } = query.getCurrentResult();
  return error !== undefined && toProblem(error).isTemporary;
};

/**
 * Collects changes and handles one batch at a time. If changes come faster than answers, requests must not pile up.
 * @returns a function that adds a change
 */
function createBatcher(
  apollo: ApolloClient,
  refetch: (affected: Set<string | undefined>) => Promise<void>,
  signal: AbortSignal,
): (change: Change) => void {
  let pending: Change[] = [];
  let isRunning = false;
  let pausedUntil = 0;
  const altered = new Set<string | undefined>();
  const run = async () => {
    isRunning = true;
    while (pending.length > 0 || altered.size > 0) {
      await new Promise((resolve) => setTimeout(resolve, BATCH_MS));
      // A page that is hidden or disconnected refetches everything when it is back. Older values must not be written after that.
      if (signal.aborted) return;
      const changes = pending;
      pending = [];
      apollo.cache.batch({
        update: (cache) => {
          for (const change of changes) writeChange(cache, change);
        },
      });
      for (const name of changes.flatMap((change) => AFFECTED_QUERIES[change.__typename])) altered.add(name);
      const startedAt = performance.now();
      if (altered.size === 0 || startedAt < pausedUntil) continue;
      await refetch(altered);
      altered.clear();
      const now = performance.now();
      pausedUntil = now + Math.min(PAUSE_FACTOR * (now - startedAt), MAX_PAUSE_MS);
    }
    isRunning = false;
  };
  return (change) => {
    pending.push(change);
    if (!isRunning) void run();
  };
}

function writeChange(cache: ApolloClient['cache'], change: Change): void {
  const removed = findRemoved(change);
  if (removed === undefined) {
    cache.writeQuery({ id: 'ROOT_SUBSCRIPTION', query: FarmChangesDocument, data: { changes: change } });
  } else {
    cache.evict({ id: cache.identify(removed) as string });
  }
}

/** The object that the change removed, or undefined. */
function findRemoved(change: Change): { __typename: string; id: string } | undefined {
  if (!('kind' in change) || change.kind !== 'DELETED') return undefined;
  if (change.__typename === 'CameraChanged') return { __typename: 'Camera', id: change.cameraId };
  if (change.__typename === 'PrintJobChanged') return { __typename: 'PrintJob', id: change.jobId };
  if (change.__typename === 'PrinterChanged') return { __typename: 'Printer', id: change.printerId };
  if (change.__typename === 'ObservedPrintChanged') return { __typename: 'ObservedPrint', id: change.printId };
  if (change.__typename === 'DeviceChanged') return { __typename: 'Device', id: change.deviceId };
  if (change.__typename === 'SpoolChanged') return { __typename: 'Spool', id: change.spoolId };
  if (change.__typename === 'FilamentChanged') return { __typename: 'Filament', id: change.filamentId };
  return { __typename: 'Material', id: change.materialId };
}

/**
 * Refetches queries that the page shows now. Other queries are refetched when their page is opened.
 * @returns whether a query failed and may succeed later. The page itself shows the failure.
 */
async function refetchShownQueries(
  apollo: ApolloClient,
  isAffected: (query: ObservableQuery) => boolean,
): Promise<boolean> {
  let hasFailed = false;
  const onQueryUpdated = (query: ObservableQuery) =>
    isAffected(query) &&
    refetchAfterPending(apollo, query).catch((error) => {
      hasFailed ||= toProblem(error).isTemporary;
    });
  await apollo.refetchQueries({ include: 'active', onQueryUpdated }).catch(() => {});
  return hasFailed;
}

/** A pending answer may be older than the change, and Apollo sends no second request before it arrives. So two requests are needed. */
async function refetchAfterPending(apollo: ApolloClient, query: ObservableQuery): Promise<void> {
  if (query.getCurrentResult().loading) {
    await query.refetch().catch(() => {});
    markListsOutdated(apollo);
  }
  await query.refetch();
}

/**
 * A list keeps rows that are missing in a new answer. After missed changes these rows may be outdated, so the next answer replaces
 * all rows.
 */
function markListsOutdated({ cache }: ApolloClient): void {
  cache.modify({ id: 'ROOT_QUERY', fields: { printJobs: markOutdated, observedPrints: markOutdated } });
}
