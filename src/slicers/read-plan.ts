// Reads the plan of a print file. Its format is recognised by its content, not by its name, and reading it has limits.
import { type FileHandle, open, stat } from 'node:fs/promises';
import { BGCODE_SIGNATURE, readBgcode } from './bgcode';
import { readBytes, readEnds } from './file-ends';
import { LineSplitter } from './file-lines';
import { LayerCounter } from './gcode-layers';
import { GcodePictures } from './gcode-pictures';
import type { Plate, SlicerFile, WantedParts } from './plan';
import { Bounds, TooLarge } from './read-bounds';
import { readGcode } from './slicer-detection';
import { readThreeMf, ZIP_SIGNATURE } from './three-mf';

const READABLE =
  'its format is unknown. It must be bgcode, a sliced 3MF, or G-code of Slic3r, PrusaSlicer, SuperSlicer, OrcaSlicer, Bambu Studio, Cura, ' +
  'Simplify3D, KISSlicer, ideaMaker or Kiri:Moto';

export interface ReadOptions {
  /** Whether to make the tables of layers. */
  layers?: boolean;
  /** Whether to read the preview pictures. */
  thumbnails?: boolean;
  /** Returns the milliseconds of a clock that never goes back. */
  clock?: () => number;
  /** Called with a sentence about a part of the plan that was left out because the file is too large. */
  onLeftOut?: (sentence: string) => void;
}

export async function readPlan(path: string, options: ReadOptions = {}): Promise<SlicerFile> {
  const { layers = false, thumbnails = false, clock = () => performance.now(), onLeftOut = () => {} } = options;
  try {
    return await readFigures(path, { layers, thumbnails }, new Bounds(clock), (sentence) =>
      onLeftOut(`${path}: ${sentence}`),
    );
  } catch (error) {
    const message = `${path}: ${error instanceof Error ? error.message : error}`;
    throw error instanceof TooLarge ? new TooLarge(message) : new Error(message, { cause: error });
  }
}

type OnLeftOut = (sentence: string) => void;

async function readFigures(
  path: string,
  wanted: WantedParts,
  bounds: Bounds,
  onLeftOut: OnLeftOut,
): Promise<SlicerFile> {
  // A pipe must not be opened, because that would wait for a program that writes to it.
  const found = await stat(path);
  if (!found.isFile()) throw new Error('it is not a file. Give the path of a file');
  const file = await open(path);
  try {
    const signature = (await readBytes(file, 0, 4)).toString('latin1');
    if (signature === ZIP_SIGNATURE) return await readThreeMf(path, wanted, bounds, onLeftOut);
    if (signature === BGCODE_SIGNATURE) return toOnePlate(await readBgcode(file, found.size, bounds, wanted));
    const pictures = new GcodePictures();
    const figures = readGcode(await readEnds(file, found.size, bounds, wanted.thumbnails ? [pictures] : []));
    if (figures === null) throw new Error(READABLE);
    const { isInOrder = false, ...withoutPicture } = figures;
    const amounts = { ...withoutPicture, ...(wanted.thumbnails && { thumbnail: pictures.picture() }) };
    if (!wanted.layers && !isInOrder) return toOnePlate(amounts);
    const counter = await countLayers(file, found.size, bounds).catch((error: unknown) => {
      if (!(error instanceof TooLarge)) throw error;
      const order = isInOrder ? ', and its slots are numbered in their order' : '';
      onLeftOut(`${error.message}, so its table of layers is left out${order}`);
      return null;
    });
    const slots = isInOrder && counter ? counter.renumberSlots(amounts.slots) : amounts.slots;
    return toOnePlate({ ...amounts, slots, ...(wanted.layers && { layers: counter?.makeTable(slots) ?? null }) });
  } finally {
    await file.close();
  }
}

const toOnePlate = (amounts: Omit<Plate, 'plate'>): SlicerFile => ({ plates: [{ plate: 1, ...amounts }] });

/** Counts the layers of the whole file. */
async function countLayers(file: FileHandle, size: number, bounds: Bounds): Promise<LayerCounter> {
  bounds.expect(size);
  const counter = new LayerCounter();
  const lines = new LineSplitter([counter]);
  for await (const chunk of file.createReadStream({ start: 0, highWaterMark: 256 * 1024, autoClose: false })) {
    bounds.spend(chunk.length);
    lines.add(chunk);
  }
  lines.end();
  return counter;
}
