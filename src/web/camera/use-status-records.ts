// Reads the status records of a camera in a range, newest first. The newest page is read again as the range moves; older records are read on request.
import { useApolloClient, useQuery } from '@apollo/client/react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { CameraRecordsDocument, type StatusRowFragment } from '../../generated/web-operations';
import type { Range } from './time-range';

const PAGE = 100;

interface LoadedRecords {
  records: readonly StatusRowFragment[];
  /** Whether the range has no older records. */
  isComplete: boolean;
}

export function useStatusRecords(id: string, { from, to }: Range) {
  const apollo = useApolloClient();
  const newest = useQuery(CameraRecordsDocument, {
    variables: { id, from, to, first: PAGE },
    fetchPolicy: 'no-cache',
  });
  const [loaded, setLoaded] = useState<LoadedRecords>();
  const [error, setError] = useState<unknown>();
  const isLoading = useRef(false);
  const page = newest.data?.camera?.history;
  useEffect(() => {
    if (page === undefined) return;
    setLoaded((current) => {
      const isLastPage = page.length < PAGE;
      // So many records are new that records between the two pages may be missing.
      if (current === undefined || !overlaps(page, current.records)) return { records: page, isComplete: isLastPage };
      return { records: mergeRecords(page, current.records), isComplete: current.isComplete || isLastPage };
    });
  }, [page]);
  const last = loaded?.records.at(-1)?.recordedAt;
  const readOlder = useCallback(async () => {
    if (isLoading.current || last === undefined) return;
    isLoading.current = true;
    setError(undefined);
    try {
      // The range includes `to`, so the last loaded record is read once more.
      const variables = { id, from, to: last, first: PAGE + 1 };
      const { data } = await apollo.query({ query: CameraRecordsDocument, variables, fetchPolicy: 'no-cache' });
      const older = data?.camera?.history ?? [];
      setLoaded(
        (current) => current && { records: mergeRecords(current.records, older), isComplete: older.length <= PAGE },
      );
    } catch (caught) {
      setError(caught);
    } finally {
      isLoading.current = false;
    }
  }, [apollo, id, from, last]);
  return { newest, loaded, error, readOlder };
}

function overlaps(front: LoadedRecords['records'], back: LoadedRecords['records']): boolean {
  const ids = new Set(front.map((record) => record.id));
  return front.length < PAGE || back.some((record) => ids.has(record.id));
}

function mergeRecords(front: LoadedRecords['records'], back: LoadedRecords['records']): LoadedRecords['records'] {
  const ids = new Set(front.map((record) => record.id));
  return [...front, ...back.filter((record) => !ids.has(record.id))];
}
