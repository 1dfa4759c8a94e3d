// Refuses documents whose validation would take long: graphql-js compares each two fields of one name, and each two fragments.
import { type DocumentNode, type FieldNode, Kind, parse, type SelectionSetNode, visit } from 'graphql';
import { LRUCache } from 'lru-cache';
import { BadInput } from '../../errors';

/** 200 fields of one name in one selection, or 200 fragments. 1,200 such fields took 0.2 s. */
const MAX_COMPARISONS = 40_000;
/** Characters of the documents that are known to be below it. */
const MAX_KNOWN = 1_000_000;

/** @param maxTokens a document with more is refused elsewhere, and so is one that cannot be parsed */
export function repeatCheck(maxTokens: number): (query: string) => void {
  const passed = new LRUCache<string, true>({ maxSize: MAX_KNOWN, sizeCalculation: (_, query) => query.length });
  return (query) => {
    if (passed.has(query)) return;
    if (comparisonsIn(query, maxTokens) > MAX_COMPARISONS)
      throw new BadInput('The document has the same field, or fragments, too many times');
    passed.set(query, true);
  };
}

function comparisonsIn(query: string, maxTokens: number): number {
  let document: DocumentNode;
  try {
    document = parse(query, { maxTokens, noLocation: true });
  } catch {
    return 0;
  }
  let comparisons = document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION).length ** 2;
  visit(document, {
    [Kind.SELECTION_SET]: (set) => {
      for (const count of repeatsIn(set)) comparisons += count ** 2;
    },
  });
  return comparisons;
}

/** How many fields have each name in a selection, and how many fragments it has. An inline fragment is part of it. */
function repeatsIn(set: SelectionSetNode): Iterable<number> {
  const counts = new Map<string, number>();
  const pending = [...set.selections];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next.kind === Kind.INLINE_FRAGMENT) {
      pending.push(...next.selectionSet.selections);
      continue;
    }
    const name = next.kind === Kind.FIELD ? nameOf(next) : '...';
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts.values();
}

const nameOf = ({ alias, name }: FieldNode) => (alias ?? name).value;
