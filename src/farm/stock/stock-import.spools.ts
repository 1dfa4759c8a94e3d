// What a row of a file of spools does.
import Decimal from 'decimal.js';
import { BadInput } from '../../errors';
import { amount } from '../../values/decimal';
import type { Context } from '../graph/context';
import type { Filament } from '../inventory/filament.types';
import type { NewSpool, SpoolRow, StoredSpool } from '../inventory/inventory.rows';
import { changedSpool, newSpool } from '../inventory/inventory.service';
import type { Material } from '../inventory/inventory.types';
import type { NewAdjustment } from './adjustment.rows';
import { type Ledger, weighing } from './adjustment.service';
import type { PrintingJob } from './adjustment.store';
import type { ImportColumns, ImportFile, ImportRow, Texts } from './stock-import.file';
import { ImportRules, refuseEmpty } from './stock-import.rules';
import type { StockImportChange } from './stock-import.types';

export const SPOOL_COLUMNS: ImportColumns = {
  read: {
    number: 'number',
    spoolSerial: 'text',
    filamentNumber: 'number',
    material: 'text',
    colorHex: 'text',
    vendor: 'text',
    filamentDiameterMm: 'decimal',
    weightTotalGrams: 'decimal',
    tareGrams: 'decimal',
    purchasePrice: 'decimal',
    place: 'text',
    archived: 'flag',
    weighedGrams: 'decimal',
  },
  readingAlone: ['filament', 'remainingGrams', 'usedGrams', 'plannedGrams', 'loadedIn'],
  keys: ['number', 'spoolSerial'],
};
/** A new spool takes them from its filament, where the row leaves them out. */
const OF_FILAMENT = [
  'material',
  'colorHex',
  'vendor',
  'filamentDiameterMm',
  'weightTotalGrams',
  'purchasePrice',
] as const;

type Kept = StoredSpool & { number: number };

/** What the rows of a file name. */
export interface SpoolsOfFile {
  spools: readonly SpoolRow[];
  filaments: readonly Filament[];
  materials: readonly Material[];
  /** By the ids of spools that the file weighs. */
  remaining: ReadonlyMap<string, string>;
  printing: Record<string, PrintingJob[]>;
}

export class SpoolRules extends ImportRules<Kept, NewSpool> {
  readonly weighings: NewAdjustment[] = [];
  private readonly byNumber = new Map<number, Kept>();
  private readonly bySerial = new Map<string, Kept>();
  private readonly filaments = new Map<string | number, Filament>();

  constructor(
    file: ImportFile,
    private readonly found: SpoolsOfFile,
    private readonly ledger: Pick<Ledger, 'usedSoFar'>,
    context: Context,
  ) {
    super(file, SPOOL_COLUMNS, context, found.materials);
    for (const { material, ...spool } of found.spools) {
      const kept = { ...spool, materialId: material.id };
      this.byNumber.set(kept.number, kept);
      this.bySerial.set(kept.spoolSerial, kept);
    }
    for (const filament of found.filaments) this.filaments.set(filament.id, filament).set(filament.number, filament);
  }

  protected find(row: ImportRow): Kept | null {
    const number = this.file.numberIn(row, 'number');
    if (number !== null) {
      const kept = this.byNumber.get(number);
      if (kept === undefined) throw new BadInput(`There is no spool #${number}: leave the number of a new one empty`);
      return kept;
    }
    const serial = row.cells['spoolSerial'] ?? '';
    if (serial === '') throw new BadInput('The row must have a number or a spoolSerial');
    const known = this.file.namesOf(serial).find((name) => this.bySerial.has(name));
    return known === undefined ? null : (this.bySerial.get(known) ?? null);
  }

  protected numberOf = ({ number }: Kept) => number;
  protected nameOf = ({ spoolSerial }: Kept | NewSpool) => spoolSerial;
  protected keyOf = this.nameOf;
  protected nameIn = ({ cells }: ImportRow) => this.file.namesOf(cells['spoolSerial'] ?? '')[0] ?? '';

  protected textsOf(spool: Kept | NewSpool): Texts {
    return {
      number: 'number' in spool ? String(spool.number) : null,
      spoolSerial: spool.spoolSerial,
      filamentNumber: numberText(spool.filamentId === null ? undefined : this.filaments.get(spool.filamentId)),
      material: this.materialName(spool.materialId),
      colorHex: spool.colorHex,
      vendor: spool.vendor,
      filamentDiameterMm: spool.filamentDiameterMm,
      weightTotalGrams: spool.weightTotalGrams,
      tareGrams: spool.tareGrams,
      purchasePrice: spool.purchasePrice,
      place: spool.place,
      archived: String(spool.archivedAt !== null),
    };
  }

  protected refuseTaken({ id, spoolSerial }: Kept | NewSpool): void {
    const other = this.bySerial.get(spoolSerial);
    if (other !== undefined && other.id !== id)
      throw new BadInput(`is taken by the spool #${other.number}`, 'spoolSerial');
  }

  protected add(texts: Texts): NewSpool {
    const filament = this.filamentNumbered(texts['filamentNumber'], null);
    return newSpool(
      {
        spoolSerial: texts['spoolSerial'] ?? '',
        materialId: this.materialId(texts['material'], null),
        ...plainMembers(texts),
        remainingGrams: texts['weighedGrams'],
      },
      filament,
      this.context,
    );
  }

  protected change(kept: Kept, given: Texts): Partial<Kept> {
    const filament =
      given['filamentNumber'] === undefined
        ? this.filaments.get(kept.filamentId ?? '')
        : this.filamentNumbered(given['filamentNumber'], kept.filamentId);
    const texts = { ...given };
    // An empty cell that a new spool would fill from its filament says what it has from there.
    if (filament != null) {
      const [own, taken] = [this.textsOf(kept), this.textsOfFilament(filament)];
      for (const column of OF_FILAMENT)
        if (texts[column] === null && own[column] === taken[column]) delete texts[column];
    }
    refuseEmpty(texts, ['spoolSerial', 'material', 'filamentDiameterMm', 'weightTotalGrams']);
    return changedSpool(
      {
        spoolSerial: texts['spoolSerial'],
        ...(texts['filamentNumber'] !== undefined && { filamentId: filament?.id ?? null }),
        materialId: this.materialId(texts['material'], kept.materialId),
        ...plainMembers(texts),
      },
      'input',
    ) as Partial<Kept>;
  }

  /** A weighing that says what is left already is none. */
  protected override async alsoOf(kept: Kept, texts: Texts): Promise<StockImportChange[]> {
    if (texts['weighedGrams'] == null) return [];
    const netGrams = amount(texts['weighedGrams'], 'weighedGrams');
    const from = this.found.remaining.get(kept.id) ?? null;
    // Without a weighing, another weight of the new spool changes what is left.
    const isSaid = (texts['weightTotalGrams'] ?? kept.weightTotalGrams) === kept.weightTotalGrams;
    if (isSaid && from !== null && new Decimal(from).eq(netGrams)) return [];
    const measured = { netGrams, grossGrams: null, tareGrams: null, note: null };
    const jobs = this.found.printing[kept.id] ?? [];
    this.weighings.push(await weighing(this.ledger, kept.id, measured, jobs, this.context));
    return [{ column: 'weighedGrams', from, to: netGrams }];
  }

  protected override alsoOfNew({ remainingGrams }: NewSpool): StockImportChange[] {
    return remainingGrams === null ? [] : [{ column: 'weighedGrams', from: null, to: remainingGrams }];
  }

  private filamentNumbered(number: string | null | undefined, keptId: string | null): Filament | null {
    if (number == null) return null;
    const filament = this.filaments.get(Number(number));
    if (filament === undefined)
      throw new BadInput(`must be the number of a filament: there is no #${number}`, 'filamentNumber');
    if (filament.archivedAt !== null && filament.id !== keptId)
      throw new BadInput(`must be the number of a filament in use: #${number} is archived`, 'filamentNumber');
    return filament;
  }

  private textsOfFilament({ material, ...filament }: Filament): Texts {
    return { ...filament, number: String(filament.number), material: material.name };
  }
}

const numberText = (filament: Filament | undefined) => (filament === undefined ? null : String(filament.number));

const plainMembers = (texts: Texts) => ({
  colorHex: texts['colorHex'],
  vendor: texts['vendor'],
  filamentDiameterMm: texts['filamentDiameterMm'],
  weightTotalGrams: texts['weightTotalGrams'],
  tareGrams: texts['tareGrams'],
  purchasePrice: texts['purchasePrice'],
  place: texts['place'],
});
