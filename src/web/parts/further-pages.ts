// Loads further pages of a list, one at a time.
import { useCallback, useState } from 'react';

interface PagedQuery {
  fetchMore: (options: { variables: { after: string | null } }) => Promise<unknown>;
}

interface PageInfo {
  hasNextPage: boolean;
  endCursor: string | null;
}

/** @returns `more` loads the next page and is undefined at the end of the list; `retry` repeats a failed load */
export function useFurtherPages({ fetchMore }: PagedQuery, pageInfo: PageInfo | undefined) {
  const [problem, setProblem] = useState<unknown>();
  const { hasNextPage = false, endCursor = null } = pageInfo ?? {};
  const retry = useCallback(() => {
    setProblem(undefined);
    fetchMore({ variables: { after: endCursor } }).catch(setProblem);
  }, [fetchMore, endCursor]);
  return { more: hasNextPage ? retry : undefined, retry, problem };
}
