// Creates the GraphQL client: how it sends operations, and how its cache identifies objects and merges pages of lists.
import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from '@apollo/client';
import { SetContextLink } from '@apollo/client/link/context';
import { ErrorLink } from '@apollo/client/link/error';
import { map } from 'rxjs';
import { toProblem } from '../parts/problem';
import { mergeParts, pagedList, reloadedList } from './cached-lists';
import { createPagingLink } from './list-reading';

/**
 * The gateway answers with these codes if it was upgraded after this page was loaded: it no longer accepts the operations of the
 * page.
 */
const UNKNOWN_OPERATION_CODES = ['GRAPHQL_VALIDATION_FAILED', 'PERSISTED_QUERY_NOT_IN_LIST'];

/**
 * @param uri the address of /graphql
 * @param onUnauthenticated called when credentials are missing or wrong
 * @param onUnknownOperation called when the gateway does not know an operation of this page
 */
export function createApollo(
  uri: string,
  headers: () => Record<string, string>,
  onUnauthenticated: () => void,
  onUnknownOperation: () => void,
): ApolloClient {
  return new ApolloClient({
    link: ApolloLink.from([
      new ErrorLink(({ error }) => {
        const { codes } = toProblem(error);
        if (codes.includes('UNAUTHENTICATED')) onUnauthenticated();
        if (codes.some((code) => UNKNOWN_OPERATION_CODES.includes(code))) onUnknownOperation();
      }),
      new SetContextLink((context) => ({ headers: { ...context['headers'], ...headers() } })),
      createPagingLink(),
      withRequestId,
      new HttpLink({ uri }),
    ]),
    cache: new InMemoryCache({
      typePolicies: {
        // The cache stores a status inside its camera. Stored by its own id, each status would stay in memory: 1 MB for 1,000 of them.
        CameraStatus: { keyFields: false },
        // Its id is unique only together with its source.
        ExternalId: { keyFields: false },
        Query: {
          fields: {
            alerts: { merge: false },
            notificationTargets: { merge: false },
            printJobs: pagedList(['filter', 'orderBy', 'recording']),
            observedPrints: pagedList(['filter']),
          },
        },
        // The items of these lists have no ids, and every answer contains the whole list.
        ObservedPrint: {
          fields: { filament: { merge: false }, sightings: { merge: false }, thumbnail: { merge: false } },
        },
        Printer: { fields: { slots: { merge: false }, state: { merge: false }, slotLoads: reloadedList(['slot']) } },
        Spool: {
          fields: {
            slotLoads: reloadedList(false),
            jobs: reloadedList(['orderBy']),
            adjustments: reloadedList(['first']),
            reportedUses: reloadedList(['first']),
            tags: { merge: false },
            extra: { merge: false },
            externalIds: { merge: false },
          },
        },
        Filament: {
          fields: {
            spools: reloadedList(false),
            stock: { merge: false },
            extra: { merge: false },
            externalIds: { merge: false },
          },
        },
        SpoolAdjustment: { fields: { takenBack: { merge: false } } },
        PrintJob: { fields: { parts: { merge: mergeParts }, filming: { merge: false } } },
        Camera: { fields: { watches: { merge: false } } },
        NotificationTarget: {
          fields: { deliveries: reloadedList(false), printers: { merge: false }, events: { merge: false } },
        },
        Device: { fields: { connection: { merge: true }, spoolman: { merge: false } } },
        SpoolmanImport: { fields: { rows: reloadedList(['kind', 'actions']) } },
      },
    }),
    defaultOptions: {
      // A page that is opened again shows the cached values immediately and refetches them. A refetched list keeps the pages that
      // were already loaded.
      watchQuery: {
        fetchPolicy: 'cache-and-network',
        nextFetchPolicy: 'cache-first',
        refetchWritePolicy: 'merge',
      },
    },
  });
}

/** Adds the request id to an answer with errors, so that an operator can find the error in the gateway's log. */
const withRequestId = new ApolloLink((operation, forward) =>
  forward(operation).pipe(
    map((result) => {
      const response = operation.getContext()['response'] as Response | undefined;
      const requestId = response?.headers.get('x-request-id');
      return result.errors && requestId ? { ...result, extensions: { ...result.extensions, requestId } } : result;
    }),
  ),
);
