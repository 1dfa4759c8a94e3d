// The further pages of a list, one by one.
import { useCallback, useState } from 'react';

interface Paged {
  fetchMore: (options: { variables: { after: string | null } }) => Promise<unknown>;
}

interface PageInfo {
  hasNextPage: boolean;
  endCursor: string | null;
}

/** @returns `more` reads the next page, and is undefined at the end; `retry` does it again after a problem */
export function useFurtherPages({ fetchMore }: Paged, pageInfo: PageInfo | undefined) {
  const [problem, setProblem] = useState<unknown>();
  const { hasNextPage = false, endCursor = null } = pageInfo ?? {};
  const retry = useCallback(() => {
    setProblem(undefined);
    fetchMore({ variables: { after: endCursor } }).catch(setProblem);
  }, [fetchMore, endCursor]);
  return { more: hasNextPage ? retry : undefined, retry, problem };
}
