// Works on imports in the background: reads, decides and writes. One process works on an import, and says so in the database.
import { createHash } from 'node:crypto';
import type { Database } from '../../database/database';
import { violatedConstraint } from '../../database/failures';
import type { Log } from '../../observability/log';
import { instantNow } from '../../values/instant';
import { setInterval, sleep } from '../../values/timers';
import type { Network } from '../../wire/networks';
import { decideImport, type ReadSpoolman } from './decide';
import type { PreviewRow } from './import-plan';
import { ReadObjects, TooMuch } from './read-objects';
import type { FieldDefinition } from './spoolman-fields';
import { readSpoolmanFile, UnreadableFile } from './spoolman-files';
import { type ImportState, SpoolmanImportStore, type StoredImport } from './spoolman-import.store';
import { SpoolmanNumbersStore } from './spoolman-numbers.store';
import type { SpoolmanObject } from './spoolman-objects';
import { ReadingFailed, readSpoolmanUrl, type SpoolmanUrl } from './spoolman-url';
import { SpoolmanWritingStore, StockChanged } from './spoolman-writing.store';
import { StockHereStore } from './stock-here.store';
import { type ImportToWrite, type WrittenRow, writeImport } from './write-import';

/** What an import reads. */
export type Reading =
  | { url: SpoolmanUrl; login: Record<string, string> }
  | { files: readonly string[] /** Whether the objects that the import has already stay. */; isAdded: boolean };

const KEEP_ALIVE_MS = 5_000;
/** A request with an idempotency key commits the import with its answer. */
const COMMITTED_AFTER_MS = 30_000;
/** The whole import is one transaction, so it may take longer than that of a request. */
const WRITING_MS = 600_000;
/** Other writers wait behind a lock of their tables, so it is given up and tried again. */
const LOCK_MS = 300;
const LOCK_TRIES = 40;
const LOCK_PAUSE_MS = 250;

const CHANGED = 'The stock has changed since the preview. Nothing was written. Read the Spoolman again.';
const STOPPED = 'The gateway was stopped. Nothing was written. Read the Spoolman again.';
const UNEXPECTED =
  'The gateway could not complete the import. Nothing was written. The operator finds the reason in its log.';
const NEXT =
  'The gateway imports at most 100,000 spools, 20,000 filaments and 5,000 vendors, and texts of 65,535 characters.';

/** The import ends for a reason that its user can read. */
class ImportFailed extends Error {}

export class SpoolmanImporter {
  private readonly stopping = new AbortController();
  private readonly running = new Set<Promise<void>>();

  constructor(
    private readonly database: Database,
    private readonly network: Network,
    private readonly log: Log,
  ) {}

  read(id: string, reading: Reading): void {
    this.run(id, 'READING', (stored) => this.readAndDecide(stored, reading));
  }

  write(id: string): void {
    this.run(id, 'WRITING', (stored) => this.decideAndWrite(stored));
  }

  /** No process works on imports of an earlier run if this database has one process. */
  failAbandoned(): Promise<void> {
    return new SpoolmanImportStore(this.database).failAll();
  }

  forgetOld(): Promise<void> {
    return new SpoolmanImportStore(this.database).forgetOld();
  }

  async close(): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.running);
  }

  private run(id: string, state: ImportState, work: (stored: StoredImport) => Promise<void>): void {
    const done = this.runOnce(id, state, work).finally(() => this.running.delete(done));
    this.running.add(done);
  }

  /** Never throws. */
  private async runOnce(id: string, state: ImportState, work: (stored: StoredImport) => Promise<void>): Promise<void> {
    const store = new SpoolmanImportStore(this.database);
    try {
      const stored = await this.waitUntilCommitted(store, id, state);
      if (stored !== null) await work(stored);
    } catch (error) {
      const message = this.stopping.signal.aborted && !(error instanceof ImportFailed) ? STOPPED : this.explain(error);
      // If the database does not answer, the import becomes FAILED because nobody says that it is alive.
      await store.fail(id, message).catch(() => {});
    }
  }

  private explain(error: unknown): string {
    if (error instanceof ImportFailed || error instanceof ReadingFailed || error instanceof UnreadableFile)
      return error.message;
    if (error instanceof TooMuch) return `${error.message}. ${NEXT}`;
    if (error instanceof StockChanged || violatedConstraint(error) !== undefined) return CHANGED;
    // The text of an error of the database may have a value that the Spoolman sent.
    const { name, code } = error as NodeJS.ErrnoException;
    this.log.warn({ error: { name, code } }, 'An import from Spoolman failed.');
    return UNEXPECTED;
  }

  private async waitUntilCommitted(
    store: SpoolmanImportStore,
    id: string,
    state: ImportState,
  ): Promise<StoredImport | null> {
    const giveUpAt = performance.now() + COMMITTED_AFTER_MS;
    for (
      let waitMs = 1;
      performance.now() < giveUpAt && !this.stopping.signal.aborted;
      waitMs = Math.min(2 * waitMs, 250)
    ) {
      const stored = await store.find(id);
      if (stored?.state === state) return stored;
      await sleep(waitMs);
    }
    // The transaction that added it was rolled back, or the gateway stops.
    if (this.stopping.signal.aborted) throw new ImportFailed(STOPPED);
    return null;
  }

  /** Runs the work, and says meanwhile that the import is alive. */
  private async whileAlive<T>(
    id: string,
    state: ImportState,
    count: () => number | null,
    work: () => Promise<T>,
  ): Promise<T> {
    const store = new SpoolmanImportStore(this.database);
    const timer = setInterval(() => void store.keepAlive(id, state, count()).catch(() => {}), KEEP_ALIVE_MS);
    try {
      return await work();
    } finally {
      clearInterval(timer);
    }
  }

  private async readAndDecide(stored: StoredImport, reading: Reading): Promise<void> {
    const { id, source } = stored;
    const store = new SpoolmanImportStore(this.database);
    const objects = new ReadObjects();
    await this.whileAlive(
      id,
      'READING',
      () => objects.count,
      async () => {
        const fields = 'url' in reading ? await this.readUrl(id, reading, objects) : null;
        if ('files' in reading) await readFiles(store, id, reading, objects);
        const read: ReadSpoolman = { source, isFromUrl: fields !== null, fields, objects: objects.finish() };
        this.refuseIfStopping();
        const here = await new StockHereStore(this.database).load(read);
        const rows: PreviewRow[] = [];
        const plan = await decideImport(read, here, id, instantNow(), ({ write: _, ...row }) => rows.push(row));
        if (plan.fault !== null) throw new ImportFailed(plan.fault);
        await this.reserveNumbers(rows);
        for (const row of rows) describeNumber(row);
        await store.forgetRows(id);
        await store.addRows(id, rows);
        this.refuseIfStopping();
        await store.ready(id, rows, plan, { read: objects.count, confirm: makeConfirm(id, rows), fields });
      },
    );
  }

  private readUrl(
    id: string,
    { url, login }: { url: SpoolmanUrl; login: Record<string, string> },
    objects: ReadObjects,
  ): Promise<FieldDefinition[]> {
    const store = new SpoolmanImportStore(this.database);
    return readSpoolmanUrl(
      {
        url,
        login,
        network: this.network,
        signal: this.stopping.signal,
        progress: () => void store.keepAlive(id, 'READING', objects.count).catch(() => {}),
      },
      objects,
    );
  }

  /** Nobody adds a spool or a filament while the series moves. This takes some milliseconds. */
  private async reserveNumbers(rows: readonly PreviewRow[]): Promise<void> {
    const created = rows.filter(({ createsId, action }) => createsId !== null && action === 'CREATE');
    if (created.length === 0) return;
    for (let tries = 1; ; tries++) {
      this.refuseIfStopping();
      try {
        await this.database.transaction(async (transaction) => {
          await transaction.prisma.$executeRawUnsafe(`set local lock_timeout = '${LOCK_MS}ms'`);
          await new SpoolmanNumbersStore(transaction).reserve(created);
        });
        return;
      } catch (error) {
        if (tries === LOCK_TRIES) throw error;
        await sleep(LOCK_PAUSE_MS);
      }
    }
  }

  private async decideAndWrite(stored: StoredImport): Promise<void> {
    const { id } = stored;
    const ready = await this.whileAlive(
      id,
      'WRITING',
      () => null,
      () => this.decideAgain(stored),
    );
    this.refuseIfStopping();
    await this.database.transaction((transaction) => writeImport(transaction, ready), WRITING_MS);
  }

  /** Throws StockChanged if the rows are no longer those that were shown. */
  private async decideAgain({ id, source, by, fromUrl, fields }: StoredImport): Promise<ImportToWrite> {
    const store = new SpoolmanImportStore(this.database);
    const now = instantNow();
    const objects: SpoolmanObject[] = [];
    const numbers = new Map<string, number | null>();
    const shown = createHash('sha256');
    await store.eachRow(id, (row) => {
      objects.push(row.object);
      if (row.createsId !== null) numbers.set(row.createsId, row.number);
      shown.update(describe(row));
    });
    const read: ReadSpoolman = { source, isFromUrl: fromUrl, fields, objects };
    const here = await new StockHereStore(this.database).load(read);
    const decided = createHash('sha256');
    const rows: WrittenRow[] = [];
    const plan = await decideImport(read, here, id, now, (row) => {
      const { kind, action, spoolmanId, createsId, write } = row;
      if (createsId !== null) row.number = numbers.get(createsId) ?? null;
      describeNumber(row);
      decided.update(describe(row));
      if (write !== null) rows.push({ kind, action, spoolmanId, write });
    });
    if (plan.fault !== null || decided.digest('hex') !== shown.digest('hex')) throw new StockChanged();
    // A sequence does not roll back, so it is moved before the transaction.
    const vendors = rows.flatMap(({ action, write }) => (action === 'CREATE' && write.vendor ? write.vendor : []));
    if (vendors.length > 0) await new SpoolmanWritingStore(this.database).passVendorIds(vendors);
    await store.keepAlive(id, 'WRITING', null);
    return { id, source, by, plan, rows, here, now };
  }

  private refuseIfStopping(): void {
    if (this.stopping.signal.aborted) throw new ImportFailed(STOPPED);
  }
}

async function readFiles(
  store: SpoolmanImportStore,
  id: string,
  { files, isAdded }: { files: readonly string[]; isAdded: boolean },
  objects: ReadObjects,
): Promise<void> {
  if (isAdded) await store.eachRow(id, ({ object }) => objects.addRead(object));
  for (const [at, file] of files.entries()) await readSpoolmanFile(file, at + 1, objects);
}

/** Says that a spool does not keep its id. */
function describeNumber(row: PreviewRow): void {
  if (row.kind !== 'SPOOL' || row.action !== 'CREATE' || row.number === row.spoolmanId) return;
  const sentence = `Its number is ${row.number}, because ${row.spoolmanId} cannot be given here.`;
  row.reason = row.reason === null ? sentence : `${sentence} ${row.reason}`;
}

/** What a row does, as a text. */
const describe = (row: PreviewRow) =>
  JSON.stringify([
    row.kind,
    row.spoolmanId,
    row.action,
    row.number,
    row.name,
    row.reason,
    row.changes.map(({ member, from, to }) => [member, from, to]),
  ]);

/** @returns null if there is nothing to write */
function makeConfirm(id: string, rows: readonly PreviewRow[]): string | null {
  if (!rows.some(({ action }) => action === 'CREATE' || action === 'UPDATE')) return null;
  const hash = createHash('sha256').update(id);
  for (const row of rows) hash.update(describe(row));
  return hash.digest('base64url');
}
