// The rules of printers, spools and materials.
import type { Page, PageRange } from '../database/paging';
import type { MaterialRow, PrinterRow, SpoolRow } from '../database/rows';
import { NotFound } from '../errors';
import { amount, positiveAmount } from '../values/decimal';
import { parseGuid } from '../values/guid';
import { NAME_LENGTH, nonEmptyText } from '../values/text';
import type {
  CreateMaterialInput,
  CreatePrinterInput,
  CreateSpoolInput,
  UpdateMaterialInput,
  UpdatePrinterInput,
  UpdateSpoolInput,
} from './inventory.inputs';
import type { InventoryStore } from './inventory.store';

/** The clock and the source of ids of one request. */
interface Moment {
  now: string;
  newId(): string;
}

export class InventoryService {
  constructor(private readonly store: InventoryStore) {}

  async material(id: string): Promise<MaterialRow | null> {
    return this.store.material.load(parseGuid(id, 'id'));
  }

  async printer(id: string): Promise<PrinterRow | null> {
    return this.store.printer.load(parseGuid(id, 'id'));
  }

  async spool(id: string): Promise<SpoolRow | null> {
    return this.store.spool.load(parseGuid(id, 'id'));
  }

  materials(): Promise<MaterialRow[]> {
    return this.store.materials();
  }

  printers(range: PageRange): Promise<Page<PrinterRow>> {
    return this.store.printers(range);
  }

  spools(range: PageRange): Promise<Page<SpoolRow>> {
    return this.store.spools(range);
  }

  async createMaterial(input: CreateMaterialInput, { newId }: Moment): Promise<MaterialRow> {
    const id = newId();
    await this.store.createMaterial({
      id,
      name: nonEmptyText(NAME_LENGTH, input.name, 'name'),
      densityGPerCm3: positiveAmount(input.densityGPerCm3, 'densityGPerCm3'),
    });
    return found('material', id, await this.store.material.load(id));
  }

  async updateMaterial(id: string, input: UpdateMaterialInput): Promise<MaterialRow> {
    const guid = parseGuid(id, 'id');
    await this.store.updateMaterial(guid, {
      name: given(input.name, (name) => nonEmptyText(NAME_LENGTH, name, 'name')),
      densityGPerCm3: given(input.densityGPerCm3, (density) => positiveAmount(density, 'densityGPerCm3')),
    });
    return found('material', id, await this.store.material.load(guid));
  }

  async createPrinter(input: CreatePrinterInput, { now, newId }: Moment): Promise<PrinterRow> {
    const id = newId();
    await this.store.createPrinter({
      id,
      name: nonEmptyText(NAME_LENGTH, input.name, 'name'),
      createdAt: now,
      updatedAt: now,
    });
    return found('printer', id, await this.store.printer.load(id));
  }

  async updatePrinter(id: string, input: UpdatePrinterInput, { now }: Moment): Promise<PrinterRow> {
    const guid = parseGuid(id, 'id');
    await this.store.updatePrinter(guid, {
      name: given(input.name, (name) => nonEmptyText(NAME_LENGTH, name, 'name')),
      updatedAt: now,
    });
    return found('printer', id, await this.store.printer.load(guid));
  }

  async createSpool(input: CreateSpoolInput, { now, newId }: Moment): Promise<SpoolRow> {
    const id = newId();
    await this.store.createSpool({
      id,
      spoolSerial: nonEmptyText(NAME_LENGTH, input.spoolSerial, 'spoolSerial'),
      filamentDiameterMm: positiveAmount(input.filamentDiameterMm, 'filamentDiameterMm'),
      weightTotalGrams: amount(input.weightTotalGrams, 'weightTotalGrams'),
      purchasePrice: given(input.purchasePrice, (price) => amount(price, 'purchasePrice')),
      materialId: parseGuid(input.materialId, 'materialId'),
      createdAt: now,
      updatedAt: now,
    });
    return found('spool', id, await this.store.spool.load(id));
  }

  async updateSpool(id: string, input: UpdateSpoolInput, { now }: Moment): Promise<SpoolRow> {
    const guid = parseGuid(id, 'id');
    const price = input.purchasePrice;
    await this.store.updateSpool(guid, {
      spoolSerial: given(input.spoolSerial, (serial) => nonEmptyText(NAME_LENGTH, serial, 'spoolSerial')),
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
