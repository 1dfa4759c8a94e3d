// Divides the amount of one slot of the plan among the slots that fed it one after the other, by the layers of their segments.
import Decimal from 'decimal.js';
import { limitParts, splitAtPoints } from './division';
import { type FedPrint, findPlannedSlots, hasFed, isBackupSlot } from './fed-slots';
import { type ObservedFilament, type PrintOutcome, type RunningPrint, type Segment, segmentsOf } from './print.model';
import type { SlotLayer } from './sliced-plan';

export type LayeredPrint = FedPrint & Pick<RunningPrint, 'layer' | 'layers'>;

/** A segment that fed for one slot of the plan, with its layers. A layer belongs to the segment in which it started. */
export interface LayeredSegment {
  slot: string;
  segment: Segment;
  /** The last layer before this segment. */
  layerBefore: number;
  lastLayer: number;
}

/** Whether the print will have printed all layers. This is assumed while it is running, and while its end is unknown. */
export const printsAllLayers = (outcome: PrintOutcome) => outcome !== 'CANCELLED' && outcome !== 'FAILED';

export const lastLayerOf = ({ layer, layers }: Pick<RunningPrint, 'layer' | 'layers'>, outcome: PrintOutcome) =>
  printsAllLayers(outcome) ? (layers ?? layer) : layer;

/** @param lastLayer the last layer of the print */
export function findLayeredSegments(print: FedPrint, plannedSlot: string, lastLayer: number | null): LayeredSegment[] {
  const plannedSlots = findPlannedSlots(print);
  const seen = new Set<string | null>([plannedSlot]);
  let [slot, layer] = [plannedSlot, 0];
  return segmentsOf(print).flatMap((segment, at) => {
    const isOfOtherSlot = plannedSlots[at] !== null && plannedSlots[at] !== plannedSlot;
    if (isOfOtherSlot || (segment.slot !== null && segment.mm === null && !hasFed(print, segment))) return [];
    slot = segment.slot ?? slot;
    // A machine reports a backup slot in the layer that the slot before it still fed.
    const startsInNextLayer = !seen.has(segment.slot) && (segment.slot === null || isBackupSlot(print, slot));
    if (segment.slot !== null) seen.add(slot);
    const from = (segment.from.layer ?? layer + 1) - (startsInNextLayer ? 0 : 1);
    const layerBefore = limitLayer(Math.max(layer, from), lastLayer);
    layer = limitLayer(Math.max(layerBefore, segment.to.layer ?? layerBefore), lastLayer);
    return [{ slot, segment, layerBefore, lastLayer: layer }];
  });
}

const limitLayer = (layer: number, lastLayer: number | null) => Math.min(layer, lastLayer ?? layer);

/** How much of a slot of the plan was printed at the end of a layer: millimetres of the plan's table, or else a number of layers. */
export function calculateAmountAt(
  layer: number,
  segments: readonly LayeredSegment[],
  plannedSlot: string,
  table: readonly SlotLayer[] | null,
): Decimal {
  if (table !== null) return calculateUsedAtLayer(layer, plannedSlot, table);
  const layers = segments.map(({ layerBefore, lastLayer }) => Math.max(0, Math.min(layer, lastLayer) - layerBefore));
  return Decimal.sum(0, ...layers);
}

/** The millimetres at the end of a layer by the plan's table. Between two rows of the table, the length grows evenly. */
export function calculateUsedAtLayer(layer: number, slot: string, table: readonly SlotLayer[]): Decimal {
  const nothing = { layer: 0, mm: '0' };
  const rows = table.map((row) => ({ layer: row.layer, mm: row.mm[slot] ?? '0' }));
  const from = rows.findLast((row) => row.layer <= layer) ?? nothing;
  const to = rows.find((row) => row.layer > layer) ?? from;
  const share = to.layer === from.layer ? new Decimal(0) : new Decimal(layer - from.layer).div(to.layer - from.layer);
  return share.times(new Decimal(to.mm).minus(from.mm)).plus(from.mm);
}

/** The most parts of one slot. A machine may invent changes: beyond this number, the smallest neighbours are joined. */
export const MAX_PARTS_OF_SLOT = 16;

/** The amounts by slot of the plan, each divided among the slots that fed it one after the other. */
export function divideByFedSlots(
  filament: ObservedFilament[],
  print: LayeredPrint,
  outcome: PrintOutcome,
  table: readonly SlotLayer[] | null,
): ObservedFilament[] {
  const lastLayer = lastLayerOf(print, outcome);
  return filament.flatMap((amount) => {
    const segments = extendToLastLayer(findLayeredSegments(print, amount.slot, lastLayer), lastLayer, outcome);
    // One slot after the other: of neighbours with the same slot, the last segment has their last layer.
    const runs = segments.filter(({ slot }, at) => slot !== segments[at + 1]?.slot);
    const [first, ...others] = runs;
    if (first === undefined) return [amount];
    if (others.length === 0) return [{ ...amount, slot: first.slot }];
    const amountAt = (layer: number) => calculateAmountAt(layer, segments, amount.slot, table);
    const whole = lastLayer === null ? new Decimal(0) : amountAt(lastLayer);
    const points = runs.slice(0, -1).map(({ lastLayer: layer }) => {
      const share = whole.isZero() ? null : Decimal.min(amountAt(layer).div(whole), 1);
      return { layer, share, isExact: false };
    });
    const parts = splitAtPoints(amount, points, lastLayer).map((part, at) => ({
      ...part,
      slot: (runs[at] as LayeredSegment).slot,
    }));
    return limitParts(parts, MAX_PARTS_OF_SLOT);
  });
}

/** The last slot prints all layers that are left. */
function extendToLastLayer(
  segments: readonly LayeredSegment[],
  lastLayer: number | null,
  outcome: PrintOutcome,
): LayeredSegment[] {
  const last = segments.at(-1);
  if (last === undefined || lastLayer === null || !printsAllLayers(outcome)) return [...segments];
  return [...segments.slice(0, -1), { ...last, lastLayer: Math.max(last.lastLayer, lastLayer) }];
}
