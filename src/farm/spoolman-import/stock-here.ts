// Holds what the farm has when an import is decided. The decisions read only this, so they can be tested without a database.

type ColorArrangement = 'COAXIAL' | 'LONGITUDINAL';

export interface HereMaterial {
  id: string;
  name: string;
  densityGPerCm3: string;
  isArchived: boolean;
}

export interface HereVendor {
  id: number;
  name: string;
  comment: string | null;
  emptySpoolWeight: string | null;
  externalId: string | null;
  extra: Record<string, string>;
}

export interface HereFilament {
  id: string;
  number: number;
  name: string;
  vendor: string | null;
  materialId: string;
  colorHex: string | null;
  colorHexes: string[];
  colorArrangement: ColorArrangement | null;
  filamentDiameterMm: string;
  weightTotalGrams: string;
  tareGrams: string | null;
  purchasePrice: string | null;
  minimumGrams: string | null;
  articleNumber: string | null;
  comment: string | null;
  extruderTempC: number | null;
  bedTempC: number | null;
  externalId: string | null;
  extra: Record<string, string>;
}

export interface HereSpool {
  id: string;
  number: number;
  spoolSerial: string;
  filamentId: string | null;
  materialId: string;
  colorHex: string | null;
  vendor: string | null;
  filamentDiameterMm: string;
  weightTotalGrams: string;
  tareGrams: string | null;
  purchasePrice: string | null;
  place: string | null;
  lotNumber: string | null;
  comment: string | null;
  archivedAt: string | null;
  firstUsedAt: string | null;
  lastUsedAt: string | null;
  extra: Record<string, string>;
  tags: string[];
  /** Whether something but imports says what is left: a job, a reported use, or an adjustment. */
  isCounted: boolean;
  /** The net weight of the latest weighing or opening; null without one. */
  netGrams: string | null;
}

/** What an import wrote into external_objects: the values there, and the values here where they differ. */
export interface Imported {
  values: Record<string, string | null>;
  written: Record<string, string | null>;
}

export interface HereExternal {
  vendorId: number | null;
  filamentId: string | null;
  spoolId: string | null;
  imported: Imported;
}

/** The key of an object in `externals`. */
export const externalKey = (kind: string, id: number | null, registered: string) => `${kind} ${id} ${registered}`;

export interface StockHere {
  materials: HereMaterial[];
  /** By name. */
  vendors: Map<string, HereVendor>;
  filaments: Map<string, HereFilament>;
  /** The spools that this source has imported. */
  spools: Map<string, HereSpool>;
  externals: Map<string, HereExternal>;
  /** The serials of spools that start as those of this source do. */
  serials: ReadonlySet<string>;
  /** The spools that have UIDs. */
  tagOwners: ReadonlyMap<string, string>;
  /** The types of the farm's own fields, as `spool lot`. */
  fields: ReadonlyMap<string, string>;
}
