// Exports the manifest of persisted operations, for programs that send an operation by its id.
import manifest from '../generated/persisted-operations.json';

export interface PersistedOperation {
  /** The SHA-256 of the body, in hexadecimal digits. */
  id: string;
  name: string;
  type: 'query' | 'mutation' | 'subscription';
  /** The text of the operation. */
  body: string;
}

export const persistedOperations = manifest.operations as readonly PersistedOperation[];
