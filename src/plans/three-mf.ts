// A sliced 3MF of Bambu Studio or OrcaSlicer: a zip with the G-code of each plate, and a list of the plates.
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { endsOfStream } from './ends';
import { amountsOfGcode } from './gcode';
import { LayerCounter } from './layers';
import type { Plan, Plate, PlateAmounts, Slot } from './plan';
import { platesOfSliceInfo } from './slice-info';

export const ZIP_SIGN = 'PK\u0003\u0004';
const SLICE_INFO = 'Metadata/slice_info.config';
const PLATE = /^Metadata\/plate_([1-9]\d{0,2})\.gcode$/;
/** A plate has a few files. A real list of plates has some 10 KB, and the G-code of a large print 200 MB. */
const MAX_ENTRIES = 10_000;
const MAX_SLICE_INFO_BYTES = 1024 * 1024;
const MAX_GCODE_BYTES = 2 * 1024 ** 3;

export async function planOfThreeMf(path: string, withLayers: boolean): Promise<Plan> {
  const zip = await openPromise(path, { autoClose: false });
  try {
    const { listed, sliced } = await contentsOf(zip, withLayers);
    const numbers = [...new Set([...listed.keys(), ...sliced.keys()])].sort((a, b) => a - b);
    if (numbers.length === 0) throw new Error('the 3MF is not sliced: it has no plate with G-code');
    return { plates: numbers.map((plate) => merged(plate, sliced.get(plate), listed.get(plate))) };
  } finally {
    zip.close();
  }
}

interface SlicedPlate extends PlateAmounts {
  counter?: LayerCounter | undefined;
}

async function contentsOf(zip: ZipFile, withLayers: boolean) {
  const sliced = new Map<number, SlicedPlate>();
  let listed = new Map<number, Plate>();
  let entries = 0;
  let gcodeBytes = 0;
  const countGcode = (bytes: number) => {
    gcodeBytes += bytes;
    if (gcodeBytes > MAX_GCODE_BYTES) throw new Error('the 3MF has more than 2 GB of G-code');
  };
  for await (const entry of zip.eachEntry()) {
    entries += 1;
    if (entries > MAX_ENTRIES) throw new Error(`the 3MF has more than ${MAX_ENTRIES} files`);
    const plate = Number(PLATE.exec(entry.fileName)?.[1] ?? 0);
    if (plate > 0 && !sliced.has(plate)) {
      const counter = withLayers ? new LayerCounter() : undefined;
      const text = await endsOfStream(await zip.openReadStreamPromise(entry), (chunk) => {
        countGcode(chunk.length);
        counter?.add(chunk);
      });
      sliced.set(plate, { ...(amountsOfGcode(text) ?? { seconds: null, slots: [] }), counter });
    } else if (entry.fileName === SLICE_INFO) {
      listed = new Map(platesOfSliceInfo(await sliceInfo(zip, entry)).map((one) => [one.plate, one]));
    }
  }
  return { listed, sliced };
}

/** yauzl ends a stream that is longer than the size in the entry. */
async function sliceInfo(zip: ZipFile, entry: Entry): Promise<string> {
  if (entry.uncompressedSize > MAX_SLICE_INFO_BYTES) throw new Error(`its ${SLICE_INFO} is larger than 1 MB`);
  const chunks: Buffer[] = [];
  for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/** The G-code has more digits: the list rounds lengths to a centimetre. The list has the numbers of the slots. */
function merged(plate: number, sliced: SlicedPlate | undefined, listed: Plate | undefined): Plate {
  const seconds = sliced?.seconds ?? listed?.seconds ?? null;
  const slots = mergedSlots(sliced?.slots ?? [], listed?.slots ?? []);
  return { plate, seconds, slots, ...(sliced?.counter && { layers: sliced.counter.table(slots) }) };
}

function mergedSlots(sliced: readonly Slot[], listed: readonly Slot[]): Slot[] {
  if (listed.length === 0) return [...sliced];
  if (sliced.length !== listed.length) return [...listed];
  // G-code names them in the order of their numbers.
  const inOrder = listed.toSorted((a, b) => a.slot - b.slot);
  return inOrder.map(({ slot, mm, grams }, at) => ({
    slot,
    mm: sliced[at]?.mm ?? mm,
    grams: sliced[at]?.grams ?? grams,
  }));
}
