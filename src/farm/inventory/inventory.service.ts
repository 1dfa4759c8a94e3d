// Decides what changes of printers, spools and materials are allowed, and what a new spool takes from its filament.
import { archivedLink, BadInput, connectionMustGoFirst, NotFound, orNotFound, unknownLink } from '../../errors';
import { readAmount, readPositiveAmount } from '../../values/decimal';
import { parseGuid } from '../../values/guid';
import { nullable, optional, type Reader, readMembers } from '../../values/members';
import type { RequestTime } from '../../values/request-time';
import type { Context } from '../graph/context';
import type { Filament } from './filament.types';
import {
  type CreateMaterialInput,
  type CreatePrinterInput,
  type CreateSpoolInput,
  type UpdateMaterialInput,
  type UpdatePrinterInput,
  type UpdateSpoolInput,
} from './inventory.inputs';
import { COLOR_AND_VENDOR, readComment, readLotNumber, readName, readPlace } from './inventory.members';
import type { NewSpool, SpoolRow, StoredSpool } from './inventory.rows';
import type { InventoryKind, InventoryStore } from './inventory.store';
import type { Material, Printer, Spool } from './inventory.types';

const SPOOL_DETAILS = {
  filamentId: nullable(parseGuid),
  tareGrams: nullable(readAmount),
  place: readPlace,
  lotNumber: readLotNumber,
  comment: readComment,
};

const parseNewMaterial = readMembers({ name: readName, densityGPerCm3: readPositiveAmount });
const parseMaterialChanges = readMembers({ name: optional(readName), densityGPerCm3: optional(readPositiveAmount) });
const parseNewPrinter = readMembers({ name: readName });
const parsePrinterChanges = readMembers({ name: optional(readName) });
const parseNewSpool = readMembers({
  spoolSerial: readName,
  filamentDiameterMm: nullable(readPositiveAmount),
  weightTotalGrams: nullable(readAmount),
  purchasePrice: nullable(readAmount),
  materialId: nullable(parseGuid),
  remainingGrams: nullable(readAmount),
  ...COLOR_AND_VENDOR,
  ...SPOOL_DETAILS,
});
/** For members that a spool needs if it has no filament to take them from. */
const requireText: Reader<string> = (value, member) => {
  if (value == null) throw new BadInput('is required for a spool without a filament', member);
  return value as string;
};
const requireMembers = readMembers({
  materialId: requireText,
  filamentDiameterMm: requireText,
  weightTotalGrams: requireText,
});
export const parseSpoolChanges = readMembers({
  spoolSerial: optional(readName),
  filamentDiameterMm: optional(readPositiveAmount),
  weightTotalGrams: optional(readAmount),
  purchasePrice: nullable(readAmount),
  materialId: optional(parseGuid),
  ...COLOR_AND_VENDOR,
  ...SPOOL_DETAILS,
});

/** A spool to add. Members that are missing or null are taken from the filament. */
export function buildSpool(input: CreateSpoolInput, filament: Filament | null, { now, newId }: RequestTime): NewSpool {
  const given = parseNewSpool(input, 'input');
  const { materialId, filamentDiameterMm, weightTotalGrams } = requireMembers(
    {
      materialId: given.materialId ?? filament?.material.id,
      filamentDiameterMm: given.filamentDiameterMm ?? filament?.filamentDiameterMm,
      weightTotalGrams: given.weightTotalGrams ?? filament?.weightTotalGrams,
    },
    'input',
  );
  return {
    id: newId(),
    spoolSerial: given.spoolSerial,
    filamentId: filament?.id ?? null,
    materialId,
    filamentDiameterMm,
    weightTotalGrams,
    purchasePrice: given.purchasePrice ?? filament?.purchasePrice ?? null,
    colorHex: given.colorHex ?? filament?.colorHex ?? null,
    vendor: given.vendor ?? filament?.vendor ?? null,
    tareGrams: given.tareGrams ?? null,
    place: given.place ?? null,
    lotNumber: given.lotNumber ?? null,
    comment: given.comment ?? null,
    remainingGrams: given.remainingGrams ?? null,
    createdAt: now,
    updatedAt: now,
    archivedAt: null,
  };
}

interface ObjectsByKind {
  printer: Printer;
  spool: Spool;
  filament: Filament;
  material: Material;
}

export class InventoryService {
  constructor(private readonly store: InventoryStore) {}

  async archive<K extends InventoryKind>(
    kind: K,
    id: string,
    archived: boolean,
    { now }: RequestTime,
  ): Promise<ObjectsByKind[K]> {
    const guid = parseGuid(id, 'id');
    await this.store.archive(kind, guid, archived ? now : null, now);
    return orNotFound((await this.store[kind].load(guid)) as ObjectsByKind[K] | null, kind, id);
  }

  /** @param withDevice whether the caller may also remove the device of the printer */
  async removePrinter(id: string, withDevice: boolean): Promise<string> {
    const guid = parseGuid(id, 'id');
    if (withDevice) return this.remove('printer', guid);
    if (await this.store.removeWithoutDevice(guid)) return guid;
    orNotFound(await this.store.printer.load(guid), 'printer', id);
    throw connectionMustGoFirst('printer');
  }

  async remove(kind: InventoryKind, id: string): Promise<string> {
    const guid = parseGuid(id, 'id');
    if (!(await this.store.remove(kind, guid))) throw new NotFound(kind, [id]);
    return guid;
  }

  async createMaterial(input: CreateMaterialInput, { newId }: RequestTime): Promise<Material> {
    const id = newId();
    await this.store.createMaterial({ id, ...parseNewMaterial(input, 'input') });
    return orNotFound(await this.store.material.load(id), 'material', id);
  }

  async updateMaterial(id: string, input: UpdateMaterialInput): Promise<Material> {
    const guid = parseGuid(id, 'id');
    await this.store.updateMaterial(guid, parseMaterialChanges(input, 'input'));
    return orNotFound(await this.store.material.load(guid), 'material', id);
  }

  async createPrinter(input: CreatePrinterInput, { now, newId }: RequestTime): Promise<Printer> {
    const id = newId();
    await this.store.createPrinter({ id, ...parseNewPrinter(input, 'input'), createdAt: now, updatedAt: now });
    return orNotFound(await this.store.printer.load(id), 'printer', id);
  }

  async updatePrinter(id: string, input: UpdatePrinterInput, { now }: RequestTime): Promise<Printer> {
    const guid = parseGuid(id, 'id');
    await this.store.updatePrinter(guid, { ...parsePrinterChanges(input, 'input'), updatedAt: now });
    return orNotFound(await this.store.printer.load(guid), 'printer', id);
  }

  async createSpool(input: CreateSpoolInput, context: Context): Promise<Spool> {
    const { filamentId } = parseNewSpool(input, 'input');
    const spool = await (filamentId == null
      ? this.addSpool(this.store, input, null, context)
      : this.store.withFilament(filamentId, (store, filament) => {
          if (filament === null) throw unknownLink('filament');
          if (filament.archivedAt !== null) throw archivedLink('filament');
          return this.addSpool(store, input, filament, context);
        }));
    return orNotFound(await this.store.spool.load(spool.id), 'spool', spool.id);
  }

  private async addSpool(
    store: InventoryStore,
    input: CreateSpoolInput,
    filament: Filament | null,
    context: Context,
  ): Promise<NewSpool> {
    const spool = buildSpool(input, filament, context);
    const added = await store.createSpools([spool], context.caller.displayName);
    if (added === 0) throw await this.explainMaterial(spool.materialId);
    return spool;
  }

  async updateSpool(id: string, input: UpdateSpoolInput, { now }: RequestTime): Promise<Spool> {
    const guid = parseGuid(id, 'id');
    const changes = parseSpoolChanges(input, 'input');
    const changed = await this.store.updateSpool(guid, { ...changes, updatedAt: now });
    const spool = orNotFound(await this.store.spool.load(guid), 'spool', id);
    if (!changed) throw await this.explainLink(changes, spool);
    return spool;
  }

  private async explainLink({ filamentId, materialId }: Partial<StoredSpool>, spool: SpoolRow): Promise<BadInput> {
    if (filamentId != null && filamentId !== spool.filamentId) {
      const filament = await this.store.filament.load(filamentId);
      if (filament === null) return unknownLink('filament');
      if (filament.archivedAt !== null) return archivedLink('filament');
    }
    return this.explainMaterial(materialId as string);
  }

  private async explainMaterial(id: string): Promise<BadInput> {
    return (await this.store.material.load(id)) === null ? unknownLink('material') : archivedLink('material');
  }
}
