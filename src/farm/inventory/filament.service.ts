// The rules of filaments.
import { archivedLink, BadInput, orNotFound, unknownLink } from '../../errors';
import { amount, positiveAmount } from '../../values/decimal';
import { parseGuid } from '../../values/guid';
import { emptyAsNone, membersOf, nullable, optional } from '../../values/members';
import type { RequestTime } from '../../values/request-time';
import { MAX_KEY_LENGTH, textUpTo, tidied } from '../../values/text';
import type { CreateFilamentInput, UpdateFilamentInput } from './filament.inputs';
import type { FilamentStore } from './filament.store';
import type { Filament, Numbered } from './filament.types';
import type { StoredFilament } from './inventory.rows';
import { LOOKS, NAME } from './inventory.service';
import type { Material, Spool } from './inventory.types';

const NONE_OR = {
  tareGrams: nullable(amount),
  purchasePrice: nullable(amount),
  articleNumber: tidied(emptyAsNone(textUpTo(MAX_KEY_LENGTH))),
  minimumGrams: nullable(amount),
  ...LOOKS,
};
const givenFilament = membersOf({
  name: NAME,
  materialId: parseGuid,
  filamentDiameterMm: positiveAmount,
  weightTotalGrams: amount,
  ...NONE_OR,
});
export const changedFilament = membersOf({
  name: optional(NAME),
  materialId: optional(parseGuid),
  filamentDiameterMm: optional(positiveAmount),
  weightTotalGrams: optional(amount),
  ...NONE_OR,
});

/** A filament to add. */
export function newFilament(input: CreateFilamentInput, { now, newId }: RequestTime): StoredFilament {
  const given = givenFilament(input, 'input');
  return {
    id: newId(),
    name: given.name,
    vendor: given.vendor ?? null,
    materialId: given.materialId,
    colorHex: given.colorHex ?? null,
    filamentDiameterMm: given.filamentDiameterMm,
    weightTotalGrams: given.weightTotalGrams,
    tareGrams: given.tareGrams ?? null,
    purchasePrice: given.purchasePrice ?? null,
    articleNumber: given.articleNumber ?? null,
    minimumGrams: given.minimumGrams ?? null,
    createdAt: now,
    updatedAt: now,
    archivedAt: null,
  };
}

/** Finds the objects of the inventory; null when there is none. */
interface LookUps {
  spool(id: string): Promise<Spool | null>;
  filament(id: string): Promise<Filament | null>;
  material(id: string): Promise<Material | null>;
}

export class FilamentService {
  constructor(
    private readonly store: FilamentStore,
    private readonly lookUps: LookUps,
  ) {}

  async byNumber(number: number): Promise<typeof Numbered | null> {
    const [type, id] = (await this.store.ofNumber(number)) ?? [];
    if (type === undefined || id === undefined) return null;
    const found = await (type === 'Spool' ? this.lookUps.spool(id) : this.lookUps.filament(id));
    return found && Object.assign({ __typename: type }, found);
  }

  async create(input: CreateFilamentInput, time: RequestTime): Promise<Filament> {
    const filament = newFilament(input, time);
    const made = await this.store.create([filament]);
    if (made === 0) throw await this.refusedMaterial(filament.materialId);
    return orNotFound(await this.lookUps.filament(filament.id), 'filament', filament.id);
  }

  async update(id: string, input: UpdateFilamentInput, ofSpools: boolean, { now }: RequestTime): Promise<Filament> {
    const guid = parseGuid(id, 'id');
    const changes = changedFilament(input, 'input');
    const changed = await this.store.update(guid, { ...changes, updatedAt: now }, ofSpools);
    const filament = orNotFound(await this.lookUps.filament(guid), 'filament', id);
    if (!changed) throw await this.refusedMaterial(changes.materialId as string);
    return filament;
  }

  private async refusedMaterial(id: string): Promise<BadInput> {
    return (await this.lookUps.material(id)) === null ? unknownLink('material') : archivedLink('material');
  }
}
