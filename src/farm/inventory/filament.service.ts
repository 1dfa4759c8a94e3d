// Decides what changes of filaments are allowed, and finds what has a number.
import { archivedLink, BadInput, orNotFound, unknownLink } from '../../errors';
import { readAmount, readPositiveAmount } from '../../values/decimal';
import { parseGuid } from '../../values/guid';
import { emptyAsNull, nullable, optional, readMembers } from '../../values/members';
import type { RequestTime } from '../../values/request-time';
import { MAX_KEY_LENGTH, textUpTo, tidied } from '../../values/text';
import { completeColors, readColors } from './filament.colors';
import type { CreateFilamentInput, UpdateFilamentInput } from './filament.inputs';
import type { FilamentStore } from './filament.store';
import type { ColorArrangement, Filament, Numbered } from './filament.types';
import { COLOR_AND_VENDOR, readComment, readName, readTemperature } from './inventory.members';
import type { StoredFilament } from './inventory.rows';
import type { Material, Spool } from './inventory.types';
import type { SpoolmanLabel } from './spoolman-label';

const NULLABLE_MEMBERS = {
  tareGrams: nullable(readAmount),
  purchasePrice: nullable(readAmount),
  articleNumber: tidied(emptyAsNull(textUpTo(MAX_KEY_LENGTH))),
  minimumGrams: nullable(readAmount),
  colorHexes: readColors,
  // GraphQL accepts only the names of the enum.
  colorArrangement: nullable((value) => value as ColorArrangement),
  extruderTempC: nullable(readTemperature),
  bedTempC: nullable(readTemperature),
  comment: readComment,
  ...COLOR_AND_VENDOR,
};
const parseNewFilament = readMembers({
  name: readName,
  materialId: parseGuid,
  filamentDiameterMm: readPositiveAmount,
  weightTotalGrams: readAmount,
  ...NULLABLE_MEMBERS,
});
const readFilamentChanges = readMembers({
  name: optional(readName),
  materialId: optional(parseGuid),
  filamentDiameterMm: optional(readPositiveAmount),
  weightTotalGrams: optional(readAmount),
  ...NULLABLE_MEMBERS,
});

export const parseFilamentChanges = (...input: Parameters<typeof readFilamentChanges>) =>
  completeColors(readFilamentChanges(...input));

/** A filament to add. */
export function buildFilament(input: CreateFilamentInput, { now, newId }: RequestTime): StoredFilament {
  const given = completeColors(parseNewFilament(input, 'input'));
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
    colorHexes: given.colorHexes ?? [],
    colorArrangement: given.colorArrangement ?? null,
    extruderTempC: given.extruderTempC ?? null,
    bedTempC: given.bedTempC ?? null,
    comment: given.comment ?? null,
    createdAt: now,
    updatedAt: now,
    archivedAt: null,
  };
}

/** Finds objects of the inventory; `null` if there is none. */
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
    const [type, id] = (await this.store.findByNumber(number)) ?? [];
    if (type === undefined || id === undefined) return null;
    const found = await (type === 'Spool' ? this.lookUps.spool(id) : this.lookUps.filament(id));
    return found && Object.assign({ __typename: type }, found);
  }

  /** @returns null for a number that no filament has */
  async filamentByNumber(number: number): Promise<Filament | null> {
    const [type, id] = (await this.store.findByNumber(number)) ?? [];
    return type === 'Filament' && id !== undefined ? this.lookUps.filament(id) : null;
  }

  /** The number of the object that a label of Spoolman means. There may be no object with this number. */
  numberOfLabel(label: SpoolmanLabel): Promise<number> {
    return this.store.findByLabel(label);
  }

  async create(input: CreateFilamentInput, time: RequestTime): Promise<Filament> {
    const filament = buildFilament(input, time);
    const added = await this.store.create([filament]);
    if (added === 0) throw await this.explainMaterial(filament.materialId);
    return orNotFound(await this.lookUps.filament(filament.id), 'filament', filament.id);
  }

  async update(id: string, input: UpdateFilamentInput, ofSpools: boolean, { now }: RequestTime): Promise<Filament> {
    const guid = parseGuid(id, 'id');
    const changes = parseFilamentChanges(input, 'input');
    const changed = await this.store.update(guid, { ...changes, updatedAt: now }, ofSpools);
    const filament = orNotFound(await this.lookUps.filament(guid), 'filament', id);
    if (!changed) throw await this.explainMaterial(changes.materialId as string);
    return filament;
  }

  private async explainMaterial(id: string): Promise<BadInput> {
    return (await this.lookUps.material(id)) === null ? unknownLink('material') : archivedLink('material');
  }
}
