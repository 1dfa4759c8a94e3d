// How the cache joins the pages of a list: the next page follows, and a first page that is read anew keeps those behind it.
import type { FieldPolicy, Reference } from '@apollo/client';

interface Page {
  nodes: readonly Reference[];
  pageInfo: unknown;
}

/** @param keyArgs the arguments that make a list of its own */
export function pagedList(keyArgs: string[]): FieldPolicy<Page> {
  return {
    keyArgs,
    merge(known, page, { args }) {
      if (known === undefined) return page;
      const isNext = args?.['after'] != null;
      const last = page.nodes.at(-1)?.__ref;
      const seam = known.nodes.findIndex(({ __ref }) => __ref === last);
      // So much has changed that the pages do not meet any more.
      if (!isNext && (last === undefined || seam === -1)) return page;
      const [front, back] = isNext ? [known, page] : [page, { ...known, nodes: known.nodes.slice(seam + 1) }];
      const refs = new Set(front.nodes.map(({ __ref }) => __ref));
      const nodes = [...front.nodes, ...back.nodes.filter(({ __ref }) => !refs.has(__ref))];
      return { ...known, ...page, nodes, pageInfo: back.pageInfo };
    },
  };
}
