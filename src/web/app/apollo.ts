// The GraphQL client: how it sends operations, and how its cache finds an object and a page of a list.
import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from '@apollo/client';
import { SetContextLink } from '@apollo/client/link/context';
import { ErrorLink } from '@apollo/client/link/error';
import { map } from 'rxjs';
import { problemOf } from '../parts/problem';
import { mergedParts, pagedList, readList } from './cached-lists';
import { listPages } from './list-reading';

/** The operations of a page are those of its version. */
const OF_VERSIONS = ['GRAPHQL_VALIDATION_FAILED', 'PERSISTED_QUERY_NOT_IN_LIST'];

/**
 * @param uri of /graphql
 * @param refused called when credentials are missing or wrong
 * @param notKnown called when the gateway does not know an operation of this page
 */
export function createApollo(
  uri: string,
  headers: () => Record<string, string>,
  refused: () => void,
  notKnown: () => void,
): ApolloClient {
  return new ApolloClient({
    link: ApolloLink.from([
      new ErrorLink(({ error }) => {
        const { codes } = problemOf(error);
        if (codes.includes('UNAUTHENTICATED')) refused();
        if (codes.some((code) => OF_VERSIONS.includes(code))) notKnown();
      }),
      new SetContextLink((context) => ({ headers: { ...context['headers'], ...headers() } })),
      listPages(),
      withRequestId,
      new HttpLink({ uri }),
    ]),
    cache: new InMemoryCache({
      typePolicies: {
        // A part of its camera. With a place of its own each status would leave a trace behind: 1 MB for 1,000 of them.
        CameraStatus: { keyFields: false },
        Query: {
          fields: {
            alerts: { merge: false },
            notificationTargets: { merge: false },
            printJobs: pagedList(['filter', 'orderBy']),
            observedPrints: pagedList(['filter']),
          },
        },
        // They have no ids, and are read whole.
        ObservedPrint: { fields: { filament: { merge: false }, sightings: { merge: false } } },
        Printer: { fields: { slots: { merge: false }, state: { merge: false }, slotLoads: readList(['slot']) } },
        Spool: {
          fields: { slotLoads: readList(false), jobs: readList(['orderBy']), adjustments: readList(['first']) },
        },
        Filament: { fields: { spools: readList(false), stock: { merge: false } } },
        SpoolAdjustment: { fields: { takenBack: { merge: false } } },
        PrintJob: { fields: { parts: { merge: mergedParts }, filming: { merge: false } } },
        Camera: { fields: { watches: { merge: false } } },
        // The farm page reads less of it.
        NotificationTarget: {
          fields: { deliveries: readList(false), printers: { merge: false }, events: { merge: false } },
        },
        Device: { fields: { connection: { merge: true } } },
      },
    }),
    defaultOptions: {
      // A page that is opened again shows the cached values at once, and reads them anew. A list that is read again keeps its
      // pages.
      watchQuery: {
        fetchPolicy: 'cache-and-network',
        nextFetchPolicy: 'cache-first',
        refetchWritePolicy: 'merge',
      },
    },
  });
}

/** The request's id leads from an error on the page to the gateway's log. */
const withRequestId = new ApolloLink((operation, forward) =>
  forward(operation).pipe(
    map((result) => {
      const response = operation.getContext()['response'] as Response | undefined;
      const requestId = response?.headers.get('x-request-id');
      return result.errors && requestId ? { ...result, extensions: { ...result.extensions, requestId } } : result;
    }),
  ),
);
