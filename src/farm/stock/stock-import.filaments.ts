// Decides what a row of an imported list of filaments does.
import { BadInput } from '../../errors';
import type { Context } from '../graph/context';
import { buildFilament, parseFilamentChanges } from '../inventory/filament.service';
import type { Filament } from '../inventory/filament.types';
import type { StoredFilament } from '../inventory/inventory.rows';
import type { RowFaults } from './row-faults';
import { FILAMENT_COLUMNS, FILAMENT_COLUMNS_TO_READ, toStoredTexts } from './stock-columns';
import type { ImportColumns, ImportFile, ImportRow, Texts } from './stock-import.file';
import type { ImportMaterials } from './stock-import.materials';
import { addEmpty, type RowRules, refuseEmpty } from './stock-import.rules';

export const IMPORTED_FILAMENTS: ImportColumns = {
  read: FILAMENT_COLUMNS,
  skipped: FILAMENT_COLUMNS_TO_READ,
  keys: ['number', 'name'],
};
const REQUIRED = ['name', 'material', 'filamentDiameterMm', 'weightTotalGrams'];

type ExistingFilament = StoredFilament & { number: number };

export class FilamentRules implements RowRules<ExistingFilament, StoredFilament> {
  readonly columns = IMPORTED_FILAMENTS;
  readonly sameKey =
    'the same vendor and name, which identify a filament: add the colour or the diameter to the name, or remove one of the two lines';
  private readonly byNumber = new Map<number, ExistingFilament>();
  private readonly byName = new Map<string, ExistingFilament>();

  /** @param filaments the stored filaments that the rows of the file name */
  constructor(
    private readonly file: ImportFile,
    filaments: readonly Filament[],
    private readonly materials: ImportMaterials,
    private readonly context: Context,
  ) {
    for (const { material, ...filament } of filaments) {
      const existing = { ...filament, materialId: material.id };
      this.byNumber.set(existing.number, existing);
      this.byName.set(this.keyOf(existing), existing);
    }
  }

  find(row: ImportRow): ExistingFilament | null {
    const number = this.file.numberIn(row, 'number');
    if (number !== null) {
      const existing = this.byNumber.get(number);
      if (existing === undefined)
        throw new BadInput(`There is no filament #${number}: leave the number of a new filament empty`);
      return existing;
    }
    const { name = '', vendor = '' } = row.cells;
    if (name.trim() === '') throw new BadInput('The row must have a number or a name');
    const keys = this.file
      .possibleNames(name)
      .flatMap((possibleName) =>
        this.file.possibleNames(vendor).map((maker) => this.keyOf({ name: possibleName, vendor: maker || null })),
      );
    const known = keys.find((key) => this.byName.has(key));
    return known === undefined ? null : (this.byName.get(known) ?? null);
  }

  nameOf = ({ vendor, name }: StoredFilament) => [vendor, name].filter(Boolean).join(' ');
  keyOf = ({ vendor, name }: Pick<StoredFilament, 'vendor' | 'name'>) => JSON.stringify([vendor, name]);
  nameIn = ({ cells }: ImportRow) =>
    [cells['vendor'], cells['name']].flatMap((cell) => (cell ? [this.file.possibleNames(cell)[0]] : [])).join(' ');

  toTexts(filament: StoredFilament | ExistingFilament): Texts {
    return toStoredTexts(FILAMENT_COLUMNS, {
      number: null,
      ...filament,
      material: { name: this.materials.findById(filament.materialId)?.name ?? '' },
    });
  }

  refuseTaken(filament: StoredFilament): void {
    const owner = this.byName.get(this.keyOf(filament));
    if (owner !== undefined && owner.id !== filament.id)
      throw new BadInput(`is taken by the filament #${owner.number} of this vendor`, 'name');
  }

  createNew(texts: Texts, faults: RowFaults): StoredFilament | undefined {
    faults.collect(() => refuseEmpty(addEmpty(REQUIRED, texts), REQUIRED, 'is missing'));
    const materialId = faults.collect(() => this.materials.findId(texts['material'], null));
    const input = { ...selectMembers(texts), materialId } as Parameters<typeof buildFilament>[0];
    return faults.collect(() => buildFilament(input, this.context));
  }

  readChanges(existing: ExistingFilament, texts: Texts, faults: RowFaults): Partial<ExistingFilament> {
    faults.collect(() => refuseEmpty(texts, REQUIRED));
    const materialId = faults.collect(() => this.materials.findId(texts['material'], existing.materialId));
    const changes = faults.collect(() => parseFilamentChanges({ ...selectMembers(texts), materialId }, 'input'));
    return (changes ?? {}) as Partial<ExistingFilament>;
  }
}

const selectMembers = ({ material: _material, number: _number, archived: _archived, ...members }: Texts) => members;
