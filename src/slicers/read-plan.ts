// Reads the plan of a print file. Its format is recognised by its content, not by its name, and reading it has limits.
import { type FileHandle, open, stat } from 'node:fs/promises';
import { amountsOfBgcode, BGCODE_SIGN } from './bgcode';
import { bytesAt, endsOfFile } from './file-ends';
import { Lines } from './file-lines';
import { LayerCounter } from './gcode-layers';
import type { Plate, SlicerFile } from './plan';
import { Bounds, TooLarge } from './read-bounds';
import { amountsOfGcode } from './slicer-detection';
import { planOfThreeMf, ZIP_SIGN } from './three-mf';

const READABLE =
  'its format is unknown. It must be bgcode, a sliced 3MF, or G-code of Slic3r, PrusaSlicer, SuperSlicer, OrcaSlicer, Bambu Studio, Cura, ' +
  'Simplify3D, KISSlicer, ideaMaker or Kiri:Moto';

export interface ReadOptions {
  /** Whether to make the tables of layers. */
  layers?: boolean;
  /** Returns the milliseconds of a clock that never goes back. */
  clock?: () => number;
  /** Called with a sentence about a part of the plan that was left out because the file is too large. */
  onLeftOut?: (sentence: string) => void;
}

export async function readPlan(path: string, options: ReadOptions = {}): Promise<SlicerFile> {
  const { layers = false, clock = () => performance.now(), onLeftOut = () => {} } = options;
  try {
    return await figuresOfFile(path, layers, new Bounds(clock), (sentence) => onLeftOut(`${path}: ${sentence}`));
  } catch (error) {
    const message = `${path}: ${error instanceof Error ? error.message : error}`;
    throw error instanceof TooLarge ? new TooLarge(message) : new Error(message, { cause: error });
  }
}

type OnLeftOut = (sentence: string) => void;

async function figuresOfFile(
  path: string,
  withLayers: boolean,
  bounds: Bounds,
  onLeftOut: OnLeftOut,
): Promise<SlicerFile> {
  // A pipe must not be opened, because that would wait for a program that writes to it.
  const found = await stat(path);
  if (!found.isFile()) throw new Error('it is not a file. Give the path of a file');
  const file = await open(path);
  try {
    const sign = (await bytesAt(file, 0, 4)).toString('latin1');
    if (sign === ZIP_SIGN) return await planOfThreeMf(path, withLayers, bounds, onLeftOut);
    if (sign === BGCODE_SIGN) return onePlate(await amountsOfBgcode(file, found.size, bounds));
    const figures = amountsOfGcode(await endsOfFile(file, found.size, bounds));
    if (figures === null) throw new Error(READABLE);
    const { isInOrder = false, ...amounts } = figures;
    if (!withLayers && !isInOrder) return onePlate(amounts);
    const counter = await counted(file, found.size, bounds).catch((error: unknown) => {
      if (!(error instanceof TooLarge)) throw error;
      const order = isInOrder ? ', and its slots are numbered in their order' : '';
      onLeftOut(`${error.message}, so its table of layers is left out${order}`);
      return null;
    });
    const slots = isInOrder && counter ? counter.numbered(amounts.slots) : amounts.slots;
    return onePlate({ ...amounts, slots, ...(withLayers && { layers: counter?.table(slots) ?? null }) });
  } finally {
    await file.close();
  }
}

const onePlate = (amounts: Omit<Plate, 'plate'>): SlicerFile => ({ plates: [{ plate: 1, ...amounts }] });

/** Counts the layers of the whole file. */
async function counted(file: FileHandle, size: number, bounds: Bounds): Promise<LayerCounter> {
  bounds.expect(size);
  const counter = new LayerCounter();
  const lines = new Lines([counter]);
  for await (const chunk of file.createReadStream({ start: 0, highWaterMark: 256 * 1024, autoClose: false })) {
    bounds.spend(chunk.length);
    lines.add(chunk);
  }
  lines.end();
  return counter;
}
