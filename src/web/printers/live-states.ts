// The states of printers as they change. The newest of each goes into the cache, from which every row reads its own: a message
// about one of a thousand printers draws one row again.
import type { ApolloClient, TypedDocumentNode } from '@apollo/client';
import { useApolloClient, useFragment } from '@apollo/client/react';
import { useContext, useEffect } from 'react';
import type { Client } from '../../client/client';
import {
  type DeviceConnectionState,
  FarmStatesDocument,
  type PrinterConnectionFragment,
  type PrinterNowFragment,
  PrinterStatesDocument,
  type PrinterStatesSubscription,
} from '../../generated/web-operations';
import { Gateway } from '../parts/client-context';

/** States of a thousand printers come at once when a page is opened. */
const GATHER_MS = 400;
const AGAIN_MS = 5_000;

export type PrinterState = NonNullable<PrinterNowFragment['state']>;

/** @param printerId of the printer that the page shows; without it all are followed */
export function useLiveStates(printerId?: string): void {
  const apollo = useApolloClient();
  const gateway = useContext(Gateway);
  useEffect(() => {
    let stream = new AbortController();
    const follow = () => {
      stream.abort();
      stream = new AbortController();
      // Nobody reads what a hidden page would show.
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
        if (newest.size === 0) setTimeout(write, GATHER_MS);
        newest.set(data.printerStateChanged.id, data);
      }
    } catch {
      // The frame watches the changes, and shows when the gateway is gone.
    }
    if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}

/** The generated documents are operations: the fragment is cut out of one. */
const fragmentOf = <Fragment>(document: TypedDocumentNode, fragmentName: string) => ({
  fragmentName,
  fragment: {
    ...document,
    definitions: document.definitions.filter(({ kind }) => kind === 'FragmentDefinition'),
  } as TypedDocumentNode<Fragment, Record<string, never>>,
});
const NOW = fragmentOf<PrinterNowFragment>(PrinterStatesDocument, 'PrinterNow');
const CONNECTION = fragmentOf<PrinterConnectionFragment>(FarmStatesDocument, 'PrinterConnection');

/** null: nothing is known of it. */
export function useStateOf(id: string): PrinterState | null {
  const now = useFragment({ ...NOW, from: { __typename: 'Printer', id } });
  return now.dataState === 'complete' ? now.data.state : null;
}

/** null: it has no device; undefined: it is not read yet. */
export function useConnectionOf(id: string): DeviceConnectionState | null | undefined {
  const found = useFragment({ ...CONNECTION, from: { __typename: 'Printer', id } });
  if (found.dataState !== 'complete') return undefined;
  return found.data.device?.connection.state ?? null;
}
