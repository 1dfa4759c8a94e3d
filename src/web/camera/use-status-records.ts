// The records of a camera in a range, newest first: the newest page is read again as the range moves, older ones at the end.
import { useApolloClient, useQuery } from '@apollo/client/react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { CameraRecordsDocument, type StatusRowFragment } from '../../generated/web-operations';
import type { Range } from './time-range';

const PAGE = 100;

interface Records {
  records: readonly StatusRowFragment[];
  /** There are no older ones. */
  isWhole: boolean;
}

export function useRecords(id: string, { from, to }: Range) {
  const apollo = useApolloClient();
  const newest = useQuery(CameraRecordsDocument, {
    variables: { id, from, to, first: PAGE },
    fetchPolicy: 'no-cache',
  });
  const [loaded, setLoaded] = useState<Records>();
  const [error, setError] = useState<unknown>();
  const isLoading = useRef(false);
  const page = newest.data?.camera?.history;
  useEffect(() => {
    if (page === undefined) return;
    setLoaded((before) => {
      const isShort = page.length < PAGE;
      // So many are new that the pages do not meet any more.
      if (before === undefined || !meets(page, before.records)) return { records: page, isWhole: isShort };
      return { records: joined(page, before.records), isWhole: before.isWhole || isShort };
    });
  }, [page]);
  const last = loaded?.records.at(-1)?.recordedAt;
  const readOlder = useCallback(async () => {
    if (isLoading.current || last === undefined) return;
    isLoading.current = true;
    setError(undefined);
    try {
      // `to` is in the range: the last record that is loaded comes once more.
      const variables = { id, from, to: last, first: PAGE + 1 };
      const { data } = await apollo.query({ query: CameraRecordsDocument, variables, fetchPolicy: 'no-cache' });
      const older = data?.camera?.history ?? [];
      setLoaded((before) => before && { records: joined(before.records, older), isWhole: older.length <= PAGE });
    } catch (caught) {
      setError(caught);
    } finally {
      isLoading.current = false;
    }
  }, [apollo, id, from, last]);
  return { newest, loaded, error, readOlder };
}

function meets(front: Records['records'], back: Records['records']): boolean {
  const ids = new Set(front.map((record) => record.id));
  return front.length < PAGE || back.some((record) => ids.has(record.id));
}

function joined(front: Records['records'], back: Records['records']): Records['records'] {
  const ids = new Set(front.map((record) => record.id));
  return [...front, ...back.filter((record) => !ids.has(record.id))];
}
