// Stores parsed documents, and limits the memory that the documents and their texts take.
import { InMemoryLRUCache } from '@apollo/utils.keyvaluecache';
import { type DocumentNode, print } from 'graphql';

const MEGABYTE = 1024 * 1024;

/** The text of a document. graphql-js keeps the text, unless the parser has the option noLocation. */
export const sourceOf = (document: DocumentNode): string => document.loc?.source.body ?? print(document);

/** Apollo's own store does not count the texts that the documents hold: 3,800 long documents took 3.7 GB. */
export function parsedDocuments(): InMemoryLRUCache<DocumentNode> {
  return new InMemoryLRUCache({
    // In memory, documents and texts take four times the size that is calculated here.
    maxSize: 10 * MEGABYTE,
    sizeCalculation: (document, key) => JSON.stringify(document).length + sourceOf(document).length + key.length,
  });
}
