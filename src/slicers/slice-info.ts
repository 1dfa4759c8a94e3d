// Reads the file Metadata/slice_info.config of a sliced 3MF, which lists the printing time and the filaments of each plate.
import { SaxesParser } from 'saxes';
import { parseAmount, toMillimetres } from './amount-texts';
import { parseSeconds } from './durations';
import { MAX_PLATES, type Plate, type Slot } from './plan';
import { TooLarge } from './read-bounds';
import { findUsedSlots } from './used-slots';

export function readSliceInfo(xml: string): Plate[] {
  const plates: Plate[] = [];
  const parser = new SaxesParser();
  parser.on('error', () => {
    throw new Error('its Metadata/slice_info.config is damaged: it is not XML. Export the file from the slicer again');
  });
  parser.on('opentag', ({ name, attributes }) => {
    if (name === 'plate' && plates.length === MAX_PLATES) throw new TooLarge(`it lists more than ${MAX_PLATES} plates`);
    if (name === 'plate') plates.push({ plate: plates.length + 1, seconds: null, slots: [] });
    const plate = plates.at(-1);
    if (!plate) return;
    const { key, value = '' } = attributes;
    if (name === 'metadata' && key === 'index' && /^[1-9]\d{0,2}$/.test(value)) plate.plate = Number(value);
    if (name === 'metadata' && key === 'prediction') plate.seconds = parseSeconds(value);
    if (name === 'filament') plate.slots.push(...readFilament(attributes, plate.slots));
  });
  parser.write(xml).close();
  return plates;
}

/** If a number occurs twice, only its first filament counts. */
function readFilament({ id = '', used_m = '', used_g = '' }: Record<string, string>, before: readonly Slot[]): Slot[] {
  if (!/^[1-9]\d{0,2}$/.test(id) || before.some(({ slot }) => slot === Number(id))) return [];
  return findUsedSlots([toMillimetres(used_m, 3)], [parseAmount(used_g)], [Number(id)]);
}
