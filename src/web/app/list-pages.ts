// Reads more of a list than its first page: the whole list where a query asks for it by the context `isWhole`, or as many
// pages as were read one by one before, by the context `isPaged`.
import { ApolloLink } from '@apollo/client';
import { EMPTY, expand, reduce, tap } from 'rxjs';

interface List {
  nodes: readonly unknown[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

/** Such a query has one list, which takes the variable `after`. */
export function listPages(): ApolloLink {
  /**
   * The pages that were read of each list, by its variables without `after`. The number of its rows in the cache may be
   * greater: the cache keeps rows that left the list.
   */
  const pagesRead = new Map<string, number>();
  return new ApolloLink((operation, forward) => {
    const { isWhole = false, isPaged = false } = operation.getContext();
    if (!isWhole && !isPaged) return forward(operation);
    const { after, ...given } = operation.variables;
    const key = JSON.stringify(given);
    const pages = isWhole ? Number.POSITIVE_INFINITY : (pagesRead.get(key) ?? 1);
    if (after != null) return forward(operation).pipe(tap(() => pagesRead.set(key, pages + 1)));
    return forward(operation).pipe(
      expand((page, index) => {
        const { hasNextPage = false, endCursor } = listOf(page)?.list.pageInfo ?? {};
        if (!hasNextPage || index + 1 >= pages) return EMPTY;
        operation.variables = { ...given, after: endCursor };
        return forward(operation);
      }),
      reduce((whole, page) => {
        const [current, next] = [listOf(whole), listOf(page)];
        // A page that is refused refuses the list.
        if (current === undefined || next === undefined) return page;
        const nodes = [...current.list.nodes, ...next.list.nodes];
        return { ...page, data: { [next.name]: { ...next.list, nodes } } };
      }),
    );
  });
}

function listOf({ data }: ApolloLink.Result): { name: string; list: List } | undefined {
  const [found] = Object.entries((data ?? {}) as Record<string, List>);
  return found && { name: found[0], list: found[1] };
}
