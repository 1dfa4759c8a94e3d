// Reads more of a list than its first page: the whole list where a query asks for it by the context `isWhole`, or as many
// pages as were read one by one before, by the context `isPaged`.
import { ApolloLink } from '@apollo/client';
import { EMPTY, expand, reduce, tap } from 'rxjs';

interface List {
  nodes: readonly unknown[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

/** Such a query has one list, of the farm or of one object, which takes the variable `after`. */
export function listPages(): ApolloLink {
  /**
   * The pages that were read of each list, by its query and its variables without `after`. The number of its rows in the cache may be
   * greater: the cache keeps rows that left the list.
   */
  const pagesRead = new Map<string, number>();
  return new ApolloLink((operation, forward) => {
    const { isWhole = false, isPaged = false } = operation.getContext();
    if (!isWhole && !isPaged) return forward(operation);
    const { after, ...given } = operation.variables;
    const key = JSON.stringify([operation.operationName, given]);
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
        return { ...page, data: next.dataWith({ ...next.list, nodes }) };
      }),
    );
  });
}

interface Found {
  list: List;
  /** The data with another list in its place. */
  dataWith(list: List): Record<string, unknown>;
}

function listOf({ data }: ApolloLink.Result): Found | undefined {
  const [found] = Object.entries((data ?? {}) as Record<string, object | null>);
  if (found === undefined) return undefined;
  const [name, value] = found;
  if (isList(value)) return { list: value, dataWith: (list) => ({ [name]: list }) };
  const [member, list] = Object.entries(value ?? {}).find(([, one]) => isList(one)) ?? [];
  return member === undefined ? undefined : { list, dataWith: (list) => ({ [name]: { ...value, [member]: list } }) };
}

const isList = (value: unknown): value is List => typeof value === 'object' && value !== null && 'nodes' in value;
