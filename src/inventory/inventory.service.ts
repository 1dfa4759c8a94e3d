// The rules of printers, spools and materials.

import { NotFound } from '../errors';
import { amount, positiveAmount } from '../values/decimal';
import { parseGuid } from '../values/guid';
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
    await this.store.createMaterial({
      id,
      name: nonEmptyText(MAX_KEY_LENGTH, input.name, 'name'),
      densityGPerCm3: positiveAmount(input.densityGPerCm3, 'densityGPerCm3'),
    });
    return found('material', id, await this.store.material.load(id));
  }

  async updateMaterial(id: string, input: UpdateMaterialInput): Promise<Material> {
    const guid = parseGuid(id, 'id');
    await this.store.updateMaterial(guid, {
      name: given(input.name, (name) => nonEmptyText(MAX_KEY_LENGTH, name, 'name')),
      densityGPerCm3: given(input.densityGPerCm3, (density) => positiveAmount(density, 'densityGPerCm3')),
    });
    return found('material', id, await this.store.material.load(guid));
  }

  async createPrinter(input: CreatePrinterInput, { now, newId }: Moment): Promise<Printer> {
    const id = newId();
    await this.store.createPrinter({
      id,
      name: nonEmptyText(MAX_KEY_LENGTH, input.name, 'name'),
      createdAt: now,
      updatedAt: now,
    });
    return found('printer', id, await this.store.printer.load(id));
  }

  async updatePrinter(id: string, input: UpdatePrinterInput, { now }: Moment): Promise<Printer> {
    const guid = parseGuid(id, 'id');
    await this.store.updatePrinter(guid, {
      name: given(input.name, (name) => nonEmptyText(MAX_KEY_LENGTH, name, 'name')),
      updatedAt: now,
    });
    return found('printer', id, await this.store.printer.load(guid));
  }

  async createSpool(input: CreateSpoolInput, { now, newId }: Moment): Promise<Spool> {
    const id = newId();
    await this.store.createSpool({
      id,
      spoolSerial: nonEmptyText(MAX_KEY_LENGTH, input.spoolSerial, 'spoolSerial'),
      filamentDiameterMm: positiveAmount(input.filamentDiameterMm, 'filamentDiameterMm'),
      weightTotalGrams: amount(input.weightTotalGrams, 'weightTotalGrams'),
      purchasePrice: given(input.purchasePrice, (price) => amount(price, 'purchasePrice')),
      materialId: parseGuid(input.materialId, 'materialId'),
      createdAt: now,
      updatedAt: now,
    });
    return found('spool', id, await this.store.spool.load(id));
  }

  async updateSpool(id: string, input: UpdateSpoolInput, { now }: Moment): Promise<Spool> {
    const guid = parseGuid(id, 'id');
    const price = input.purchasePrice;
    await this.store.updateSpool(guid, {
      spoolSerial: given(input.spoolSerial, (serial) => nonEmptyText(MAX_KEY_LENGTH, serial, 'spoolSerial')),
      filamentDiameterMm: given(input.filamentDiameterMm, (mm) => positiveAmount(mm, 'filamentDiameterMm')),
      weightTotalGrams: given(input.weightTotalGrams, (grams) => amount(grams, 'weightTotalGrams')),
      purchasePrice: price === null ? null : given(price, (value) => amount(value, 'purchasePrice')),
      materialId: given(input.materialId, (material) => parseGuid(material, 'materialId')),
      updatedAt: now,
    });
    return found('spool', id, await this.store.spool.load(guid));
  }
}

/** The checked value, or undefined when none was given. */
function given(value: string | null | undefined, check: (value: string) => string): string | undefined {
  return value == null ? undefined : check(value);
}

function found<Row>(kind: string, id: string, row: Row | null): Row {
  if (row === null) throw new NotFound(`There is no ${kind} ${id}`);
  return row;
}
