// Finds the material of a filament by its name, in any case, and its density, or plans a new one.
import type { HereMaterial } from './stock-here';

const keyOf = (name: string, density: string) => `${name.toLowerCase()} ${density}`;

export class ImportMaterials {
  readonly added: HereMaterial[] = [];
  private readonly byKey = new Map<string, HereMaterial>();
  private readonly names = new Set<string>();
  private readonly byId = new Map<string, HereMaterial>();

  /** @param createId makes the id of a new material from its name and density */
  constructor(
    here: readonly HereMaterial[],
    private readonly createId: (name: string, density: string) => string,
  ) {
    // A material in use comes before an archived one.
    for (const material of [...here].sort((a, b) => Number(a.isArchived) - Number(b.isArchived))) this.note(material);
  }

  find(name: string, density: string): HereMaterial {
    const qualified = `${name} ${density}`;
    const found = this.byKey.get(keyOf(name, density)) ?? this.byKey.get(keyOf(qualified, density));
    if (found !== undefined) return found;
    let free = name;
    for (let tries = 1; this.names.has(free.toLowerCase()); tries++)
      free = tries === 1 ? qualified : `${qualified} (${tries})`;
    const material = { id: this.createId(free, density), name: free, densityGPerCm3: density, isArchived: false };
    this.note(material);
    this.byKey.set(keyOf(name, density), material);
    this.added.push(material);
    return material;
  }

  nameOf(id: string): string | null {
    return this.byId.get(id)?.name ?? null;
  }

  private note(material: HereMaterial): void {
    const key = keyOf(material.name, material.densityGPerCm3);
    if (!this.byKey.has(key)) this.byKey.set(key, material);
    this.names.add(material.name.toLowerCase());
    this.byId.set(material.id, material);
  }
}
