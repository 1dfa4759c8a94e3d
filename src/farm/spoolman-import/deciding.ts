// Defines what the decisions about all objects of an import share.
import type { FilamentNames } from './filament-names';
import type { ImportMaterials } from './import-materials';
import type { PlannedFilament } from './import-plan';
import type { ReadFilament, ReadVendor, SpoolmanKind } from './spoolman-objects';
import type { HereVendor, StockHere } from './stock-here';

/** What the decisions of all rows share. */
export interface Deciding {
  here: StockHere;
  now: string;
  materials: ImportMaterials;
  names: FilamentNames;
  vendorsByName: Map<string, HereVendor>;
  vendorsById: ReadonlyMap<number, HereVendor>;
  vendorsRead: ReadonlyMap<number, ReadVendor>;
  filamentsRead: ReadonlyMap<number, ReadFilament>;
  plannedFilaments: Map<number, PlannedFilament>;
  /** The initial weight of most spools of a filament, by the id of the filament. */
  usualSpoolWeights: ReadonlyMap<number, string>;
  /** Which spool gets a UID that several have; null for none. */
  sharedTags: ReadonlyMap<string, number | null>;
  /** Whether a spool here loses a tag by this import, because it has no longer this tag in Spoolman. */
  releasesTag(spoolId: string, uid: string): boolean;
  isKnownField(kind: SpoolmanKind, key: string): boolean;
  describeLeftOutFields(kind: SpoolmanKind, extra: Record<string, string>): string[];
  vendorTareOf(filament: ReadFilament): string | null;
  chooseSerial(id: number): string;
  createId(kind: SpoolmanKind, object: { id: number | null; registered: string }): string;
  withoutTare: number;
}
