// The manifest of persisted operations, written by `npm run codegen`. PERSISTED_ONLY refuses all other operations.

import type { ApolloServer } from '@apollo/server';
import { NotPersisted } from '../errors';
import manifest from '../generated/persisted-operations.json';

const bodies = new Map(manifest.operations.map(({ id, body }) => [id, body]));
const texts = new Set(bodies.values());

/** Clients may send only the id, as with automatic persisted queries. They cannot add operations. */
export const manifestTexts: ApolloServer['cache'] = {
  // Apollo puts a prefix before the hash.
  get: async (key) => bodies.get(key.slice(key.lastIndexOf(':') + 1)),
  set: async () => {},
  delete: async () => {},
};

/** Called before the document is parsed, so that a refusal tells nothing about the schema. */
export function refuseOthers(query: unknown): void {
  if (typeof query !== 'string' || query === '' || texts.has(query)) return;
  throw new NotPersisted('This gateway carries out the operations of its manifest alone (PERSISTED_ONLY)');
}
