// What a row of a file of filaments does.
import { BadInput } from '../../errors';
import type { Context } from '../graph/context';
import { changedFilament, newFilament } from '../inventory/filament.service';
import type { Filament } from '../inventory/filament.types';
import type { StoredFilament } from '../inventory/inventory.rows';
import type { Material } from '../inventory/inventory.types';
import type { ImportColumns, ImportFile, ImportRow, Texts } from './stock-import.file';
import { ImportRules, refuseEmpty } from './stock-import.rules';

export const IMPORTED_FILAMENT_COLUMNS: ImportColumns = {
  read: {
    number: 'number',
    name: 'text',
    vendor: 'text',
    material: 'text',
    colorHex: 'text',
    filamentDiameterMm: 'decimal',
    weightTotalGrams: 'decimal',
    tareGrams: 'decimal',
    purchasePrice: 'decimal',
    articleNumber: 'text',
    minimumGrams: 'decimal',
    archived: 'flag',
  },
  readingAlone: ['spools', 'remainingGrams', 'plannedGrams', 'isLow'],
  keys: ['number', 'name'],
};

type Kept = StoredFilament & { number: number };

/** What the rows of a file name. */
export interface FilamentsOfFile {
  filaments: readonly Filament[];
  materials: readonly Material[];
}

export class FilamentRules extends ImportRules<Kept, StoredFilament> {
  private readonly byNumber = new Map<number, Kept>();
  private readonly byName = new Map<string, Kept>();

  constructor(file: ImportFile, found: FilamentsOfFile, context: Context) {
    super(file, IMPORTED_FILAMENT_COLUMNS, context, found.materials);
    for (const { material, ...filament } of found.filaments) {
      const kept = { ...filament, materialId: material.id };
      this.byNumber.set(kept.number, kept);
      this.byName.set(this.keyOf(kept), kept);
    }
  }

  protected find(row: ImportRow): Kept | null {
    const number = this.file.numberIn(row, 'number');
    if (number !== null) {
      const kept = this.byNumber.get(number);
      if (kept === undefined)
        throw new BadInput(`There is no filament #${number}: leave the number of a new one empty`);
      return kept;
    }
    const { name = '', vendor = '' } = row.cells;
    if (name === '') throw new BadInput('The row must have a number or a name');
    const keys = this.file
      .namesOf(name)
      .flatMap((one) => this.file.namesOf(vendor).map((maker) => this.keyOf({ name: one, vendor: maker || null })));
    const known = keys.find((key) => this.byName.has(key));
    return known === undefined ? null : (this.byName.get(known) ?? null);
  }

  protected numberOf = ({ number }: Kept) => number;
  protected nameOf = ({ vendor, name }: StoredFilament) => [vendor, name].filter(Boolean).join(' ');
  protected keyOf = ({ vendor, name }: Pick<StoredFilament, 'vendor' | 'name'>) => JSON.stringify([vendor, name]);
  protected nameIn = ({ cells }: ImportRow) =>
    [cells['vendor'], cells['name']].flatMap((cell) => (cell ? [this.file.namesOf(cell)[0]] : [])).join(' ');

  protected textsOf(filament: StoredFilament): Texts {
    return {
      number: 'number' in filament ? String(filament.number) : null,
      name: filament.name,
      vendor: filament.vendor,
      material: this.materialName(filament.materialId),
      colorHex: filament.colorHex,
      filamentDiameterMm: filament.filamentDiameterMm,
      weightTotalGrams: filament.weightTotalGrams,
      tareGrams: filament.tareGrams,
      purchasePrice: filament.purchasePrice,
      articleNumber: filament.articleNumber,
      minimumGrams: filament.minimumGrams,
      archived: String(filament.archivedAt !== null),
    };
  }

  protected refuseTaken(filament: StoredFilament): void {
    const other = this.byName.get(this.keyOf(filament));
    if (other !== undefined && other.id !== filament.id)
      throw new BadInput(`is taken by the filament #${other.number} of this vendor`, 'name');
  }

  protected add(texts: Texts): StoredFilament {
    refuseEmpty(withRequired(texts), REQUIRED, 'must be given for a new filament');
    return newFilament(this.inputOf(texts, null) as Parameters<typeof newFilament>[0], this.context);
  }

  protected change(kept: Kept, texts: Texts): Partial<Kept> {
    refuseEmpty(texts, REQUIRED);
    return changedFilament(this.inputOf(texts, kept.materialId), 'input') as Partial<Kept>;
  }

  private inputOf(texts: Texts, keptMaterial: string | null) {
    return {
      name: texts['name'],
      vendor: texts['vendor'],
      materialId: this.materialId(texts['material'], keptMaterial),
      colorHex: texts['colorHex'],
      filamentDiameterMm: texts['filamentDiameterMm'],
      weightTotalGrams: texts['weightTotalGrams'],
      tareGrams: texts['tareGrams'],
      purchasePrice: texts['purchasePrice'],
      articleNumber: texts['articleNumber'],
      minimumGrams: texts['minimumGrams'],
    };
  }
}

const REQUIRED = ['name', 'material', 'filamentDiameterMm', 'weightTotalGrams'];
/** A column that is left out is empty for one that is new. */
const withRequired = (texts: Texts): Texts =>
  Object.fromEntries(REQUIRED.map((column) => [column, texts[column] ?? null]));
