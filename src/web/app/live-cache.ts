// Keeps the cache true: writes the objects of changes into it, and reads the lists again that a change may have altered.
import { type ApolloClient, makeVar, type ObservableQuery } from '@apollo/client';
import type { Client } from '../../client/client';
import type * as operations from '../../generated/web-operations';
import { FarmChangesDocument, type FarmChangesSubscription } from '../../generated/web-operations';
import { problemOf } from '../parts/problem';
import { asOld } from './cached-lists';

type Change = FarmChangesSubscription['changes'];

/** Changes come in bursts: those of this time are one step. */
const GATHER_MS = 400;
/** While changes cannot be watched, the open page is read so often. */
const POLL_MS = 5_000;
/** After a reading, none follows for so many times its length: a list of thousands of rows takes a hundred requests. */
const RESTS = 4;
/** Other queries wait for the end of the rest too. */
const MAX_REST_MS = 5_000;

/** `lost`: the values on the page may be old. */
export const live = makeVar<'connecting' | 'live' | 'lost'>('connecting');

type OperationName = keyof typeof operations extends infer Name
  ? Name extends `${infer N}Document`
    ? N
    : never
  : never;

const OF_SPOOL = ['SpoolGrams', 'SpoolJobs', 'SpoolLedger', 'SpoolPage', 'Spools'] as const;
const OF_FILAMENT = ['FilamentPage', 'Filaments', 'FilamentSpools'] as const;

/** The queries whose lists and sums a change may alter. The object of the change itself needs no reading. */
const ALTERS: Record<Change['__typename'], readonly OperationName[]> = {
  // Many each second. The pages ask for alerts by themselves.
  CameraStatusRecorded: [],
  CameraChanged: ['CameraPage', 'CameraWatches', 'Farm', 'FarmPrinters', 'JobFilm', 'PrinterPage', 'Start'],
  PrintJobChanged: [
    'Alerts',
    'FarmPrinters',
    'Job',
    'Jobs',
    'JobToDivide',
    ...OF_FILAMENT,
    ...OF_SPOOL,
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
    ...OF_FILAMENT,
    ...OF_SPOOL,
    'Start',
  ],
  FilamentChanged: ['Alerts', 'FilamentChoices', ...OF_FILAMENT],
  MaterialChanged: ['Materials', 'Start'],
};

interface Watching {
  apollo: ApolloClient;
  gateway: Client;
  /** Where the feed stood before the first page was read. */
  after: string;
  signal: AbortSignal;
  refused: () => void;
}

export async function watchFarm({ apollo, gateway, after, signal, refused }: Watching): Promise<void> {
  /** A change that is sent once must not stay unread because one request was cut off. */
  let isCut = false;
  const read = async (altered?: Set<string | undefined>) => {
    if (await readAgain(apollo, altered)) isCut = true;
  };
  const poll = setInterval(() => {
    if (document.hidden) return;
    if (live() === 'lost') void apollo.refetchQueries({ include: 'active' });
    else if (isCut) {
      isCut = false;
      void read();
    }
  }, POLL_MS);
  let stream = new AbortController();
  let wake = () => {};
  const change = () => {
    stream.abort();
    wake();
  };
  document.addEventListener('visibilitychange', change);
  signal.addEventListener('abort', change);
  let from: string | null = after;
  let hasMissed = false;
  const onState = (state: string) => {
    live(state === 'connected' ? 'live' : 'lost');
    if (hasMissed && live() === 'live') {
      markOld(apollo);
      void read();
    }
    hasMissed = live() === 'lost';
  };
  while (!signal.aborted) {
    // A hidden page has no stream: nobody reads what it would show.
    if (document.hidden) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
      continue;
    }
    stream = new AbortController();
    const options = { signal: stream.signal, onState };
    const take = gatherer(apollo, read, stream.signal);
    try {
      for await (const { changes } of gateway.subscribe(FarmChangesDocument, { after: from }, options)) take(changes);
    } catch (error) {
      const { codes } = problemOf(error);
      if (codes.includes('UNAUTHENTICATED')) refused();
      live('lost');
      // An expired cursor costs no wait. It is left, and all is read anew once the feed is watched from now on.
      if (!codes.includes('CURSOR_EXPIRED')) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    stream.abort();
    // There may be thousands of changes until the feed is watched again: to read the page anew costs less.
    from = null;
    hasMissed = true;
  }
  clearInterval(poll);
  document.removeEventListener('visibilitychange', change);
  live('connecting');
}

/** One step at a time: where changes come faster than answers, readings must not pile up. */
function gatherer(
  apollo: ApolloClient,
  read: (altered: Set<string | undefined>) => Promise<void>,
  signal: AbortSignal,
): (change: Change) => void {
  let waiting: Change[] = [];
  let isRunning = false;
  let restsUntil = 0;
  const altered = new Set<string | undefined>();
  const run = async () => {
    isRunning = true;
    while (waiting.length > 0 || altered.size > 0) {
      await new Promise((resolve) => setTimeout(resolve, GATHER_MS));
      // A page that is hidden or cut off reads all when it is back, and older values must not come after that.
      if (signal.aborted) return;
      const changes = waiting;
      waiting = [];
      apollo.cache.batch({
        update: (cache) => {
          for (const change of changes) write(cache, change);
        },
      });
      for (const name of changes.flatMap((change) => ALTERS[change.__typename])) altered.add(name);
      const began = performance.now();
      if (altered.size === 0 || began < restsUntil) continue;
      await read(altered);
      altered.clear();
      const now = performance.now();
      restsUntil = now + Math.min(RESTS * (now - began), MAX_REST_MS);
    }
    isRunning = false;
  };
  return (change) => {
    waiting.push(change);
    if (!isRunning) void run();
  };
}

function write(cache: ApolloClient['cache'], change: Change): void {
  const gone = goneOf(change);
  if (gone === undefined) {
    cache.writeQuery({ id: 'ROOT_SUBSCRIPTION', query: FarmChangesDocument, data: { changes: change } });
  } else {
    cache.evict({ id: cache.identify(gone) as string });
  }
}

/** The object that was removed. */
function goneOf(change: Change): { __typename: string; id: string } | undefined {
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
 * Reads those queries again that a page shows now; the others are read when their page is opened.
 * @param altered the names of the queries; without them, all
 * @returns whether an answer was cut off; the page shows other failures, and offers to try again
 */
async function readAgain(apollo: ApolloClient, altered?: Set<string | undefined>): Promise<boolean> {
  let isCut = false;
  const onQueryUpdated = (query: ObservableQuery) =>
    (altered?.has(query.queryName) ?? true) &&
    readAfterAnswer(apollo, query).catch((error) => {
      isCut ||= error instanceof TypeError;
    });
  await apollo.refetchQueries({ include: 'active', onQueryUpdated }).catch(() => {});
  return isCut;
}

/** An answer on its way may be older than the change, and Apollo sends no second request before it has come. */
async function readAfterAnswer(apollo: ApolloClient, query: ObservableQuery): Promise<void> {
  if (query.getCurrentResult().loading) {
    await query.refetch().catch(() => {});
    markOld(apollo);
  }
  await query.refetch();
}

/** A list keeps the rows that a new answer lacks, and only the missed changes would say how those are now. */
function markOld({ cache }: ApolloClient): void {
  cache.modify({ id: 'ROOT_QUERY', fields: { printJobs: asOld, observedPrints: asOld } });
}
