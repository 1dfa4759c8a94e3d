// The rules of printers, spools and materials: what a change of them checks.
import { archivedLink, BadInput, deviceKeeps, NotFound, orNotFound, unknownLink } from '../../errors';
import type { RequestTime } from '../../values/deadline';
import { amount, positiveAmount } from '../../values/decimal';
import { parseGuid } from '../../values/guid';
import { emptyAsNone, membersOf, nullable, optional, type Reader } from '../../values/members';
import { MAX_KEY_LENGTH, nonEmptyText, parseText, textUpTo } from '../../values/text';
import type {
  CreateMaterialInput,
  CreatePrinterInput,
  CreateSpoolInput,
  UpdateMaterialInput,
  UpdatePrinterInput,
  UpdateSpoolInput,
} from './inventory.inputs';
import type { InventoryStore, Kind } from './inventory.store';
import type { Material, Printer, Spool } from './inventory.types';

const NAME = nonEmptyText(MAX_KEY_LENGTH);
/** In upper case, so that equal colours are equal texts. */
const COLOR: Reader<string> = (value, member) => {
  const color = parseText(value, member);
  if (!/^#[0-9a-f]{6}$/i.test(color))
    throw new BadInput('must be # and six hexadecimal digits such as #1E90FF', member);
  return color.toUpperCase();
};
const LOOKS = { colorHex: nullable(COLOR), vendor: emptyAsNone(textUpTo(MAX_KEY_LENGTH)) };

const newMaterial = membersOf({ name: NAME, densityGPerCm3: positiveAmount });
const changedMaterial = membersOf({ name: optional(NAME), densityGPerCm3: optional(positiveAmount) });
const newPrinter = membersOf({ name: NAME });
const changedPrinter = membersOf({ name: optional(NAME) });
const newSpool = membersOf({
  spoolSerial: NAME,
  filamentDiameterMm: positiveAmount,
  weightTotalGrams: amount,
  purchasePrice: nullable(amount),
  materialId: parseGuid,
  ...LOOKS,
});
const changedSpool = membersOf({
  spoolSerial: optional(NAME),
  filamentDiameterMm: optional(positiveAmount),
  weightTotalGrams: optional(amount),
  purchasePrice: nullable(amount),
  materialId: optional(parseGuid),
  ...LOOKS,
});

interface Rows {
  printer: Printer;
  spool: Spool;
  material: Material;
}

export class InventoryService {
  constructor(private readonly store: InventoryStore) {}

  async archive<K extends Kind>(kind: K, id: string, archived: boolean, { now }: RequestTime): Promise<Rows[K]> {
    const guid = parseGuid(id, 'id');
    await this.store.archive(kind, guid, archived ? now : null, now);
    return orNotFound((await this.store[kind].load(guid)) as Rows[K] | null, kind, id);
  }

  /** @param withDevice whether the caller may remove its device, too */
  async removePrinter(id: string, withDevice: boolean): Promise<string> {
    const guid = parseGuid(id, 'id');
    if (withDevice) return this.remove('printer', guid);
    if (await this.store.removeWithoutDevice(guid)) return guid;
    orNotFound(await this.store.printer.load(guid), 'printer', id);
    throw deviceKeeps('printer');
  }

  async remove(kind: Kind, id: string): Promise<string> {
    const guid = parseGuid(id, 'id');
    if (!(await this.store.remove(kind, guid))) throw new NotFound(kind, [id]);
    return guid;
  }

  async createMaterial(input: CreateMaterialInput, { newId }: RequestTime): Promise<Material> {
    const id = newId();
    await this.store.createMaterial({ id, ...newMaterial(input, 'input') });
    return orNotFound(await this.store.material.load(id), 'material', id);
  }

  async updateMaterial(id: string, input: UpdateMaterialInput): Promise<Material> {
    const guid = parseGuid(id, 'id');
    await this.store.updateMaterial(guid, changedMaterial(input, 'input'));
    return orNotFound(await this.store.material.load(guid), 'material', id);
  }

  async createPrinter(input: CreatePrinterInput, { now, newId }: RequestTime): Promise<Printer> {
    const id = newId();
    await this.store.createPrinter({ id, ...newPrinter(input, 'input'), createdAt: now, updatedAt: now });
    return orNotFound(await this.store.printer.load(id), 'printer', id);
  }

  async updatePrinter(id: string, input: UpdatePrinterInput, { now }: RequestTime): Promise<Printer> {
    const guid = parseGuid(id, 'id');
    await this.store.updatePrinter(guid, { ...changedPrinter(input, 'input'), updatedAt: now });
    return orNotFound(await this.store.printer.load(guid), 'printer', id);
  }

  async createSpool(input: CreateSpoolInput, { now, newId }: RequestTime): Promise<Spool> {
    const id = newId();
    const spool = newSpool(input, 'input');
    const looks = { colorHex: spool.colorHex ?? null, vendor: spool.vendor ?? null };
    const purchasePrice = spool.purchasePrice ?? null;
    const made = { id, ...spool, purchasePrice, ...looks, createdAt: now, updatedAt: now, archivedAt: null };
    if (!(await this.store.createSpool(made))) throw await this.refusedMaterial(spool.materialId);
    return orNotFound(await this.store.spool.load(id), 'spool', id);
  }

  async updateSpool(id: string, input: UpdateSpoolInput, { now }: RequestTime): Promise<Spool> {
    const guid = parseGuid(id, 'id');
    const changes = changedSpool(input, 'input');
    const changed = await this.store.updateSpool(guid, { ...changes, updatedAt: now });
    const spool = orNotFound(await this.store.spool.load(guid), 'spool', id);
    if (!changed) throw await this.refusedMaterial(changes.materialId as string);
    return spool;
  }

  private async refusedMaterial(id: string): Promise<BadInput> {
    return (await this.store.material.load(id)) === null ? unknownLink('material') : archivedLink('material');
  }
}
