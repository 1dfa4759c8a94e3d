// Stores parsed documents within a limit of memory that includes their texts.
import { InMemoryLRUCache } from '@apollo/utils.keyvaluecache';
import { type DocumentNode, print } from 'graphql';

/**
 * A longer document has a turn of the event loop for itself, because graphql-js compares its fields with each other. The
 * dashboard's longest has 1,500 characters.
 */
export const LONG = 2000;

const MEGABYTE = 1024 * 1024;

/** The text of a document. graphql-js keeps it, unless an option of the parser forbids it. */
export const sourceOf = (document: DocumentNode): string => document.loc?.source.body ?? print(document);

/** Apollo's own store counts the documents alone, not the texts that they hold: 3,800 long ones took 3.7 GB. */
export function parsedDocuments(): InMemoryLRUCache<DocumentNode> {
  return new InMemoryLRUCache({
    // In memory they take four times as much.
    maxSize: 10 * MEGABYTE,
    sizeCalculation: (document, key) => JSON.stringify(document).length + sourceOf(document).length + key.length,
  });
}
