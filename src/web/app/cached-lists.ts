// How the cache joins what it has of a list with what is read: the next page follows, and pages that are read anew are merged.
// The parts of a job are a list too.
import type { FieldPolicy, Reference } from '@apollo/client';

interface Page {
  nodes: readonly Reference[];
  pageInfo: { hasNextPage: boolean };
}

/**
 * For a list of which changes were missed: its rows are shown until it is read again; then only the rows of the new answer
 * remain. The mark is beside the list and not in it, because a write that takes rows out writes the list anew.
 */
export function asOld<List>(list: List, { storage }: { storage: { isOld?: boolean } }): List {
  storage.isOld = true;
  return list;
}

/** @param keyArgs the arguments that make a list of its own */
export function pagedList(keyArgs: string[]): FieldPolicy<Page> {
  return {
    keyArgs,
    merge(existing, page, { args, storage }) {
      if (existing === undefined) return page;
      if (args?.['after'] != null) return { ...existing, ...page, nodes: joined(existing.nodes, page.nodes) };
      const { isOld } = storage;
      storage['isOld'] = false;
      if (isOld) return page;
      const refs = refsOf(existing.nodes);
      const meets = page.nodes.some(({ __ref }) => refs.has(__ref));
      // So much has changed that the pages do not meet any more.
      if (page.pageInfo.hasNextPage && !meets) return page;
      return { ...existing, ...page, nodes: woven(existing.nodes, page.nodes) };
    },
  };
}

/** For a list that is read from its first page on each time: it is as the gateway has it, and the next page follows. */
export function readList(keyArgs: string[] | false): FieldPolicy<Page> {
  return {
    keyArgs,
    merge: (existing, page, { args }) =>
      args?.['after'] == null ? page : { ...page, nodes: [...(existing?.nodes ?? []), ...page.nodes] },
  };
}

type Nodes = Page['nodes'];

const refsOf = (nodes: Nodes) => new Set(nodes.map(({ __ref }) => __ref));

/** A row may be in the front although new rows have moved it to the next page. */
function joined(front: Nodes, back: Nodes): Nodes {
  const refs = refsOf(back);
  return [...front.filter(({ __ref }) => !refs.has(__ref)), ...back];
}

/** The page, and each known node that it lacks behind the one that it stood behind: no row leaves under the pointer. */
function woven(existing: Nodes, page: Nodes): Nodes {
  const refs = refsOf(page);
  const behind = new Map<string, Reference[]>();
  let place = '';
  for (const node of existing) {
    if (refs.has(node.__ref)) place = node.__ref;
    else behind.get(place)?.push(node) ?? behind.set(place, [node]);
  }
  return [...(behind.get('') ?? []), ...page.flatMap((node) => [node, ...(behind.get(node.__ref) ?? [])])];
}

interface Part {
  spool: { __ref: string } | null;
}

/** A part keeps the members that a list leaves out: its page reads them again. Of another spool they say nothing. */
export const mergedParts = (existing: readonly Part[] = [], parts: readonly Part[]): Part[] =>
  parts.map((part, at) => (existing[at]?.spool?.__ref === part.spool?.__ref ? { ...existing[at], ...part } : part));
