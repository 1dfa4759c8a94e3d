// Writes an import in one transaction: everything that its rows show, or nothing.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Queryable } from '../../database/queryable';
import type { ImportPlan, ImportRow, RowWrite } from './import-plan';
import { SpoolmanImportStore } from './spoolman-import.store';
import { SpoolmanWritingStore, StockChanged } from './spoolman-writing.store';
import type { StockHere } from './stock-here';
import { StockHereStore } from './stock-here.store';

/** Some hundred rows take some ten milliseconds, in which the built-in database does nothing else. */
const ROWS_OF_STATEMENT = 500;

/** What is kept of a row until it is written. */
export type WrittenRow = Pick<ImportRow, 'kind' | 'action' | 'spoolmanId'> & { write: RowWrite };

export interface ImportToWrite {
  id: string;
  source: string;
  by: string | null;
  plan: ImportPlan;
  /** The rows that write something. */
  rows: readonly WrittenRow[];
  /** What the plan was decided by. */
  here: StockHere;
  now: string;
}

/** Throws StockChanged, or the refusal of a constraint, if something has changed since the plan was decided. */
export async function writeImport(
  transaction: Queryable,
  { id, source, by, plan, rows, here, now }: ImportToWrite,
): Promise<void> {
  const imports = new SpoolmanImportStore(transaction);
  const writing = new SpoolmanWritingStore(transaction);
  if (!(await imports.beginWriting(id))) throw new StockChanged();
  const select = (kind: ImportRow['kind'], action: ImportRow['action']) =>
    rows.filter((row) => row.kind === kind && row.action === action);
  const [newSpools, newFilaments] = [select('SPOOL', 'CREATE'), select('FILAMENT', 'CREATE')];
  const [spools, filaments] = [select('SPOOL', 'UPDATE'), select('FILAMENT', 'UPDATE')];

  await writing.addMaterials(plan.materials);
  await writing.addFields(plan.fields);
  await inBatches(select('VENDOR', 'CREATE'), (part) =>
    writing.addVendors(part.flatMap(({ write }) => write.vendor ?? [])),
  );
  await inBatches(newFilaments, (part) =>
    writing.addFilaments(
      part.flatMap(({ write: { filament, registered } }) => (filament ? { ...filament, createdAt: registered } : [])),
      now,
    ),
  );
  await inBatches(newSpools, (part) =>
    writing.addSpools(
      part.flatMap(({ write: { spool, registered } }) => (spool ? { ...spool, createdAt: registered } : [])),
      now,
    ),
  );
  await inBatches(newSpools.filter(hasNetGrams), (part) => writing.addAdjustments(part.map(weighingOf), 'OPENING', by));

  // Rows that other writers may want are locked as late as possible.
  await refuseChanges(transaction, writing, filaments, spools, here);
  await inBatches(select('VENDOR', 'UPDATE'), (part) =>
    writing.changeVendors(part.flatMap(({ write }) => write.vendor ?? [])),
  );
  await inBatches(spools, (part) =>
    writing.changeSpools(
      part.flatMap(({ write }) => write.spool ?? []),
      now,
    ),
  );
  await inBatches(filaments, (part) =>
    writing.changeFilaments(
      part.flatMap(({ write: { filament } }) => {
        const before = filament && here.filaments.get(filament.id);
        return before ? { ...filament, before } : [];
      }),
      now,
    ),
  );
  await inBatches(spools.filter(hasNetGrams), (part) => writing.addAdjustments(part.map(weighingOf), 'WEIGHED', by));
  await inBatches(
    spools.flatMap(({ write }) => write.removedTags ?? []),
    (part) => writing.removeTags(part),
  );
  const tags = [...newSpools, ...spools].flatMap(({ write }) =>
    (write.addedTags ?? []).map((tag) => ({ ...tag, spoolId: write.spool?.id ?? '' })),
  );
  await inBatches(tags, (part) => writing.addTags(part));
  await inBatches(rows, (part) => writing.noteImported(source, part.map(noteOf)));
  await imports.endWriting(id);
}

const hasNetGrams = ({ write }: WrittenRow) => write.netGrams !== undefined;
const weighingOf = ({ write }: WrittenRow) => ({ spoolId: write.spool?.id ?? '', netGrams: write.netGrams ?? '0' });

const noteOf = ({ kind, write, spoolmanId }: WrittenRow) => ({
  kind,
  externalId: spoolmanId as number,
  registered: write.registered,
  vendorName: write.vendor?.name ?? null,
  filamentId: write.filament?.id ?? null,
  spoolId: write.spool?.id ?? null,
  imported: write.imported,
});

/** Locks the objects that change, and refuses if one of them is no longer as it was when the import was decided. */
async function refuseChanges(
  transaction: Queryable,
  writing: SpoolmanWritingStore,
  filaments: readonly WrittenRow[],
  spools: readonly WrittenRow[],
  here: StockHere,
): Promise<void> {
  const filamentIds = filaments.flatMap(({ write }) => write.filament?.id ?? []);
  const spoolIds = spools.flatMap(({ write }) => write.spool?.id ?? []);
  if (filamentIds.length + spoolIds.length === 0) return;
  await writing.lock(filamentIds, spoolIds);
  const store = new StockHereStore(transaction);
  const differs = <Row extends { id: string }>(now: readonly Row[], before: ReadonlyMap<string, Row>, count: number) =>
    now.length !== count || now.some((row) => JSON.stringify(row) !== JSON.stringify(before.get(row.id)));
  if (
    differs(await store.filaments(filamentIds), here.filaments, filamentIds.length) ||
    differs(await store.spools(spoolIds), here.spools, spoolIds.length)
  )
    throw new StockChanged();
}

async function inBatches<Row>(rows: readonly Row[], write: (part: Row[]) => Promise<void>): Promise<void> {
  for (let at = 0; at < rows.length; at += ROWS_OF_STATEMENT) {
    await write(rows.slice(at, at + ROWS_OF_STATEMENT));
    await nextTurn();
  }
}
