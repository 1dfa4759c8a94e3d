// Reads the figures of Cura, which writes seconds and metres at the beginning of a file. For some printers it writes volumes instead of lengths.

import { parseAmount, parseAmounts, parseLengths } from '../amount-texts';
import { parseSeconds } from '../durations';
import type { Comments, Slicer } from '../gcode-comments';
import type { PlateAmounts, Slot } from '../plan';
import { type AmountsBySlot, findUsedSlots } from '../used-slots';

export const cura: Slicer = {
  signature: /^;(Generated with Cura_SteamEngine|FLAVOR:|Sliced at:|GENERATOR\.NAME:\s*Cura)/m,
  read(comments): PlateAmounts {
    const mm = comments.first('filament used', parseLengths);
    const slots = findUsedSlots(
      mm,
      comments.first('filament weight', parseWeights) ?? comments.first('filament used', parseWeight),
    );
    const time = ['time', 'print.time', 'print time'].map((name) => comments.first(name, parseTime(mm)));
    return {
      seconds: time.find((seconds) => seconds !== null) ?? null,
      slots: slots.length > 0 ? slots : findSlotsByVolume(comments),
    };
  },
};

/** If Cura's engine does not know the time, it writes 6666, and no length either. */
const parseTime = (mm: AmountsBySlot | null) => (value: string) =>
  value === '6666' && mm === null ? null : parseSeconds(value);

/** Reads `[12.3, 4.5]` or `~12.3g`. */
function parseWeights(value: string): AmountsBySlot | null {
  return parseAmounts(value.replace(/^\[(.*)\]$/, '$1').replace(/^~|\s*g$/g, ''));
}

/** Old releases write `3.63m 11.0g`. */
function parseWeight(value: string): AmountsBySlot | null {
  const grams = /m\s+(\d+(?:[.,]\d+)?)\s*g$/.exec(value)?.[1];
  return grams === undefined ? null : [parseAmount(grams)];
}

/** The slots that are used according to their volumes. Their lengths and weights remain unknown. */
function findSlotsByVolume(comments: Comments): Slot[] {
  const griffin = comments.numbered(/^extruder_train\.(\d{1,2})\.material\.volume_used$/, parseAmount);
  const ultimaker2 = comments
    .numbered(/^material(\d{0,2})$/, parseAmount)
    .map(([slot, volume]): [number, string] => [slot === 0 ? 0 : slot - 1, volume]);
  return [...griffin, ...ultimaker2]
    .filter(([, volume]) => volume !== '0' && volume !== '6666')
    .map(([train]) => ({ slot: train + 1, mm: null, grams: null }))
    .sort((a, b) => a.slot - b.slot);
}
