// Loads the slicer's preview picture of a print. A request that failed is repeated a few times.
import { useApolloClient } from '@apollo/client/react';
import { useEffect, useState } from 'react';
import { PrintThumbnailDocument, type PrintThumbnailQuery } from '../../generated/web-operations';

type Thumbnail = NonNullable<NonNullable<PrintThumbnailQuery['observedPrint']>['thumbnail']>;

/** The pauses before the requests are repeated: three minutes together, because the gateway stores the picture soon after the start of the print. */
const RETRY_PAUSES_MS = [2_000, 5_000, 15_000, 40_000, 120_000];

const readAtOnce = <Result>(read: () => Promise<Result>) => read();

/**
 * @param isRunning whether the picture may still come if there is none
 * @param schedule decides when the picture is read; missing to read it immediately
 * @returns null while there is no picture
 */
export function useThumbnail(
  printId: string,
  isRunning: boolean,
  schedule: <Result>(read: () => Promise<Result>) => Promise<Result> = readAtOnce,
): Thumbnail | null {
  const apollo = useApolloClient();
  const query = { query: PrintThumbnailDocument, variables: { id: printId } };
  const [shown, setShown] = useState(() => ({ printId, thumbnail: apollo.readQuery(query)?.observedPrint?.thumbnail }));
  const thumbnail = shown.printId === printId ? shown.thumbnail : null;
  useEffect(() => {
    let isShown = true;
    const read = async (fetchPolicy: 'cache-first' | 'network-only') => {
      if (!isShown) return undefined;
      const { data } = await apollo.query({ query: PrintThumbnailDocument, variables: { id: printId }, fetchPolicy });
      return data?.observedPrint?.thumbnail ?? null;
    };
    const load = async () => {
      for (const pauseMs of [0, ...RETRY_PAUSES_MS]) {
        if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
        if (!isShown) return;
        const found = await schedule(() => read(pauseMs === 0 ? 'cache-first' : 'network-only')).catch(() => undefined);
        if (found != null && isShown) setShown({ printId, thumbnail: found });
        // A print that has ended gets no picture any more.
        if (found != null || (found === null && !isRunning)) return;
      }
    };
    void load();
    return () => {
      isShown = false;
    };
  }, [apollo, printId, isRunning, schedule]);
  return thumbnail ?? null;
}
