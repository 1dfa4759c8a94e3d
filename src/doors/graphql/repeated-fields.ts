// Refuses documents whose validation would take long, because graphql-js compares all fields with the same name, and all fragments.
import { type DocumentNode, type FieldNode, Kind, parse, type SelectionSetNode, visit } from 'graphql';
import { LRUCache } from 'lru-cache';
import { BadInput } from '../../errors';

/** Enough for 200 fields with the same name in one selection, or for 200 fragments. 1,200 such fields took 0.2 s. */
const MAX_COMPARISONS = 40_000;
/** The maximum number of characters of all documents that are stored as checked. */
const MAX_CHECKED_CHARACTERS = 1_000_000;

/** @param maxTokens a document with more tokens, or one that cannot be parsed, passes here, because Apollo refuses it */
export function createRepeatCheck(maxTokens: number): (query: string) => void {
  const passed = new LRUCache<string, true>({
    maxSize: MAX_CHECKED_CHARACTERS,
    sizeCalculation: (_, query) => query.length,
  });
  return (query) => {
    if (passed.has(query)) return;
    if (countComparisons(query, maxTokens) > MAX_COMPARISONS)
      throw new BadInput(
        'The document repeats fields or uses fragments too often. Select each field once in a selection.',
      );
    passed.set(query, true);
  };
}

function countComparisons(query: string, maxTokens: number): number {
  let document: DocumentNode;
  try {
    document = parse(query, { maxTokens, noLocation: true });
  } catch {
    return 0;
  }
  let comparisons = document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION).length ** 2;
  visit(document, {
    [Kind.SELECTION_SET]: (set) => {
      for (const count of countRepeats(set)) comparisons += count ** 2;
    },
  });
  return comparisons;
}

/** Counts the fields of each name in a selection, and its fragments. The fields of inline fragments belong to the selection. */
function countRepeats(set: SelectionSetNode): Iterable<number> {
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
