// Decides what a row of an imported list of spools does.
import Decimal from 'decimal.js';
import { BadInput } from '../../errors';
import { readAmount } from '../../values/decimal';
import type { Context } from '../graph/context';
import type { Filament } from '../inventory/filament.types';
import type { NewSpool, SpoolRow, SpoolTexts, StoredSpool } from '../inventory/inventory.rows';
import { buildSpool, parseSpoolChanges } from '../inventory/inventory.service';
import type { NewAdjustment } from './adjustment.rows';
import { createWeighing, type Ledger } from './adjustment.service';
import type { PrintingJob } from './adjustment.store';
import type { RowFaults } from './row-faults';
import { listTextsShownAsDate } from './spreadsheet-dates';
import { SPOOL_COLUMNS, SPOOL_COLUMNS_TO_READ, toStoredTexts } from './stock-columns';
import type { ImportColumns, ImportFile, ImportRow, Texts } from './stock-import.file';
import type { ImportMaterials } from './stock-import.materials';
import { addEmpty, type RowRules, refuseEmpty } from './stock-import.rules';
import type { StockImportChange } from './stock-import.types';

export const IMPORTED_SPOOLS: ImportColumns = {
  read: SPOOL_COLUMNS,
  skipped: SPOOL_COLUMNS_TO_READ,
  keys: ['number', 'spoolSerial'],
};
/** Columns whose empty cells a new spool fills from its filament. */
const COLUMNS_TAKEN_FROM_FILAMENT = [
  'material',
  'colorHex',
  'vendor',
  'filamentDiameterMm',
  'weightTotalGrams',
  'purchasePrice',
] as const;

/** A serial of digits without the zeros at its start, which spreadsheets leave out; undefined if the serial is not a number. */
export const removeLeadingZeros = (serial: string): string | undefined => /^0*([1-9]\d*)$/.exec(serial)?.[1];

/** Columns that a new spool without a filament must have. */
const REQUIRED = ['material', 'filamentDiameterMm', 'weightTotalGrams'];

type ExistingSpool = StoredSpool & { number: number };

/** What the database holds of the spools and filaments that the rows of a file name. */
export interface SpoolsOfFile {
  spools: readonly (SpoolRow & SpoolTexts)[];
  filaments: readonly Filament[];
  /** The grams left, by the ids of the spools that the file weighs. */
  remaining: ReadonlyMap<string, string>;
  /** The net weight of the latest weighing or starting weight, by the ids of these spools. */
  weighed: Record<string, string>;
  printing: Record<string, PrintingJob[]>;
}

export class SpoolRules implements RowRules<ExistingSpool, NewSpool> {
  readonly columns = IMPORTED_SPOOLS;
  readonly sameKey =
    'the same spoolSerial, which identifies a spool: number the serials, such as A-1 and A-2, or remove one of the two lines';
  readonly weighings: NewAdjustment[] = [];
  private readonly byNumber = new Map<number, ExistingSpool>();
  private readonly bySerial = new Map<string, ExistingSpool>();
  private readonly bySerialNumber = new Map<string, ExistingSpool[]>();
  private readonly filaments = new Map<string | number, Filament>();

  constructor(
    private readonly file: ImportFile,
    private readonly found: SpoolsOfFile,
    private readonly materials: ImportMaterials,
    private readonly ledger: Pick<Ledger, 'prints'>,
    private readonly context: Context,
  ) {
    for (const { material, ...spool } of found.spools) {
      const existing = { ...spool, materialId: material.id };
      this.byNumber.set(existing.number, existing);
      this.bySerial.set(existing.spoolSerial, existing);
      const serialNumber = removeLeadingZeros(existing.spoolSerial);
      if (serialNumber !== undefined)
        this.bySerialNumber.set(serialNumber, [...(this.bySerialNumber.get(serialNumber) ?? []), existing]);
    }
    for (const filament of found.filaments) this.filaments.set(filament.id, filament).set(filament.number, filament);
  }

  find(row: ImportRow): ExistingSpool | null {
    const number = this.file.numberIn(row, 'number');
    if (number !== null) {
      const existing = this.byNumber.get(number);
      if (existing === undefined)
        throw new BadInput(`There is no spool #${number}: leave the number of a new spool empty`);
      return existing;
    }
    const serial = row.cells['spoolSerial'] ?? '';
    if (serial.trim() === '') throw new BadInput('The row must have a number or a spoolSerial');
    const names = this.file.possibleNames(serial);
    const known = names.find((name) => this.bySerial.has(name));
    if (known !== undefined) return this.bySerial.get(known) ?? null;
    const [match = null, ...otherMatches] = this.findChangedSerial(names[0] ?? '');
    if (match !== null && otherMatches.length > 0)
      throw new BadInput(
        `"${names[0]}" can be the spool ${match.spoolSerial} or ${otherMatches[0]?.spoolSerial}: add the column number`,
        'spoolSerial',
      );
    return match;
  }

  /** The spools whose serial a spreadsheet would show as this cell. */
  private findChangedSerial(cell: string): ExistingSpool[] {
    const ofNumber = this.bySerialNumber.get(removeLeadingZeros(cell) ?? '') ?? [];
    return [...ofNumber, ...listTextsShownAsDate(cell).flatMap((serial) => this.bySerial.get(serial) ?? [])];
  }

  nameOf = ({ spoolSerial }: ExistingSpool | NewSpool) => spoolSerial;
  keyOf = this.nameOf;
  nameIn = ({ cells }: ImportRow) => this.file.possibleNames(cells['spoolSerial'] ?? '')[0] ?? '';

  toTexts(spool: ExistingSpool | NewSpool): Texts {
    const texts = toStoredTexts(SPOOL_COLUMNS, {
      number: null,
      ...spool,
      filament: this.filaments.get(spool.filamentId ?? '') ?? null,
      material: { name: this.materials.findById(spool.materialId)?.name ?? '' },
    });
    return { ...texts, weighedGrams: this.found.weighed[spool.id] ?? this.found.remaining.get(spool.id) ?? null };
  }

  refuseTaken({ id, spoolSerial }: ExistingSpool | NewSpool): void {
    const owner = this.bySerial.get(spoolSerial);
    if (owner !== undefined && owner.id !== id)
      throw new BadInput(`is taken by the spool #${owner.number}`, 'spoolSerial');
  }

  createNew(texts: Texts, faults: RowFaults): NewSpool | undefined {
    const filament = faults.collect(() => this.findFilament(texts['filamentNumber'], null));
    // If the filament cannot be found, nothing is known of what the spool takes from it.
    const isFilamentUnknown = faults.has('filamentNumber');
    if (filament == null && !isFilamentUnknown)
      faults.collect(() =>
        refuseEmpty(addEmpty(REQUIRED, texts), REQUIRED, 'is missing: enter it, or give the spool a filamentNumber'),
      );
    const input = {
      spoolSerial: texts['spoolSerial'] ?? '',
      materialId: faults.collect(() => this.materials.findId(texts['material'], null)),
      ...selectPlainMembers(texts),
      remainingGrams: texts['weighedGrams'],
    };
    return isFilamentUnknown
      ? void faults.collect(() => parseSpoolChanges(input, 'input'))
      : faults.collect(() => buildSpool(input, filament ?? null, this.context));
  }

  readChanges(existing: ExistingSpool, given: Texts, faults: RowFaults): Partial<ExistingSpool> {
    const filament =
      given['filamentNumber'] === undefined
        ? this.filaments.get(existing.filamentId ?? '')
        : faults.collect(() => this.findFilament(given['filamentNumber'], existing.filamentId));
    const texts = { ...given };
    // An empty cell removes a value, unless the spool has the value of its filament. Such a list leaves the value to the filament.
    if (filament != null) {
      const [current, inherited] = [this.toTexts(existing), this.textsOfFilament(filament)];
      for (const column of COLUMNS_TAKEN_FROM_FILAMENT)
        if (texts[column] === null && current[column] === inherited[column]) delete texts[column];
    }
    faults.collect(() => refuseEmpty(texts, ['spoolSerial', 'material', 'filamentDiameterMm', 'weightTotalGrams']));
    const input = {
      spoolSerial: texts['spoolSerial'],
      ...(texts['filamentNumber'] !== undefined && { filamentId: filament?.id ?? null }),
      materialId: faults.collect(() => this.materials.findId(texts['material'], existing.materialId)),
      ...selectPlainMembers(texts),
    };
    return (faults.collect(() => parseSpoolChanges(input, 'input')) ?? {}) as Partial<ExistingSpool>;
  }

  /**
   * Adds a weighing, unless the cell shows the grams that are left now. A cell with the grams of the latest weighing or starting weight adds no
   * weighing either, because the same list may be imported again after prints have used the spool.
   */
  async decideFurtherChanges(existing: ExistingSpool, texts: Texts): Promise<StockImportChange[]> {
    if (texts['weighedGrams'] == null) return [];
    const netGrams = readAmount(texts['weighedGrams'], 'weighedGrams');
    const latest = this.found.weighed[existing.id];
    if (latest !== undefined && new Decimal(latest).eq(netGrams)) return [];
    const from = this.found.remaining.get(existing.id) ?? null;
    // If the row also changes the net weight of the full spool, the grams left change with it, so the weighing is needed.
    const keepsNetWeight = (texts['weightTotalGrams'] ?? existing.weightTotalGrams) === existing.weightTotalGrams;
    if (keepsNetWeight && from !== null && new Decimal(from).eq(netGrams)) return [];
    const measured = { netGrams, grossGrams: null, tareGrams: null, note: null };
    const jobs = this.found.printing[existing.id] ?? [];
    this.weighings.push(await createWeighing(this.ledger, existing.id, measured, jobs, this.context));
    return [{ column: 'weighedGrams', from, to: netGrams }];
  }

  listFurtherChangesOfNew({ remainingGrams }: NewSpool): StockImportChange[] {
    return remainingGrams === null ? [] : [{ column: 'weighedGrams', from: null, to: remainingGrams }];
  }

  /** The forms of the dashboard ask the same (full-spool-question.ts). */
  describeWarning(
    { weightTotalGrams }: ExistingSpool | NewSpool,
    changes: readonly StockImportChange[],
  ): string | null {
    const weighed = changes.find(({ column }) => column === 'weighedGrams')?.to;
    if (weighed == null || !new Decimal(weighed).gt(weightTotalGrams)) return null;
    return `weighedGrams ${weighed} is more than a full spool (${weightTotalGrams} g)`;
  }

  private findFilament(number: string | null | undefined, existingId: string | null): Filament | null {
    if (number == null) return null;
    const filament = this.filaments.get(Number(number));
    if (filament === undefined)
      throw new BadInput(`must be the number of a filament: there is no #${number}`, 'filamentNumber');
    if (filament.archivedAt !== null && filament.id !== existingId)
      throw new BadInput(`must be the number of a filament in use: #${number} is archived`, 'filamentNumber');
    return filament;
  }

  private textsOfFilament(filament: Filament): Record<(typeof COLUMNS_TAKEN_FROM_FILAMENT)[number], string | null> {
    const { material, colorHex, vendor, filamentDiameterMm, weightTotalGrams, purchasePrice } = filament;
    return { material: material.name, colorHex, vendor, filamentDiameterMm, weightTotalGrams, purchasePrice };
  }
}

const selectPlainMembers = (texts: Texts) => ({
  colorHex: texts['colorHex'],
  vendor: texts['vendor'],
  filamentDiameterMm: texts['filamentDiameterMm'],
  weightTotalGrams: texts['weightTotalGrams'],
  tareGrams: texts['tareGrams'],
  purchasePrice: texts['purchasePrice'],
  place: texts['place'],
  lotNumber: texts['lotNumber'],
  comment: texts['comment'],
});
