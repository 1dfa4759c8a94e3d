// Reads a manifest of persisted operations in Apollo's format. This file does not import the library graphql, because the commands
// read the configuration, and with it this file: loading the library would take a third of their time.
import own from '../../generated/persisted-operations.json';
import { sha256 } from '../../values/sha256';

export interface PersistedOperation {
  /** The SHA-256 of the body. */
  id: string;
  name: string;
  body: string;
}

/** @throws an error that names the fault of the manifest */
export function readManifest(text: string): PersistedOperation[] {
  let manifest: { format?: unknown; version?: unknown; operations?: unknown } | null;
  try {
    manifest = JSON.parse(text);
  } catch {
    throw new Error('is not JSON');
  }
  const { format, version, operations } = manifest ?? {};
  if (format !== own.format || version !== own.version || !Array.isArray(operations)) {
    throw new Error(`must have "format": "${own.format}", "version": ${own.version} and a list of "operations"`);
  }
  return operations.map((operation: Partial<Record<string, unknown>> | null) => {
    const { id, name, body } = operation ?? {};
    if (typeof id !== 'string' || typeof name !== 'string' || typeof body !== 'string') {
      throw new Error('has an operation whose "id", "name" or "body" is missing or is not a string');
    }
    if (id !== sha256(body)) throw new Error(`has the operation ${name}, whose id is not the SHA-256 of its body`);
    return { id, name, body };
  });
}
