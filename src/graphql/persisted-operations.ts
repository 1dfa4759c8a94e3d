// The operations of the manifest that `npm run codegen` writes: in persisted-only mode all that is carried out.
import { BadInput, NotPersisted } from '../errors';
import manifest from '../generated/persisted-operations.json';
import type { TextCache } from './query-texts';

const bodies = new Map(manifest.operations.map(({ id, body }) => [id, body]));
const texts = new Set(bodies.values());

/** Clients may send the id alone, as they do with automatic persisted queries; nothing can be added. */
export const manifestTexts: TextCache = {
  // Apollo puts a prefix before the hash.
  get: async (key) => bodies.get(key.slice(key.lastIndexOf(':') + 1)),
  set: async () => {},
  delete: async () => {},
};

/** Asked before a document is parsed, so that nothing is learned from how another would be refused. */
export function refuseOthers(query: unknown): void {
  if (typeof query !== 'string' || query === '' || texts.has(query)) return;
  throw new NotPersisted('This gateway carries out the operations of its manifest alone (PERSISTED_ONLY)');
}

/** Apollo takes whatever stands there for a text. */
export function refuseOddIds(extensions: unknown): void {
  const { persistedQuery } = (extensions ?? {}) as { persistedQuery?: { sha256Hash?: unknown } | null };
  if (persistedQuery == null || typeof persistedQuery.sha256Hash === 'string') return;
  throw new BadInput(
    'must be a text: the SHA-256 of the query in hexadecimal digits',
    'extensions.persistedQuery.sha256Hash',
  );
}
