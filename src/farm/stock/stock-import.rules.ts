// What a row of a CSV file does: the same for spools and filaments. The rows are decided here, and nothing is written.
import { BadInput, InputError, inWords } from '../../errors';
import type { Context } from '../graph/context';
import type { Material } from '../inventory/inventory.types';
import type { ImportColumns, ImportFile, ImportRow, Texts } from './stock-import.file';
import type { StockImportChange, StockImportRow } from './stock-import.types';

interface Stored {
  id: string;
  archivedAt: string | null;
  materialId: string;
}

/** The columns of members that have another name in the inputs of mutations. */
const COLUMNS: Record<string, string> = {
  materialId: 'material',
  filamentId: 'filamentNumber',
  remainingGrams: 'weighedGrams',
};

/** A row `Kept` is one that is stored; a row `New` is to be added. */
export abstract class ImportRules<Kept extends Stored, New extends Stored> {
  readonly created: New[] = [];
  readonly changed: Kept[] = [];
  /** The lines of the rows before, by what they are about. */
  private readonly lines = new Map<string, number>();
  private readonly materials = new Map<string, Material>();

  constructor(
    protected readonly file: ImportFile,
    private readonly columns: ImportColumns,
    protected readonly context: Context,
    materials: readonly Material[],
  ) {
    for (const material of materials) this.materials.set(material.name, material).set(material.id, material);
  }

  /** Null for a row that is new. */
  protected abstract find(row: ImportRow): Kept | null;
  protected abstract numberOf(kept: Kept): number;
  protected abstract nameOf(one: Kept | New): string;
  /** No two have the same. */
  protected abstract keyOf(one: Kept | New): string;
  /** The name of a row that may be refused. */
  protected abstract nameIn(row: ImportRow): string;
  protected abstract textsOf(one: Kept | New): Texts;
  /** Throws where another one has its name. */
  protected abstract refuseTaken(one: Kept | New): void;
  protected abstract add(texts: Texts): New;
  protected abstract change(kept: Kept, texts: Texts): Partial<Kept>;
  /** What else a row changes of one that is stored. */
  protected alsoOf(_kept: Kept, _texts: Texts): Promise<StockImportChange[]> {
    return Promise.resolve([]);
  }
  /** What else a row says of one that is new. */
  protected alsoOfNew(_added: New): StockImportChange[] {
    return [];
  }

  async decide(row: ImportRow): Promise<StockImportRow> {
    let kept: Kept | null = null;
    try {
      kept = this.find(row);
      return await (kept === null ? this.decideNew(row) : this.decideKept(kept, row));
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      return {
        line: row.line,
        action: 'REFUSED',
        number: kept && this.numberOf(kept),
        name: kept === null ? this.nameIn(row) : this.nameOf(kept),
        reason: inWords(error.issues, (member) => COLUMNS[member] ?? member),
        changes: [],
      };
    }
  }

  private decideNew(row: ImportRow): StockImportRow {
    const texts = this.file.read(row, {});
    const made = this.add(texts);
    const added = { ...made, archivedAt: texts['archived'] === 'true' ? this.context.now : null };
    this.refuseTaken(added);
    this.refuseDouble(row, `new ${this.keyOf(added)}`);
    this.created.push(added);
    const changes = this.changesBetween({ archived: 'false' }, this.textsOf(added));
    return {
      line: row.line,
      action: 'CREATE',
      number: null,
      name: this.nameOf(added),
      reason: null,
      changes: [...changes, ...this.alsoOfNew(added)],
    };
  }

  private async decideKept(kept: Kept, row: ImportRow): Promise<StockImportRow> {
    this.refuseDouble(row, kept.id);
    const before = this.textsOf(kept);
    const texts = this.file.read(row, before);
    const { archived } = texts;
    const archivedAt = archived === 'true' ? (kept.archivedAt ?? this.context.now) : null;
    const after: Kept = {
      ...kept,
      ...given(this.change(kept, texts)),
      ...(archived !== undefined && { archivedAt }),
    };
    const changes = this.changesBetween(before, this.textsOf(after));
    if (changes.length > 0) {
      this.refuseTaken(after);
      if (this.keyOf(after) !== this.keyOf(kept)) this.refuseDouble(row, `new ${this.keyOf(after)}`);
    }
    const also = await this.alsoOf(kept, texts);
    if (changes.length > 0) this.changed.push(after);
    return {
      line: row.line,
      action: changes.length + also.length > 0 ? 'UPDATE' : 'SAME',
      number: this.numberOf(kept),
      name: this.nameOf(kept),
      reason: null,
      changes: [...changes, ...also],
    };
  }

  private changesBetween(before: Texts, after: Texts): StockImportChange[] {
    return Object.keys(this.columns.read).flatMap((column) => {
      const [from, to] = [before[column] ?? null, after[column] ?? null];
      return from === to ? [] : [{ column, from, to }];
    });
  }

  private refuseDouble({ line }: ImportRow, what: string): void {
    const before = this.lines.get(what);
    if (before !== undefined) throw new BadInput(`Line ${before} is about the same one`);
    this.lines.set(what, line);
  }

  /** @param kept the material that it has already may be out of use */
  protected materialId(name: string | null | undefined, kept: string | null): string | undefined {
    if (name == null) return undefined;
    const material = this.materials.get(name);
    if (material === undefined || material.name !== name) {
      const names = [...new Set(this.materials.values())].filter(({ archivedAt }) => archivedAt === null);
      throw new BadInput(`must be the name of a material, not ${name}: there is ${namesOf(names)}`, 'material');
    }
    if (material.archivedAt !== null && material.id !== kept)
      throw new BadInput(`must be a material in use: ${name} is archived`, 'material');
    return material.id;
  }

  protected materialName(id: string): string | null {
    return this.materials.get(id)?.name ?? null;
  }
}

/** Beside it, the columns that may not be empty. */
export function refuseEmpty(texts: Texts, columns: readonly string[], message = 'must not be empty'): void {
  const empty = columns.filter((column) => texts[column] === null);
  if (empty.length > 0) throw new BadInput(empty.map((column) => ({ path: [column], message })));
}

/** For people: not hundreds. */
const MAX_NAMES = 20;
const namesOf = (materials: readonly Material[]) =>
  materials.length === 0
    ? 'none'
    : materials
        .slice(0, MAX_NAMES)
        .map(({ name }) => name)
        .join(', ') + (materials.length > MAX_NAMES ? ', …' : '');

/** Without the members that were not given. */
function given<Members extends object>(members: Members): Members {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Members;
}
