// Writes the states of printers into the cache as they change. Each row reads its state from the cache, so that a message about one
// of a thousand printers draws only one row.
import type { ApolloClient, TypedDocumentNode } from '@apollo/client';
import { useApolloClient, useFragment } from '@apollo/client/react';
import { useContext, useEffect } from 'react';
import type { Client } from '../../client/client';
import {
  FarmStatesDocument,
  type PrinterConnectionFragment,
  type PrinterNowFragment,
  PrinterStatesDocument,
  type PrinterStatesSubscription,
} from '../../generated/web-operations';
import { Gateway } from '../parts/client-context';

/** States are written in batches, because a thousand of them arrive together when a page is opened. */
const BATCH_MS = 400;
const RETRY_MS = 5_000;

export type PrinterState = NonNullable<PrinterNowFragment['state']>;

/** @param printerId the printer that the page shows; all printers if it is missing */
export function useLiveStates(printerId?: string): void {
  const apollo = useApolloClient();
  const gateway = useContext(Gateway);
  useEffect(() => {
    let stream = new AbortController();
    const follow = () => {
      stream.abort();
      stream = new AbortController();
      // A hidden page needs no states, because nobody sees them.
      if (!document.hidden && gateway !== null) void watchStates(apollo, gateway, printerId, stream.signal);
    };
    follow();
    document.addEventListener('visibilitychange', follow);
    return () => {
      document.removeEventListener('visibilitychange', follow);
      stream.abort();
    };
  }, [apollo, gateway, printerId]);
}

async function watchStates(
  apollo: ApolloClient,
  gateway: Client,
  printerId: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  const newest = new Map<string, PrinterStatesSubscription>();
  const write = () => {
    if (signal.aborted) return;
    apollo.cache.batch({
      update: (cache) => {
        for (const data of newest.values()) {
          cache.writeQuery({ id: 'ROOT_SUBSCRIPTION', query: PrinterStatesDocument, data });
        }
      },
    });
    newest.clear();
  };
  const printerIds = printerId === undefined ? null : [printerId];
  while (!signal.aborted) {
    try {
      for await (const data of gateway.subscribe(PrinterStatesDocument, { printerIds }, { signal })) {
        if (newest.size === 0) setTimeout(write, BATCH_MS);
        newest.set(data.printerStateChanged.id, data);
      }
    } catch {
      // The frame shows when the gateway does not answer (see live-cache.ts).
    }
    if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

/** Extracts a fragment from an operation, because only operations are generated as documents. */
const extractFragment = <Fragment>(document: TypedDocumentNode, fragmentName: string) => ({
  fragmentName,
  fragment: {
    ...document,
    definitions: document.definitions.filter(({ kind }) => kind === 'FragmentDefinition'),
  } as TypedDocumentNode<Fragment, Record<string, never>>,
});
const STATE_FRAGMENT = extractFragment<PrinterNowFragment>(PrinterStatesDocument, 'PrinterNow');
const CONNECTION_FRAGMENT = extractFragment<PrinterConnectionFragment>(FarmStatesDocument, 'PrinterConnection');

/** `null` if the printer has no state. */
export function usePrinterState(id: string): PrinterState | null {
  const fragment = useFragment({ ...STATE_FRAGMENT, from: { __typename: 'Printer', id } });
  return fragment.dataState === 'complete' ? fragment.data.state : null;
}

type Connection = NonNullable<PrinterConnectionFragment['device']>['connection'];

/** `null` if the printer has no connection, `undefined` while it is loading. */
export function usePrinterConnection(id: string): Connection | null | undefined {
  const fragment = useFragment({ ...CONNECTION_FRAGMENT, from: { __typename: 'Printer', id } });
  if (fragment.dataState !== 'complete') return undefined;
  return fragment.data.device?.connection ?? null;
}

const BUSY: readonly PrinterState['activity'][] = ['PREPARING', 'PRINTING', 'PAUSED'];
/** Whether the printer has a print that has not ended. */
export const isBusy = ({ activity }: Pick<PrinterState, 'activity'>): boolean => BUSY.includes(activity);
