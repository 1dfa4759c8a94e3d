// Imports of CSV files: what each row would do, and all of it written as it was shown, or nothing.
import { createHash } from 'node:crypto';
import { Conflict } from '../../errors';
import type { Context } from '../graph/context';
import type { FilamentStore } from '../inventory/filament.store';
import type { InventoryStore } from '../inventory/inventory.store';
import type { Ledger } from './adjustment.service';
import type { StockStore } from './stock.store';
import { FilamentRules, IMPORTED_FILAMENT_COLUMNS } from './stock-import.filaments';
import { ImportFile } from './stock-import.file';
import { SPOOL_COLUMNS, SpoolRules } from './stock-import.spools';
import type { StockImportStore } from './stock-import.store';
import type { StockImport, StockImportAction, StockImportRow, StockKind } from './stock-import.types';

/** On one transaction. */
export interface Importing {
  rows: StockImportStore;
  inventory: InventoryStore;
  filaments: FilamentStore;
  stock: StockStore;
  ledger: Pick<Ledger, 'adjustments' | 'usedSoFar'>;
}

/** A statement with more rows could take longer than it may. */
const ROWS_OF_STATEMENT = 1000;

export class StockImportService {
  /** @param inTransaction does all of the work, or nothing when it fails */
  constructor(
    private readonly inTransaction: <T>(work: (importing: Importing) => Promise<T>) => Promise<T>,
    private readonly currency: string | null,
  ) {}

  async import(kind: StockKind, csv: string, confirm: string | null, context: Context): Promise<StockImport> {
    const file = new ImportFile(csv, kind === 'SPOOLS' ? SPOOL_COLUMNS : IMPORTED_FILAMENT_COLUMNS, this.currency);
    return this.inTransaction(async (importing) => {
      if (confirm !== null) await importing.rows.begin();
      const { rules, write } = await (kind === 'SPOOLS' ? ofSpools : ofFilaments)(
        importing,
        file,
        confirm !== null,
        context,
      );
      const rows: StockImportRow[] = [];
      for (const row of file.rows) rows.push(await rules.decide(row));
      const answer = answerOf(kind, rows);
      if (confirm === null) return answer;
      if (confirm !== answer.confirm) throw changedSince();
      await write().catch((error: unknown) => {
        // Another writer took a name since the rows were decided.
        throw error instanceof Conflict ? changedSince() : error;
      });
      return { ...answer, confirm: null, written: true };
    });
  }
}

const changedSince = () =>
  new Conflict(
    'A row would do something else by now, or the file is another one: look at the preview again',
    'confirm',
  );

function answerOf(kind: StockKind, rows: StockImportRow[]): StockImport {
  const count = (of: StockImportAction) => rows.filter(({ action }) => action === of).length;
  const [creates, updates, same, refused] = [count('CREATE'), count('UPDATE'), count('SAME'), count('REFUSED')];
  return {
    rows,
    creates,
    updates,
    same,
    refused,
    confirm: refused === 0 && creates + updates > 0 ? digestOf(kind, rows) : null,
    written: false,
  };
}

/** The digest of what the rows do. It is stored nowhere, and each replica computes the same one. */
function digestOf(kind: StockKind, rows: readonly StockImportRow[]): string {
  const done = rows.map(({ line, action, number, name, changes }) => [
    line,
    action,
    number,
    name,
    changes.map(({ column, from, to }) => [column, from, to]),
  ]);
  return createHash('sha256')
    .update(JSON.stringify([kind, done]))
    .digest('base64url');
}

async function ofSpools(importing: Importing, file: ImportFile, isWritten: boolean, context: Context) {
  const { rows, inventory, stock, ledger } = importing;
  const spools = await rows.spools(file.numbers('number'), file.names('spoolSerial'), isWritten);
  const ids = spools.flatMap(({ filamentId }) => filamentId ?? []);
  const of = { numbers: file.numbers('filamentNumber'), names: [], ids };
  const weighed = file.columns.includes('weighedGrams') ? spools.map(({ id }) => id) : [];
  const remaining = new Map<string, string>();
  const filaments = await rows.filaments(of, isWritten ? 'share' : null);
  for (const one of await Promise.all(weighed.map((id) => stock.ofSpool.load(id))))
    if (one !== null) remaining.set(one.id, one.remainingGrams);
  const printing = await ledger.adjustments.printingOf(weighed);
  const materials = await inventory.materials(null);
  const rules = new SpoolRules(file, { spools, filaments, materials, remaining, printing }, ledger, context);
  const { ownName } = context.caller;
  const write = async () => {
    await inParts(rules.created, async (part) => {
      if ((await inventory.createSpools(part, ownName)) !== part.length) throw changedSince();
    });
    await inParts(rules.changed, (part) =>
      inventory.rewriteSpools(part.map((spool) => ({ ...spool, updatedAt: context.now }))),
    );
    await inParts(rules.weighings, (part) => ledger.adjustments.add(part, context.now));
  };
  return { rules, write };
}

async function ofFilaments(importing: Importing, file: ImportFile, isWritten: boolean, context: Context) {
  const { rows, inventory, filaments } = importing;
  const of = { numbers: file.numbers('number'), names: file.names('name'), ids: [] };
  const found = await rows.filaments(of, isWritten ? 'update' : null);
  const rules = new FilamentRules(file, { filaments: found, materials: await inventory.materials(null) }, context);
  const write = async () => {
    await inParts(rules.created, async (part) => {
      if ((await filaments.create(part)) !== part.length) throw changedSince();
    });
    await inParts(rules.changed, (part) =>
      filaments.rewrite(part.map((filament) => ({ ...filament, updatedAt: context.now }))),
    );
  };
  return { rules, write };
}

async function inParts<Row>(rows: readonly Row[], write: (part: Row[]) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < rows.length; at += ROWS_OF_STATEMENT) await write(rows.slice(at, at + ROWS_OF_STATEMENT));
}
