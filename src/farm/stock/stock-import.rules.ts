// Decides what each row of an imported list does, for spools and filaments. This file writes nothing.
import { BadInput } from '../../errors';
import type { RequestTime } from '../../values/request-time';
import { RowFaults } from './row-faults';
import type { ImportColumns, ImportFile, ImportRow, Texts } from './stock-import.file';
import type { StockImportChange, StockImportRow } from './stock-import.types';

interface StoredRow {
  archivedAt: string | null;
}

/** A spool or filament that is already stored. */
interface ExistingRow extends StoredRow {
  id: string;
  number: number;
}

/** The rules that differ between spools and filaments. */
export interface RowRules<Existing extends ExistingRow, New extends StoredRow> {
  columns: ImportColumns;
  /** The stored object that a row is about; `null` for a new object. */
  find(row: ImportRow): Existing | null;
  nameOf(object: Existing | New): string;
  /** The unique key: no two objects have the same key. */
  keyOf(object: Existing | New): string;
  /** The name for a row whose object is unknown, because the row may be refused. */
  nameIn(row: ImportRow): string;
  /** Completes the sentence "Line N has …": why two rows cannot have the same key, and what to do. */
  sameKey: string;
  toTexts(object: Existing | New): Texts;
  /** Throws if another stored object has the same key. */
  refuseTaken(object: Existing | New): void;
  /** @returns undefined if the row has faults, which are added to `faults` */
  createNew(texts: Texts, faults: RowFaults): New | undefined;
  /** The members that change. Faults are added to `faults`. */
  readChanges(existing: Existing, texts: Texts, faults: RowFaults): Partial<Existing>;
  /** Decides changes that are not members of a stored object: a weighing. */
  decideFurtherChanges?(existing: Existing, texts: Texts): Promise<StockImportChange[]>;
  /** Lists changes that are not members of a new object: its starting weight. */
  listFurtherChangesOfNew?(added: New): StockImportChange[];
  /** What a user should check before these changes of an object are written; `null` for nothing. */
  describeWarning?(object: Existing | New, changes: readonly StockImportChange[]): string | null;
}

/** Decides the rows of a file in their order. */
export class RowDecisions<Existing extends ExistingRow, New extends StoredRow> {
  readonly created: New[] = [];
  readonly changed: Existing[] = [];
  /** The lines of earlier rows, by the object that they are about. */
  private readonly lines = new Map<string, number>();

  constructor(
    private readonly file: ImportFile,
    private readonly rules: RowRules<Existing, New>,
    private readonly time: RequestTime,
  ) {}

  async decide(row: ImportRow): Promise<StockImportRow> {
    const { file, rules } = this;
    const faults = new RowFaults();
    const existing = faults.collect(() => rules.find(row));
    let decided: StockImportRow | undefined;
    // Without knowing what the row is about, its cells can be read, and nothing more.
    if (existing === undefined) faults.collect(() => file.read(row, {}, faults));
    else
      decided = await faults.collectLater(async () =>
        existing === null ? this.decideNew(row, faults) : this.decideExisting(existing, row, faults),
      );
    if (decided !== undefined && faults.isEmpty) return decided;
    return {
      line: row.line,
      action: 'REFUSED',
      number: existing?.number ?? null,
      name: existing == null ? rules.nameIn(row) : rules.nameOf(existing),
      reason: faults.describe(),
      warning: null,
      changes: [],
    };
  }

  private decideNew(row: ImportRow, faults: RowFaults): StockImportRow | undefined {
    const { rules } = this;
    const texts = this.file.read(row, {}, faults);
    const created = rules.createNew(texts, faults);
    if (created === undefined) return undefined;
    const added = { ...created, archivedAt: texts['archived'] === 'true' ? this.time.now : null };
    faults.collect(() => rules.refuseTaken(added));
    faults.collect(() => this.refuseSameKey(row, added));
    if (!faults.isEmpty) return undefined;
    this.created.push(added);
    const changes = [
      ...this.changesBetween({ archived: 'false' }, rules.toTexts(added)),
      ...(rules.listFurtherChangesOfNew?.(added) ?? []),
    ];
    return {
      line: row.line,
      action: 'CREATE',
      number: null,
      name: rules.nameOf(added),
      reason: null,
      warning: rules.describeWarning?.(added, changes) ?? null,
      changes,
    };
  }

  private async decideExisting(
    existing: Existing,
    row: ImportRow,
    faults: RowFaults,
  ): Promise<StockImportRow | undefined> {
    const { rules } = this;
    faults.collect(() =>
      this.refuseSecond(
        row,
        existing.id,
        (line) => `Line ${line} is about #${existing.number} too: remove one of the two lines`,
      ),
    );
    const before = rules.toTexts(existing);
    const texts = this.file.read(row, before, faults);
    const { archived } = texts;
    const archivedAt = archived === 'true' ? (existing.archivedAt ?? this.time.now) : null;
    const after: Existing = {
      ...existing,
      ...removeUndefined(rules.readChanges(existing, texts, faults)),
      ...(archived !== undefined && { archivedAt }),
    };
    const changes = this.changesBetween(before, rules.toTexts(after));
    if (changes.length > 0) {
      faults.collect(() => rules.refuseTaken(after));
      if (rules.keyOf(after) !== rules.keyOf(existing)) faults.collect(() => this.refuseSameKey(row, after));
    }
    const furtherChanges = (await rules.decideFurtherChanges?.(existing, texts)) ?? [];
    if (!faults.isEmpty) return undefined;
    if (changes.length > 0) this.changed.push(after);
    const allChanges = [...changes, ...furtherChanges];
    return {
      line: row.line,
      action: allChanges.length > 0 ? 'UPDATE' : 'SAME',
      number: existing.number,
      name: rules.nameOf(existing),
      reason: null,
      warning: rules.describeWarning?.(after, allChanges) ?? null,
      changes: allChanges,
    };
  }

  private changesBetween(before: Texts, after: Texts): StockImportChange[] {
    return Object.keys(this.rules.columns.read).flatMap((column) => {
      const [from, to] = [before[column] ?? null, after[column] ?? null];
      return from === to ? [] : [{ column, from, to }];
    });
  }

  private refuseSameKey(row: ImportRow, object: Existing | New): void {
    this.refuseSecond(row, `new ${this.rules.keyOf(object)}`, (line) => `Line ${line} has ${this.rules.sameKey}`);
  }

  private refuseSecond({ line }: ImportRow, key: string, reason: (line: number) => string): void {
    const earlierLine = this.lines.get(key);
    if (earlierLine !== undefined) throw new BadInput(reason(earlierLine));
    this.lines.set(key, line);
  }
}

/** Throws if one of these columns is present and empty. */
export function refuseEmpty(texts: Texts, columns: readonly string[], message = 'must not be empty'): void {
  const empty = columns.filter((column) => texts[column] === null);
  if (empty.length > 0) throw new BadInput(empty.map((column) => ({ path: [column], message })));
}

/** Adds missing columns as empty columns, because a new object has no stored values. */
export const addEmpty = (columns: readonly string[], texts: Texts): Texts =>
  Object.fromEntries(columns.map((column) => [column, texts[column] ?? null]));

/** The members that the request contains. */
function removeUndefined<Members extends object>(members: Members): Members {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Members;
}
