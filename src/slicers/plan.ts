// Defines a plan: the slicer's estimates for a print, such as its time and its filament. Amounts are decimal texts. A missing figure is null, never 0.

export interface SlicerFile {
  plates: Plate[];
}

/** The parts of a plan that take longer to read. */
export interface WantedParts {
  layers: boolean;
  thumbnails: boolean;
}

export interface Plate extends PlateAmounts {
  plate: number;
  /** The table of layers; `null` if no table agrees with the slicer's amounts, and missing if the caller did not ask for a table. */
  layers?: LayerPoint[] | null;
  /** The preview picture, a PNG or JPEG in base64; `null` if the file has no small picture, and missing if the caller did not ask for pictures. */
  thumbnail?: string | null;
}

/** The most points of a table of layers. If a print has more layers, the table has a point for every second or third layer. */
export const MAX_POINTS = 500;
/** The most layers of a print: a height of 1 m in layers of 0.01 mm. */
export const MAX_LAYER = 100_000;
/** The highest number of a slot. */
export const MAX_SLOT = 999;
/** The most plates of a file. Bambu Studio allows 36. */
export const MAX_PLATES = 100;

/** The filament that a print has used by the end of a layer. */
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

/** The figures in the comments of a G-code. */
export interface GcodeFigures extends PlateAmounts {
  /** Whether the slots are only numbered in their order, because the slicer does not write which slots are used. */
  isInOrder?: boolean;
}

export interface Slot {
  /** Counted from 1, as slicers show it. */
  slot: number;
  mm: string | null;
  grams: string | null;
}
