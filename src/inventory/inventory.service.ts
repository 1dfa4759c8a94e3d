// The rules of printers, spools and materials.
import { present } from '../errors';
import { amount, positiveAmount } from '../values/decimal';
import { parseGuid } from '../values/guid';
import { membersOf, nullable, optional } from '../values/members';
import type { Moment } from '../values/moment';
import type { Page, PageRange } from '../values/page';
import { MAX_KEY_LENGTH, nonEmptyText } from '../values/text';
import type {
  CreateMaterialInput,
  CreatePrinterInput,
  CreateSpoolInput,
  UpdateMaterialInput,
  UpdatePrinterInput,
  UpdateSpoolInput,
} from './inventory.inputs';
import type { InventoryStore } from './inventory.store';
import type { Material, Printer, Spool } from './inventory.types';

const NAME = nonEmptyText(MAX_KEY_LENGTH);

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
});
const changedSpool = membersOf({
  spoolSerial: optional(NAME),
  filamentDiameterMm: optional(positiveAmount),
  weightTotalGrams: optional(amount),
  purchasePrice: nullable(amount),
  materialId: optional(parseGuid),
});

export class InventoryService {
  constructor(private readonly store: InventoryStore) {}

  async material(id: string): Promise<Material | null> {
    return this.store.material.load(parseGuid(id, 'id'));
  }

  async printer(id: string): Promise<Printer | null> {
    return this.store.printer.load(parseGuid(id, 'id'));
  }

  async spool(id: string): Promise<Spool | null> {
    return this.store.spool.load(parseGuid(id, 'id'));
  }

  materials(): Promise<Material[]> {
    return this.store.materials();
  }

  printers(range: PageRange): Promise<Page<Printer>> {
    return this.store.printers(range);
  }

  spools(range: PageRange): Promise<Page<Spool>> {
    return this.store.spools(range);
  }

  async createMaterial(input: CreateMaterialInput, { newId }: Moment): Promise<Material> {
    const id = newId();
    await this.store.createMaterial({ id, ...newMaterial(input, 'input') });
    return present(await this.store.material.load(id), 'material', id);
  }

  async updateMaterial(id: string, input: UpdateMaterialInput): Promise<Material> {
    const guid = parseGuid(id, 'id');
    await this.store.updateMaterial(guid, changedMaterial(input, 'input'));
    return present(await this.store.material.load(guid), 'material', id);
  }

  async createPrinter(input: CreatePrinterInput, { now, newId }: Moment): Promise<Printer> {
    const id = newId();
    await this.store.createPrinter({ id, ...newPrinter(input, 'input'), createdAt: now, updatedAt: now });
    return present(await this.store.printer.load(id), 'printer', id);
  }

  async updatePrinter(id: string, input: UpdatePrinterInput, { now }: Moment): Promise<Printer> {
    const guid = parseGuid(id, 'id');
    await this.store.updatePrinter(guid, { ...changedPrinter(input, 'input'), updatedAt: now });
    return present(await this.store.printer.load(guid), 'printer', id);
  }

  async createSpool(input: CreateSpoolInput, { now, newId }: Moment): Promise<Spool> {
    const id = newId();
    await this.store.createSpool({ id, ...newSpool(input, 'input'), createdAt: now, updatedAt: now });
    return present(await this.store.spool.load(id), 'spool', id);
  }

  async updateSpool(id: string, input: UpdateSpoolInput, { now }: Moment): Promise<Spool> {
    const guid = parseGuid(id, 'id');
    await this.store.updateSpool(guid, { ...changedSpool(input, 'input'), updatedAt: now });
    return present(await this.store.spool.load(guid), 'spool', id);
  }
}
