// Runs imports of CSV files: shows what each row would do, and with the confirm value writes all rows as they were shown, or none.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Conflict } from '../../errors';
import type { Context } from '../graph/context';
import type { FilamentStore } from '../inventory/filament.store';
import type { InventoryStore } from '../inventory/inventory.store';
import type { Ledger } from './adjustment.service';
import { listTextsShownAsDate } from './spreadsheet-dates';
import type { StockStore } from './stock.store';
import { createAnswer } from './stock-import.answer';
import { FilamentRules, IMPORTED_FILAMENTS } from './stock-import.filaments';
import { ImportFile } from './stock-import.file';
import { ImportMaterials } from './stock-import.materials';
import { RowDecisions } from './stock-import.rules';
import { IMPORTED_SPOOLS, removeLeadingZeros, SpoolRules } from './stock-import.spools';
import type { StockImportStore } from './stock-import.store';
import type { StockImport, StockImportRow, StockKind } from './stock-import.types';

/** What an import needs, all in one transaction. */
export interface ImportTransaction {
  rows: StockImportStore;
  inventory: InventoryStore;
  filaments: FilamentStore;
  stock: StockStore;
  ledger: Pick<Ledger, 'adjustments' | 'prints'>;
}

export interface ImportRequest {
  kind: StockKind;
  csv: string;
  /** The confirm value of the preview; `null` to get a preview. */
  confirm: string | null;
  ignoredColumns: readonly string[];
  addsMaterials: boolean;
}

/** A statement with more rows could exceed the time limit of statements. */
const ROWS_OF_STATEMENT = 1000;
/** The number of rows that are decided before other requests run. Deciding them takes some milliseconds. */
const ROWS_OF_TURN = 100;

export class StockImportService {
  /** @param inTransaction runs the work in one transaction: if the work fails, nothing is written */
  constructor(
    private readonly inTransaction: <T>(work: (importing: ImportTransaction) => Promise<T>) => Promise<T>,
    private readonly currency: string | null,
  ) {}

  async import(request: ImportRequest, context: Context): Promise<StockImport> {
    const { kind, csv, confirm, ignoredColumns } = request;
    const columns = kind === 'SPOOLS' ? IMPORTED_SPOOLS : IMPORTED_FILAMENTS;
    const file = new ImportFile(csv, columns, { currency: this.currency, ignored: ignoredColumns });
    return this.inTransaction(async (importing) => {
      if (confirm !== null) await importing.rows.begin();
      const materials = new ImportMaterials(
        await importing.inventory.materials(null),
        file.rows.map(({ cells }) => file.possibleNames(cells['material'] ?? '')),
        request.addsMaterials,
        context,
      );
      const { decisions, write } = await (kind === 'SPOOLS' ? decideSpools : decideFilaments)(
        importing,
        file,
        materials,
        confirm !== null,
        context,
      );
      const rows: StockImportRow[] = [];
      for (const row of file.rows) {
        if (rows.length % ROWS_OF_TURN === ROWS_OF_TURN - 1) await nextTurn();
        rows.push(await decisions.decide(row));
      }
      const answer = createAnswer(kind, rows, materials);
      if (confirm === null) return answer;
      if (confirm !== answer.confirm) throw createChangedError();
      await writeMaterials(importing, materials)
        .then(write)
        .catch((error: unknown) => {
          // Another request used a name after the rows were decided.
          throw error instanceof Conflict ? createChangedError() : error;
        });
      return { ...answer, confirm: null, written: true };
    });
  }
}

const createChangedError = () =>
  new Conflict('The file or the stock changed since the preview. Preview again', 'confirm');

async function writeMaterials({ rows }: ImportTransaction, { added }: ImportMaterials): Promise<void> {
  if (added.length > 0 && (await rows.addMaterials(added)) !== added.length) throw createChangedError();
}

async function decideSpools(
  { rows, inventory, stock, ledger }: ImportTransaction,
  file: ImportFile,
  materials: ImportMaterials,
  isWritten: boolean,
  context: Context,
) {
  const names = file.names('spoolSerial');
  const serialNumbers = names.flatMap((name) => removeLeadingZeros(name) ?? []);
  const serials = [...new Set([...names, ...names.flatMap(listTextsShownAsDate)])];
  const spools = await rows.spools({ numbers: file.numbers('number'), serials, serialNumbers }, isWritten);
  const ids = spools.flatMap(({ filamentId }) => filamentId ?? []);
  const wanted = { numbers: file.numbers('filamentNumber'), names: [], ids };
  const toWeigh = file.columns.includes('weighedGrams') ? spools.map(({ id }) => id) : [];
  const remaining = new Map<string, string>();
  const filaments = await rows.filaments(wanted, isWritten ? 'share' : null);
  for (const grams of await Promise.all(toWeigh.map((id) => stock.gramsOfSpool.load(id))))
    if (grams !== null) remaining.set(grams.id, grams.remainingGrams);
  const printing = await ledger.adjustments.printingJobs(toWeigh);
  const weighed = await rows.weighed(toWeigh);
  const found = { spools, filaments, remaining, weighed, printing };
  const rules = new SpoolRules(file, found, materials, ledger, context);
  const decisions = new RowDecisions(file, rules, context);
  const write = async () => {
    await writeInBatches(decisions.created, async (batch) => {
      if ((await inventory.createSpools(batch, context.caller.displayName)) !== batch.length)
        throw createChangedError();
    });
    await writeInBatches(decisions.changed, (part) =>
      inventory.rewriteSpools(part.map((spool) => ({ ...spool, updatedAt: context.now }))),
    );
    await writeInBatches(rules.weighings, (part) => ledger.adjustments.add(part, context.now));
  };
  return { decisions, write };
}

async function decideFilaments(
  { rows, filaments }: ImportTransaction,
  file: ImportFile,
  materials: ImportMaterials,
  isWritten: boolean,
  context: Context,
) {
  const wanted = { numbers: file.numbers('number'), names: file.names('name'), ids: [] };
  const found = await rows.filaments(wanted, isWritten ? 'update' : null);
  const decisions = new RowDecisions(file, new FilamentRules(file, found, materials, context), context);
  const write = async () => {
    await writeInBatches(decisions.created, async (batch) => {
      if ((await filaments.create(batch)) !== batch.length) throw createChangedError();
    });
    await writeInBatches(decisions.changed, (part) =>
      filaments.rewrite(part.map((filament) => ({ ...filament, updatedAt: context.now }))),
    );
  };
  return { decisions, write };
}

async function writeInBatches<Row>(rows: readonly Row[], write: (batch: Row[]) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < rows.length; at += ROWS_OF_STATEMENT) await write(rows.slice(at, at + ROWS_OF_STATEMENT));
}
