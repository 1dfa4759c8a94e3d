// Parsed documents: their texts, and their store, which is Apollo's own, bounded by the size of the texts too.
import { InMemoryLRUCache } from '@apollo/utils.keyvaluecache';
import { type DocumentNode, print } from 'graphql';

const MEGABYTE = 1024 * 1024;

/** The text of a document. graphql-js keeps it, unless its parser is told not to. */
export const sourceOf = (document: DocumentNode): string => document.loc?.source.body ?? print(document);

/** Apollo's own store counts the documents alone, not the texts that they hold: 3,800 long ones took 3.7 GB. */
export function parsedDocuments(): InMemoryLRUCache<DocumentNode> {
  return new InMemoryLRUCache({
    // In memory they take four times as much.
    maxSize: 10 * MEGABYTE,
    sizeCalculation: (document, key) => JSON.stringify(document).length + sourceOf(document).length + key.length,
  });
}
