// What a slicer says of a print before it begins. Amounts are decimal texts. What a file does not say is null, never 0.

export interface SlicerFile {
  plates: Plate[];
}

export interface Plate extends PlateAmounts {
  plate: number;
  /** Null where the file has no table that agrees with its amounts; left out where it was not asked for. */
  layers?: LayerPoint[] | null;
}

/** Points of a table by layers. A print of more layers has a point for every second or third layer. */
export const MAX_POINTS = 500;
/** A print of a metre in layers of a hundredth of a millimetre. */
export const MAX_LAYER = 100_000;
/** The highest number of a slot. */
export const MAX_SLOT = 999;
/** Bambu Studio has 36 plates at most. */
export const MAX_PLATES = 100;

/** The filament that a print has used at the end of a layer. */
export interface LayerPoint {
  /** Counted from 1. */
  layer: number;
  /** Millimetres, in the order of the slots. */
  mm: string[];
}

export interface PlateAmounts {
  seconds: number | null;
  /** The slots that the print uses. */
  slots: Slot[];
}

/** What the comments of a G-code say. */
export interface GcodeFigures extends PlateAmounts {
  /** Whether the slots are numbered in their order, because the slicer does not say which ones are used. */
  isInOrder?: boolean;
}

export interface Slot {
  /** Counted from 1, as slicers show it. */
  slot: number;
  mm: string | null;
  grams: string | null;
}
