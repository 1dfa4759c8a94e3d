// What a slicer says of a plate before it is printed, by the slicer's own numbers of slots.

export interface SlicedPlan {
  seconds: number | null;
  /** The slots that the plate uses. */
  slots: SlicedSlot[];
  /** Null where it is not known. */
  layers: LayerPoint[] | null;
}

export interface SlicedSlot {
  /** Counted from 1. */
  slot: number;
  mm: string | null;
  grams: string | null;
}

export interface LayerPoint {
  /** Counted from 1. */
  layer: number;
  /** Up to the end of the layer, in the order of the slots. */
  mm: string[];
}
