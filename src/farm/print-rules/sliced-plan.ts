// What a slicer says of a plate before it is printed, by the slicer's own numbers of slots.
import type { LayerPoint, PlateAmounts } from '../../slicers/plan';

export interface SlicedPlan extends PlateAmounts {
  /** Null where no table was sent. */
  layers: LayerPoint[] | null;
}
