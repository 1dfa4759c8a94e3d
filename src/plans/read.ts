// Reads the plan of a file, by its content and not by its name.
import { open, stat } from 'node:fs/promises';
import { amountsOfBgcode, BGCODE_SIGN } from './bgcode';
import { bytesAt, endsOfFile } from './ends';
import { amountsOfGcode } from './gcode';
import type { Plan, PlateAmounts } from './plan';
import { planOfThreeMf, ZIP_SIGN } from './three-mf';

const READABLE =
  'it is none of these: bgcode, a sliced 3MF, or G-code of PrusaSlicer, SuperSlicer, OrcaSlicer, Bambu Studio, Cura, ' +
  'Simplify3D, KISSlicer, ideaMaker or Kiri:Moto';

export async function readPlan(path: string): Promise<Plan> {
  try {
    return await planOf(path);
  } catch (error) {
    throw new Error(`${path}: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
}

async function planOf(path: string): Promise<Plan> {
  // A pipe has no end to read: opening one would wait for its writer.
  const found = await stat(path);
  if (!found.isFile()) throw new Error('it is no file');
  const file = await open(path);
  try {
    const sign = (await bytesAt(file, 0, 4)).toString('latin1');
    if (sign === ZIP_SIGN) return await planOfThreeMf(path);
    if (sign === BGCODE_SIGN) return onePlate(await amountsOfBgcode(file, found.size));
    const amounts = amountsOfGcode(await endsOfFile(file, found.size));
    if (amounts === null) throw new Error(READABLE);
    return onePlate(amounts);
  } finally {
    await file.close();
  }
}

const onePlate = (amounts: PlateAmounts): Plan => ({ plates: [{ plate: 1, ...amounts }] });
