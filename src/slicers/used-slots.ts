// Decides which slots a print uses, from the lists of lengths and weights that a slicer writes.
import { MAX_SLOT, type Slot } from './plan';
import { TooLarge } from './read-bounds';

/** An entry for each slot: `0` if the slot is not used, null if the entry cannot be read. */
export type AmountsBySlot = readonly (string | null)[];

const withoutZero = (amount: string | null | undefined) => (amount === '0' ? null : (amount ?? null));

/**
 * The used slots of a list of lengths and a list of weights.
 * @param numbers the numbers of the slots, if the slicer lists only used slots; `null` if the entries are in the order of all slots
 */
export function findUsedSlots(
  mm: AmountsBySlot | null,
  grams: AmountsBySlot | null,
  numbers: readonly number[] | null = null,
): Slot[] {
  const count = Math.max(mm?.length ?? 0, grams?.length ?? 0);
  if (count > MAX_SLOT) throw new TooLarge(`it has more than ${MAX_SLOT} slots`);
  const known = numbers?.length === count ? numbers : null;
  return Array.from({ length: count }, (_, at) => ({
    slot: known?.[at] ?? at + 1,
    mm: withoutZero(mm?.[at]),
    // A weight of 0 beside a length comes from a material without a density.
    grams: withoutZero(grams?.[at]),
  })).filter((slot) => slot.mm !== null || slot.grams !== null);
}

/** The used slots, for slicers that write a line with the number and the millimetres of each slot. */
export function findUsedSlotsByNumber(lengths: readonly [number, string][]): Slot[] {
  return lengths
    .filter(([, mm]) => mm !== '0')
    .map(([slot, mm]) => ({ slot, mm, grams: null }))
    .sort((a, b) => a.slot - b.slot);
}

/** Adds a total weight to the only slot. If there are several slots, the weight cannot be divided, so they have no weights. */
export function addTotalWeight(slots: Slot[], total: AmountsBySlot | null): Slot[] {
  if (slots.length > 1 || total?.length !== 1) return slots;
  const [only = { slot: 1, mm: null, grams: null }] = slots;
  return [{ ...only, grams: only.grams ?? total[0] ?? null }];
}
