// Makes the row of an object that cannot be imported.
import type { ImportRow } from './import-plan';
import type { SpoolmanObject } from './spoolman-objects';

export const refuse = (object: SpoolmanObject, reason: string): ImportRow => ({
  kind: object.kind,
  spoolmanId: object.id,
  action: 'REFUSED',
  number: null,
  name: object.label,
  reason,
  changes: [],
  object,
  createsId: null,
  write: null,
});
