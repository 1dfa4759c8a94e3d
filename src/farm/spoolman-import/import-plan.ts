// Defines what an import does: the rows that the user sees, and the values that are written for each of them.

import type { FieldDefinition } from './spoolman-fields';
import type { SpoolmanKind, SpoolmanObject } from './spoolman-objects';
import type { ReadTag } from './spoolman-tags';
import type { HereFilament, HereMaterial, HereSpool, Imported } from './stock-here';

type ImportAction = 'CREATE' | 'UPDATE' | 'SAME' | 'KEPT' | 'REFUSED';

export interface ImportChange {
  member: string;
  from: string | null;
  to: string | null;
}

export interface NewVendor {
  /** The id in Spoolman, which the vendor keeps if it is free. */
  wantedId: number;
  name: string;
  comment: string | null;
  emptySpoolWeight: string | null;
  externalId: string | null;
  extra: Record<string, string>;
}

/** A filament or a spool as it is after the import. */
export type PlannedFilament = Omit<HereFilament, 'number'>;
export type PlannedSpool = Omit<HereSpool, 'number' | 'tags' | 'isCounted' | 'netGrams'>;

/** What is written for a row. */
export interface RowWrite {
  vendor?: NewVendor;
  filament?: PlannedFilament;
  spool?: PlannedSpool;
  /** The tags that the spool gets, and those that it loses. */
  addedTags?: ReadTag[];
  removedTags?: string[];
  /** The net weight of an OPENING or a weighing. */
  netGrams?: string;
  /** When the object was registered in Spoolman. */
  registered: string;
  imported: Imported;
}

export interface ImportRow {
  kind: SpoolmanKind;
  spoolmanId: number | null;
  action: ImportAction;
  number: number | null;
  name: string;
  reason: string | null;
  changes: ImportChange[];
  object: SpoolmanObject;
  /** The id of the filament or spool that the row creates. */
  createsId: string | null;
  /** null for a refused row. */
  write: RowWrite | null;
}

/** A row as the preview stores and shows it. */
export type PreviewRow = Omit<ImportRow, 'write'>;

/** What an import does beside its rows. */
export interface ImportPlan {
  materials: HereMaterial[];
  fields: FieldDefinition[];
  gone: number;
  withoutTare: number;
  /** Why the import fails, as a sentence; null if it does not. */
  fault: string | null;
}
