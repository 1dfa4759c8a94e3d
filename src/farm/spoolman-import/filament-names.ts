// Chooses names of filaments that no other filament of the vendor has.
import { listFilamentNames, UNKNOWN_MATERIAL } from '../inventory/filament-names';
import type { ReadFilament } from './spoolman-objects';
import type { HereFilament } from './stock-here';

export class FilamentNames {
  private readonly taken = new Map<string, string>();

  constructor(here: Iterable<HereFilament>) {
    for (const { id, vendor, name } of here) this.taken.set(keyOf(vendor, name), id);
  }

  /** If the name is taken, the material is added, then the diameter, then the id. */
  choose(
    { id, material, diameter }: ReadFilament,
    wanted: string,
    vendor: string | null,
    own: HereFilament | undefined,
  ): string {
    const isFree = (name: string) => {
      const owner = this.taken.get(keyOf(vendor, name));
      return owner === undefined || owner === own?.id;
    };
    const names = listFilamentNames(wanted, [material ?? UNKNOWN_MATERIAL, diameter, `#${id}`]);
    const last = names.at(-1) as string;
    let name = names.find(isFree) ?? last;
    // Another source may have a filament with the same members and the same id.
    for (let next = 2; !isFree(name); next++) name = listFilamentNames(last, [`(${next})`])[1] as string;
    this.taken.set(keyOf(vendor, name), own?.id ?? `new ${id}`);
    return name;
  }
}

const keyOf = (vendor: string | null, name: string) => JSON.stringify([vendor, name]);
