// Finds the materials that the rows of an imported list name, and lists missing materials that the import may add.
import { BadInput } from '../../errors';
import type { RequestTime } from '../../values/request-time';
import type { Material } from '../inventory/inventory.types';
import { findUsualDensity } from '../inventory/usual-densities';

/** A message lists at most this many names, so that it stays readable. */
const MAX_LISTED_NAMES = 20;

export class ImportMaterials {
  /** Materials that the rows name and the farm does not have, in the order of the rows. */
  readonly missing: { name: string; densityGPerCm3: string | null }[] = [];
  /** The missing materials that the import adds. */
  readonly added: Material[] = [];
  private readonly byId = new Map<string, Material>();
  private readonly byName = new Map<string, Material>();
  /** By the name in lower case; `null` if several names differ in upper and lower case only. */
  private readonly byFoldedName = new Map<string, Material | null>();
  private readonly known: string;

  /** @param names the texts that each cell of the column may mean, the most likely text first */
  constructor(
    materials: readonly Material[],
    names: Iterable<readonly string[]>,
    isAdding: boolean,
    time: RequestTime,
  ) {
    for (const material of materials) this.register(material);
    const inUse = materials.filter(({ archivedAt }) => archivedAt === null).map(({ name }) => name);
    this.known =
      inUse.length === 0
        ? 'none yet'
        : inUse.slice(0, MAX_LISTED_NAMES).join(', ') + (inUse.length > MAX_LISTED_NAMES ? ', …' : '');
    const seen = new Set<string>();
    for (const possible of names) {
      const [name = ''] = possible;
      if (name === '' || seen.has(name.toLowerCase()) || possible.some((one) => this.findByName(one))) continue;
      seen.add(name.toLowerCase());
      const densityGPerCm3 = findUsualDensity(name) || null;
      this.missing.push({ name, densityGPerCm3 });
      if (isAdding && densityGPerCm3 !== null)
        this.added.push({ id: time.newId(), name, densityGPerCm3, archivedAt: null });
    }
    for (const material of this.added) this.register(material);
  }

  private register(material: Material): void {
    this.byId.set(material.id, material);
    this.byName.set(material.name, material);
    const folded = material.name.toLowerCase();
    this.byFoldedName.set(folded, this.byFoldedName.has(folded) ? null : material);
  }

  private findByName = (name: string): Material | undefined =>
    this.byName.get(name) ?? this.byFoldedName.get(name.toLowerCase()) ?? undefined;

  /** @param existingId the material that the stored spool or filament already has; it may be archived */
  findId(name: string | null | undefined, existingId: string | null): string | undefined {
    if (name == null) return undefined;
    const material = this.findByName(name);
    if (material === undefined)
      throw new BadInput(
        findUsualDensity(name) === ''
          ? `"${name}" is unknown: add it with its density under Settings → Materials. Known materials: ${this.known}`
          : `"${name}" is unknown: add it, or add all missing materials with this import. Known materials: ${this.known}`,
        'material',
      );
    if (material.archivedAt !== null && material.id !== existingId)
      throw new BadInput(`"${name}" is archived: restore it, or choose another material`, 'material');
    return material.id;
  }

  findById(id: string): Material | undefined {
    return this.byId.get(id);
  }
}
