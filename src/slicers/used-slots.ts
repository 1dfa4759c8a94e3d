// Which slots a print uses, out of the lists of lengths and weights that a slicer writes.
import { MAX_SLOT, type Slot } from './plan';
import { TooLarge } from './read-bounds';

/** One entry a slot: `0` where it is not used, null where the entry cannot be read. */
export type AmountsBySlot = readonly (string | null)[];

const said = (amount: string | null | undefined) => (amount === '0' ? null : (amount ?? null));

/**
 * The used slots of two lists. Entries belong to the slots in their order, or to `numbers` where the slicer lists used slots only.
 * A weight of 0 beside a length comes from a density of 0.
 */
export function usedSlots(
  mm: AmountsBySlot | null,
  grams: AmountsBySlot | null,
  numbers: readonly number[] | null = null,
): Slot[] {
  const count = Math.max(mm?.length ?? 0, grams?.length ?? 0);
  if (count > MAX_SLOT) throw new TooLarge(`it has more than ${MAX_SLOT} slots`);
  const known = numbers?.length === count ? numbers : null;
  return Array.from({ length: count }, (_, at) => ({
    slot: known?.[at] ?? at + 1,
    mm: said(mm?.[at]),
    grams: said(grams?.[at]),
  })).filter((slot) => slot.mm !== null || slot.grams !== null);
}

/** The slots of slicers that write one line of millimetres for each, with its number. */
export function slotsByNumber(lengths: readonly [number, string][]): Slot[] {
  return lengths
    .filter(([, mm]) => mm !== '0')
    .map(([slot, mm]) => ({ slot, mm, grams: null }))
    .sort((a, b) => a.slot - b.slot);
}

/** A total weight is that of the only slot. It cannot be divided among several: they stay without weights. */
export function withTotalWeight(slots: Slot[], total: AmountsBySlot | null): Slot[] {
  if (slots.length > 1 || total?.length !== 1) return slots;
  const [only = { slot: 1, mm: null, grams: null }] = slots;
  return [{ ...only, grams: only.grams ?? total[0] ?? null }];
}
