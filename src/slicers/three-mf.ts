// Reads a sliced 3MF of Bambu Studio or OrcaSlicer: a zip file with the G-code of each plate and a list of the plates.
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { MAX_THUMBNAIL_BYTES, readPicture } from '../values/thumbnail';
import { FileEnds } from './file-ends';
import { LineSplitter } from './file-lines';
import { LayerCounter } from './gcode-layers';
import {
  type GcodeFigures,
  MAX_PLATES,
  MAX_POINTS,
  type Plate,
  type PlateAmounts,
  type SlicerFile,
  type Slot,
  type WantedParts,
} from './plan';
import { type Bounds, TooLarge } from './read-bounds';
import { readSliceInfo } from './slice-info';
import { readGcode } from './slicer-detection';
import { readEntry } from './zip-content';

export const ZIP_SIGNATURE = 'PK\u0003\u0004';
const SLICE_INFO = 'Metadata/slice_info.config';
/** The large picture has 512 x 512 pixels, the small picture 128 x 128. */
const PICTURE = /^Metadata\/plate_([1-9]\d{0,2})(_small)?\.png$/;
const PLATE = /^Metadata\/plate_([1-9]\d{0,2})\.gcode$/;
/** A plate has a few files, and a real list of plates has about 10 KB. */
const MAX_ENTRIES = 10_000;
const MAX_SLICE_INFO_BYTES = 1024 * 1024;
/** The most amounts in the tables of layers of all plates: enough for 100 plates with 6 filaments, or 10 plates with 64. */
const MAX_CELLS = 320_000;

export async function readThreeMf(
  path: string,
  wanted: WantedParts,
  bounds: Bounds,
  onLeftOut: (sentence: string) => void,
): Promise<SlicerFile> {
  const zip = await openPromise(path, { autoClose: false });
  try {
    const { list, gcodes, pictures } = await findEntries(zip, bounds);
    const listed = new Map(
      list ? readSliceInfo(await readListText(zip, list, bounds)).map((plate) => [plate.plate, plate]) : [],
    );
    const numbers = [...new Set([...listed.keys(), ...gcodes.keys()])].sort((a, b) => a - b);
    if (numbers.length === 0) {
      throw new Error('the 3MF has no G-code, because it is not sliced. Slice it, and export the sliced file');
    }
    if (numbers.length > MAX_PLATES) throw new TooLarge(`it has more than ${MAX_PLATES} plates`);
    const plates: Plate[] = [];
    let leftOut = 0;
    let cells = 0;
    for (const plate of numbers) {
      const inList = listed.get(plate);
      const entry = gcodes.get(plate);
      const sliced = entry ? await readPlate(zip, entry, bounds).catch(skipIfListed(inList)) : null;
      const { seconds, slots } = mergePlate(sliced, inList);
      cells += slots.length * MAX_POINTS;
      const hasRoom = cells <= MAX_CELLS;
      if (entry && !(sliced && hasRoom)) leftOut += 1;
      const layers = (hasRoom && sliced?.counter.makeTable(slots)) || null;
      plates.push({ plate, seconds, slots, ...(wanted.layers && entry && { layers }) });
      if (wanted.thumbnails)
        (plates.at(-1) as Plate).thumbnail = await readPlatePicture(zip, pictures.get(plate), bounds);
    }
    if (leftOut > 0)
      onLeftOut(
        `it is too large to read all of it, so the tables of layers of ${leftOut} of its ${numbers.length} plates are left out`,
      );
    return { plates };
  } finally {
    zip.close();
  }
}

async function findEntries(zip: ZipFile, bounds: Bounds) {
  const gcodes = new Map<number, Entry>();
  const pictures = new Map<number, Entry>();
  let list: Entry | undefined;
  if (zip.entryCount > MAX_ENTRIES) throw new TooLarge(`the 3MF has more than ${MAX_ENTRIES} files`);
  for await (const entry of zip.eachEntry()) {
    bounds.spend(0);
    const plate = Number(PLATE.exec(entry.fileName)?.[1] ?? 0);
    if (plate > 0 && !gcodes.has(plate)) gcodes.set(plate, entry);
    else if (entry.fileName === SLICE_INFO) list = entry;
    const [, picture, isSmall] = PICTURE.exec(entry.fileName) ?? [];
    if (picture !== undefined && (isSmall || !pictures.has(Number(picture)))) pictures.set(Number(picture), entry);
  }
  return { gcodes, list, pictures };
}

/** The picture of a plate in base64; `null` if it has none that is small enough. A damaged picture does not make the plan unreadable. */
async function readPlatePicture(zip: ZipFile, entry: Entry | undefined, bounds: Bounds): Promise<string | null> {
  if (entry === undefined || entry.uncompressedSize > MAX_THUMBNAIL_BYTES) return null;
  try {
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of readEntry(zip, entry, bounds)) {
      bytes += chunk.length;
      if (bytes > MAX_THUMBNAIL_BYTES) return null;
      chunks.push(chunk);
    }
    const picture = Buffer.concat(chunks);
    return readPicture(picture) === null ? null : picture.toString('base64');
  } catch {
    return null;
  }
}

async function readListText(zip: ZipFile, entry: Entry, bounds: Bounds): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of readEntry(zip, entry, bounds)) {
    bytes += chunk.length;
    if (bytes > MAX_SLICE_INFO_BYTES) throw new TooLarge(`its ${SLICE_INFO} is larger than 1 MB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

interface SlicedPlate {
  figures: GcodeFigures;
  counter: LayerCounter;
}

async function readPlate(zip: ZipFile, entry: Entry, bounds: Bounds): Promise<SlicedPlate> {
  const ends = new FileEnds();
  const counter = new LayerCounter();
  const lines = new LineSplitter([ends, counter]);
  for await (const chunk of readEntry(zip, entry, bounds)) lines.add(chunk);
  lines.end();
  return { figures: readGcode(ends.text()) ?? { seconds: null, slots: [] }, counter };
}

/** Skips the G-code of a plate that is too large, if the list has the amounts of the plate too. */
const skipIfListed = (inList: Plate | undefined) => (error: unknown) => {
  if (error instanceof TooLarge && inList && inList.slots.length > 0) return null;
  throw error;
};

/** Takes the amounts from the G-code, because the list rounds lengths to a centimetre, and the numbers of the slots from the list. */
function mergePlate(sliced: SlicedPlate | null, listed: Plate | undefined): PlateAmounts {
  return {
    seconds: sliced?.figures.seconds ?? listed?.seconds ?? null,
    slots: mergeSlots(sliced, listed?.slots ?? []),
  };
}

function mergeSlots(sliced: SlicedPlate | null, listed: readonly Slot[]): Slot[] {
  const { slots, isInOrder = false } = sliced?.figures ?? { slots: [] };
  if (listed.length === 0) return isInOrder && sliced ? sliced.counter.renumberSlots(slots) : slots;
  if (slots.length !== listed.length) return [...listed];
  // The G-code lists the slots in the order of their numbers.
  const inOrder = listed.toSorted((a, b) => a.slot - b.slot);
  return inOrder.map(({ slot, mm, grams }, at) => ({
    slot,
    mm: slots[at]?.mm ?? mm,
    grams: slots[at]?.grams ?? grams,
  }));
}
