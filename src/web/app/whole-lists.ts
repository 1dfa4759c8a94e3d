// Reads a list to its end where a query asks for it by the context `isWhole`: the further pages join the first.
import { ApolloLink } from '@apollo/client';
import { EMPTY, expand, reduce } from 'rxjs';

interface List {
  nodes: readonly unknown[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

/** Such a query has one list, which takes the variable `after`. */
export const wholeLists = new ApolloLink((operation, forward) => {
  if (operation.getContext()['isWhole'] !== true) return forward(operation);
  const given = operation.variables;
  return forward(operation).pipe(
    expand((page) => {
      const { hasNextPage = false, endCursor } = listOf(page)?.list.pageInfo ?? {};
      if (!hasNextPage) return EMPTY;
      operation.variables = { ...given, after: endCursor };
      return forward(operation);
    }),
    reduce((whole, page) => {
      const [known, next] = [listOf(whole), listOf(page)];
      // A page that is refused refuses the list.
      if (known === undefined || next === undefined) return page;
      const nodes = [...known.list.nodes, ...next.list.nodes];
      return { ...page, data: { [next.name]: { ...next.list, nodes } } };
    }),
  );
});

function listOf({ data }: ApolloLink.Result): { name: string; list: List } | undefined {
  const [found] = Object.entries((data ?? {}) as Record<string, List>);
  return found && { name: found[0], list: found[1] };
}
