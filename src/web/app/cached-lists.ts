// Decides how the cache merges a list with a new answer: it appends the next page, and merges a refetched first page into the loaded
// rows. Also merges the parts of a job.
import type { FieldPolicy, Reference } from '@apollo/client';

interface Page {
  nodes: readonly Reference[];
  pageInfo: { hasNextPage: boolean };
}

/**
 * Marks a list after changes were missed. Its rows are shown until the next answer, which then replaces them. The mark is stored beside
 * the list and not in it, because a write that removes rows replaces the list.
 */
export function markOutdated<List>(list: List, { storage }: { storage: { isOutdated?: boolean } }): List {
  storage.isOutdated = true;
  return list;
}

/** @param keyArgs the arguments whose values identify a list */
export function pagedList(keyArgs: string[]): FieldPolicy<Page> {
  return {
    keyArgs,
    merge(existing, page, { args, storage }) {
      if (existing === undefined) return page;
      if (args?.['after'] != null) return { ...existing, ...page, nodes: appendPage(existing.nodes, page.nodes) };
      const { isOutdated } = storage;
      storage['isOutdated'] = false;
      if (isOutdated) return page;
      const refs = collectRefs(existing.nodes);
      const overlaps = page.nodes.some(({ __ref }) => refs.has(__ref));
      // So much has changed that the new first page shares no row with the loaded pages.
      if (page.pageInfo.hasNextPage && !overlaps) return page;
      return { ...existing, ...page, nodes: mergeFirstPage(existing.nodes, page.nodes) };
    },
  };
}

/** For a list that is always read from its first page: the first page replaces the list, and later pages are appended. */
export function reloadedList(keyArgs: string[] | false): FieldPolicy<Page> {
  return {
    keyArgs,
    merge: (existing, page, { args }) =>
      args?.['after'] == null ? page : { ...page, nodes: [...(existing?.nodes ?? []), ...page.nodes] },
  };
}

type Nodes = Page['nodes'];

const collectRefs = (nodes: Nodes) => new Set(nodes.map(({ __ref }) => __ref));

/** Appends a page. New rows may have moved a row to the next page: the list then keeps only the row of the new page. */
function appendPage(front: Nodes, back: Nodes): Nodes {
  const laterRefs = collectRefs(back);
  return [...front.filter(({ __ref }) => !laterRefs.has(__ref)), ...back];
}

/**
 * Merges a new first page. A row that is missing in the page stays behind the row that it followed before, so that no row disappears
 * under the pointer.
 */
function mergeFirstPage(existing: Nodes, page: Nodes): Nodes {
  const refs = collectRefs(page);
  const followers = new Map<string, Reference[]>();
  let lastShared = '';
  for (const node of existing) {
    if (refs.has(node.__ref)) lastShared = node.__ref;
    else followers.get(lastShared)?.push(node) ?? followers.set(lastShared, [node]);
  }
  return [...(followers.get('') ?? []), ...page.flatMap((node) => [node, ...(followers.get(node.__ref) ?? [])])];
}

interface Part {
  spool: { __ref: string } | null;
}

/**
 * Merges the parts of a job by their position. A part keeps the members that a list does not select, unless it now belongs to another
 * spool.
 */
export const mergeParts = (existing: readonly Part[] = [], parts: readonly Part[]): Part[] =>
  parts.map((part, index) =>
    existing[index]?.spool?.__ref === part.spool?.__ref ? { ...existing[index], ...part } : part,
  );
