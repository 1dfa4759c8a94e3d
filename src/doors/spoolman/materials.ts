// Finds the material that the API names by its name and density, or creates it.
import { Conflict } from '../../errors';
import type { Context } from '../../farm/graph/context';
import type { CreateMaterialInput } from '../../farm/inventory/inventory.inputs';
import { trimZeros } from '../../values/decimal';
import type { ApiParts } from './api';

/** One name can have several densities: "PLA" with another density than the farm's PLA becomes "PLA 1.27". */
export async function findOrCreateMaterial(
  { store, inventory }: Pick<ApiParts, 'store' | 'inventory'>,
  name: string,
  density: string,
  context: Context,
): Promise<string> {
  for (const candidate of [name, `${name} ${trimZeros(density)}`]) {
    const found = await store.findMaterial(name, density);
    if (found !== null) {
      if (found.isArchived) await inventory.archive('material', found.id, false, context);
      return found.id;
    }
    try {
      const input = { name: candidate, densityGPerCm3: density } as CreateMaterialInput;
      return (await inventory.createMaterial(input, context)).id;
    } catch (error) {
      // The name is taken: by a material with another density, or by another request at the same moment.
      if (!(error instanceof Conflict)) throw error;
    }
  }
  const found = await store.findMaterial(name, density);
  if (found === null)
    throw new Conflict(
      `The name ${name} ${trimZeros(density)} is taken by a material with another density`,
      'material',
    );
  return found.id;
}
