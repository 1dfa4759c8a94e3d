// Reads GUIDs in upper or lower case, and writes them in lower case.
import { BadInput, type Issue } from '../errors';

const GUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isGuid(value: unknown): value is string {
  return typeof value === 'string' && GUID.test(value);
}

export function parseGuid(value: unknown, ...path: Issue['path']): string {
  if (!isGuid(value)) {
    throw new BadInput('must be a GUID such as 3f2504e0-4f89-41d3-9a0c-0305e82c3301', ...path);
  }
  return value.toLowerCase();
}
