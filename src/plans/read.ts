// Reads the plan of a file, by its content and not by its name.
import { type FileHandle, open, stat } from 'node:fs/promises';
import { amountsOfBgcode, BGCODE_SIGN } from './bgcode';
import { bytesAt, endsOfFile } from './ends';
import { amountsOfGcode } from './gcode';
import { LayerCounter } from './layers';
import type { LayerPoint, Plan, PlateAmounts } from './plan';
import { planOfThreeMf, ZIP_SIGN } from './three-mf';

const READABLE =
  'it is none of these: bgcode, a sliced 3MF, or G-code of PrusaSlicer, SuperSlicer, OrcaSlicer, Bambu Studio, Cura, ' +
  'Simplify3D, KISSlicer, ideaMaker or Kiri:Moto';

export async function readPlan(path: string, options: { layers: boolean } = { layers: false }): Promise<Plan> {
  try {
    return await planOf(path, options.layers);
  } catch (error) {
    throw new Error(`${path}: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
}

async function planOf(path: string, withLayers: boolean): Promise<Plan> {
  // A pipe has no end to read: opening one would wait for its writer.
  const found = await stat(path);
  if (!found.isFile()) throw new Error('it is no file');
  const file = await open(path);
  try {
    const sign = (await bytesAt(file, 0, 4)).toString('latin1');
    if (sign === ZIP_SIGN) return await planOfThreeMf(path, withLayers);
    if (sign === BGCODE_SIGN) return onePlate(await amountsOfBgcode(file, found.size));
    const amounts = amountsOfGcode(await endsOfFile(file, found.size));
    if (amounts === null) throw new Error(READABLE);
    if (!withLayers) return onePlate(amounts);
    return { plates: [{ plate: 1, ...amounts, layers: await layersOf(file, amounts) }] };
  } finally {
    await file.close();
  }
}

const onePlate = (amounts: PlateAmounts): Plan => ({ plates: [{ plate: 1, ...amounts }] });

/** All of the file, a megabyte at a time. */
async function layersOf(file: FileHandle, { slots }: PlateAmounts): Promise<LayerPoint[] | null> {
  const counter = new LayerCounter();
  for await (const chunk of file.createReadStream({ start: 0, highWaterMark: 1024 * 1024, autoClose: false })) {
    counter.add(chunk);
  }
  return counter.table(slots);
}
