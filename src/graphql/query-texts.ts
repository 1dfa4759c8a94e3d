// The texts of documents, and the documents that were parsed of them, as Apollo keeps and finds them.
import { createHash, randomUUID } from 'node:crypto';
import type { ApolloServer, GraphQLRequest } from '@apollo/server';
import { InMemoryLRUCache } from '@apollo/utils.keyvaluecache';
import type { DocumentNode } from 'graphql';

export type TextCache = ApolloServer['cache'];

/** No client knows it, so none can send an id that is a text. */
const MARK = `${randomUUID()} `;

/** V8 tells strings of more than 16,383 characters apart by their length alone: as keys they would all meet in one place. */
const LONGEST_ID = 8192;

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** A text as the key of a map that texts of clients are in. */
export const keyOf = (text: string): string => (text.length > LONGEST_ID ? sha256(text) : text);

/**
 * How Apollo is handed a text: by an id, which is the text itself. It makes a SHA-256 of every text that it is sent, not
 * of what it is sent an id of: 14 of a single job's 100 µs, most of them for collecting the objects that the hashing leaves.
 */
export function handedOver(query: string): Pick<GraphQLRequest, 'query' | 'extensions'> {
  if (query.length > LONGEST_ID) return { query };
  return { extensions: { persistedQuery: { version: 1, sha256Hash: MARK + query } } };
}

/** Clients' own persisted queries stay with `others`. */
export function textsById(others: () => TextCache): TextCache {
  return {
    async get(key) {
      const at = key.indexOf(MARK);
      return at >= 0 ? key.slice(at + MARK.length) : others().get(key);
    },
    set: (key, text, options) => others().set(key, text, options),
    delete: (key) => others().delete(key),
  };
}

const MEGABYTE = 1024 * 1024;

/** Apollo's own store counts the documents alone, not the texts that they hold: 3,800 long ones took 3.7 GB. */
export function parsedDocuments(): InMemoryLRUCache<DocumentNode> {
  return new InMemoryLRUCache({
    maxSize: 30 * MEGABYTE,
    sizeCalculation: (document, key) =>
      JSON.stringify(document).length + (document.loc?.source.body.length ?? 0) + key.length,
  });
}
