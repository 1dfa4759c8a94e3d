// The slots of slicers that write one line of millimetres for each, with its number.
import type { Slot } from '../plan';

export function slotsByNumber(lengths: readonly [number, string][]): Slot[] {
  return lengths
    .filter(([, mm]) => mm !== '0')
    .map(([slot, mm]) => ({ slot, mm, grams: null }))
    .sort((a, b) => a.slot - b.slot);
}
