// Reads several pages of a list as one answer: all pages if the context of a query has `isWhole`, or as many pages as the user has
// loaded so far if it has `isPaged`.
import { ApolloLink } from '@apollo/client';
import { EMPTY, expand, reduce, tap } from 'rxjs';

interface List {
  nodes: readonly unknown[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

/** A query with `isWhole` or `isPaged` selects one list, of the farm or of one object, with the variable `after`. */
export function createPagingLink(): ApolloLink {
  /**
   * How many pages of each list were read, by the query and its variables without `after`. The count cannot be calculated from the rows
   * in the cache, because the cache keeps rows that left the list.
   */
  const pagesRead = new Map<string, number>();
  return new ApolloLink((operation, forward) => {
    const { isWhole = false, isPaged = false } = operation.getContext();
    if (!isWhole && !isPaged) return forward(operation);
    const { after, ...otherVariables } = operation.variables;
    const key = JSON.stringify([operation.operationName, otherVariables]);
    const pages = isWhole ? Number.POSITIVE_INFINITY : (pagesRead.get(key) ?? 1);
    if (after != null) return forward(operation).pipe(tap(() => pagesRead.set(key, pages + 1)));
    return forward(operation).pipe(
      expand((page, index) => {
        const { hasNextPage = false, endCursor } = findList(page)?.list.pageInfo ?? {};
        if (!hasNextPage || index + 1 >= pages) return EMPTY;
        operation.variables = { ...otherVariables, after: endCursor };
        return forward(operation);
      }),
      reduce((whole, page) => {
        const [current, next] = [findList(whole), findList(page)];
        // If one page fails, the whole list fails with its errors.
        if (current === undefined || next === undefined) return page;
        const nodes = [...current.list.nodes, ...next.list.nodes];
        return { ...page, data: next.replaceList({ ...next.list, nodes }) };
      }),
    );
  });
}

interface FoundList {
  list: List;
  /** Returns the data with the given list in place of the found one. */
  replaceList(list: List): Record<string, unknown>;
}

function findList({ data }: ApolloLink.Result): FoundList | undefined {
  const [found] = Object.entries((data ?? {}) as Record<string, object | null>);
  if (found === undefined) return undefined;
  const [name, value] = found;
  if (isList(value)) return { list: value, replaceList: (list) => ({ [name]: list }) };
  const [member, list] = Object.entries(value ?? {}).find(([, candidate]) => isList(candidate)) ?? [];
  return member === undefined ? undefined : { list, replaceList: (list) => ({ [name]: { ...value, [member]: list } }) };
}

const isList = (value: unknown): value is List => typeof value === 'object' && value !== null && 'nodes' in value;
