// What a row of a list does, for spools and filaments alike. The rows are decided here, and nothing is written.
import { BadInput, InputError, inWords } from '../../errors';
import type { RequestTime } from '../../values/request-time';
import type { ImportColumns, ImportFile, ImportRow, Texts } from './stock-import.file';
import type { StockImportChange, StockImportRow } from './stock-import.types';

interface StoredRow {
  archivedAt: string | null;
}

/** A spool or filament that is stored. */
interface ExistingRow extends StoredRow {
  id: string;
  number: number;
}

/** What differs between spools and filaments. */
export interface RowRules<Existing extends ExistingRow, New extends StoredRow> {
  columns: ImportColumns;
  /** Null for a row that is new. */
  find(row: ImportRow): Existing | null;
  nameOf(one: Existing | New): string;
  /** No two have the same. */
  keyOf(one: Existing | New): string;
  /** The name of a row that may be refused. */
  nameIn(row: ImportRow): string;
  /** Why two rows cannot have the same key, and what to do. */
  sameKey: string;
  toTexts(one: Existing | New): Texts;
  /** Throws where another one has its name. */
  refuseTaken(one: Existing | New): void;
  createNew(texts: Texts): New;
  readChanges(kept: Existing, texts: Texts): Partial<Existing>;
  /** What else a row changes of one that is stored. */
  decideMore?(kept: Existing, texts: Texts): Promise<StockImportChange[]>;
  /** What else a row says of one that is new. */
  listMoreOfNew?(added: New): StockImportChange[];
}

/** The columns of members that have another name in the inputs of mutations. */
const COLUMNS: Record<string, string> = {
  materialId: 'material',
  filamentId: 'filamentNumber',
  remainingGrams: 'weighedGrams',
};

/** Decides the rows of a file in their order. */
export class RowDecisions<Existing extends ExistingRow, New extends StoredRow> {
  readonly created: New[] = [];
  readonly changed: Existing[] = [];
  /** The lines of the rows before, by what they are about. */
  private readonly lines = new Map<string, number>();

  constructor(
    private readonly file: ImportFile,
    private readonly rules: RowRules<Existing, New>,
    private readonly time: RequestTime,
  ) {}

  async decide(row: ImportRow): Promise<StockImportRow> {
    let kept: Existing | null = null;
    try {
      kept = this.rules.find(row);
      return await (kept === null ? this.decideNew(row) : this.decideKept(kept, row));
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      return {
        line: row.line,
        action: 'REFUSED',
        number: kept?.number ?? null,
        name: kept === null ? this.rules.nameIn(row) : this.rules.nameOf(kept),
        reason: inWords(error.issues, (member) => COLUMNS[member] ?? member),
        changes: [],
      };
    }
  }

  private decideNew(row: ImportRow): StockImportRow {
    const { rules } = this;
    const texts = this.file.read(row, {});
    const added = { ...rules.createNew(texts), archivedAt: texts['archived'] === 'true' ? this.time.now : null };
    rules.refuseTaken(added);
    this.refuseSameKey(row, added);
    this.created.push(added);
    const changes = this.changesBetween({ archived: 'false' }, rules.toTexts(added));
    return {
      line: row.line,
      action: 'CREATE',
      number: null,
      name: rules.nameOf(added),
      reason: null,
      changes: [...changes, ...(rules.listMoreOfNew?.(added) ?? [])],
    };
  }

  private async decideKept(kept: Existing, row: ImportRow): Promise<StockImportRow> {
    const { rules } = this;
    this.refuseSecond(row, kept.id, (line) => `Line ${line} is about #${kept.number} too: remove one of the two lines`);
    const before = rules.toTexts(kept);
    const texts = this.file.read(row, before);
    const { archived } = texts;
    const archivedAt = archived === 'true' ? (kept.archivedAt ?? this.time.now) : null;
    const after: Existing = {
      ...kept,
      ...removeUndefined(rules.readChanges(kept, texts)),
      ...(archived !== undefined && { archivedAt }),
    };
    const changes = this.changesBetween(before, rules.toTexts(after));
    if (changes.length > 0) {
      rules.refuseTaken(after);
      if (rules.keyOf(after) !== rules.keyOf(kept)) this.refuseSameKey(row, after);
    }
    const also = (await rules.decideMore?.(kept, texts)) ?? [];
    if (changes.length > 0) this.changed.push(after);
    return {
      line: row.line,
      action: changes.length + also.length > 0 ? 'UPDATE' : 'SAME',
      number: kept.number,
      name: rules.nameOf(kept),
      reason: null,
      changes: [...changes, ...also],
    };
  }

  private changesBetween(before: Texts, after: Texts): StockImportChange[] {
    return Object.keys(this.rules.columns.read).flatMap((column) => {
      const [from, to] = [before[column] ?? null, after[column] ?? null];
      return from === to ? [] : [{ column, from, to }];
    });
  }

  private refuseSameKey(row: ImportRow, one: Existing | New): void {
    this.refuseSecond(row, `new ${this.rules.keyOf(one)}`, (line) => `Line ${line} has ${this.rules.sameKey}`);
  }

  private refuseSecond({ line }: ImportRow, what: string, reason: (line: number) => string): void {
    const before = this.lines.get(what);
    if (before !== undefined) throw new BadInput(reason(before));
    this.lines.set(what, line);
  }
}

/** Beside it, the columns that may not be empty. */
export function refuseEmpty(texts: Texts, columns: readonly string[], message = 'must not be empty'): void {
  const empty = columns.filter((column) => texts[column] === null);
  if (empty.length > 0) throw new BadInput(empty.map((column) => ({ path: [column], message })));
}

/** A column that is left out is empty for one that is new. */
export const addEmpty = (columns: readonly string[], texts: Texts): Texts =>
  Object.fromEntries(columns.map((column) => [column, texts[column] ?? null]));

/** Without the members that were not given. */
function removeUndefined<Members extends object>(members: Members): Members {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Members;
}
