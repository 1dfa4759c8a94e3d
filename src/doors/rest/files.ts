// Produces the CSV files for spreadsheets, page by page while they are being sent.

import { BadInput } from '../../errors';
import { FilmingCameraLink, JobFilmingResolver } from '../../farm/filming/filming.resolver';
import type { JobFilming } from '../../farm/filming/filming.types';
import type { DoorContext } from '../../farm/graph/context';
import { SpoolDetailsResolver } from '../../farm/inventory/details.resolver';
import { FilamentResolver, SpoolFilamentLink } from '../../farm/inventory/filament.resolver';
import type { Filament } from '../../farm/inventory/filament.types';
import { InventoryResolver } from '../../farm/inventory/inventory.resolver';
import type { SpoolRow } from '../../farm/inventory/inventory.rows';
import { SlotPrinterLink, SpoolSlotResolver } from '../../farm/inventory/slot.resolver';
import { TagResolver } from '../../farm/inventory/tag.resolver';
import { PrintJobResolver } from '../../farm/print-jobs/print-job.resolver';
import type { JobRow } from '../../farm/print-jobs/print-job.rows';
import { PrintJobPartsResolver } from '../../farm/print-jobs/print-job-part.resolver';
import type { PrintJobPart } from '../../farm/print-jobs/print-job-part.types';
import { PartBasisResolver } from '../../farm/prints/observed-print.resolver';
import {
  UsageFilamentLink,
  UsageMaterialLink,
  UsagePrinterLink,
  UsageResolver,
  UsageSpoolLink,
} from '../../farm/reports/usage.resolver';
import { FilamentStockResolver, SpoolStockResolver } from '../../farm/stock/stock.resolver';
import type { FilamentOfFile, SpoolOfFile } from '../../farm/stock/stock-columns';
import { SettingsResolver } from '../../farm/summary/settings.resolver';
import type { CsvForm, defineCsv } from '../../values/csv';
import { MAX_PAGE_ROWS, type Page } from '../../values/page';
import {
  FILAMENT_SHEET,
  FILMING_SHEET,
  type FilmOfJob,
  JOB_SHEET,
  PART_SHEET,
  type PartOfJob,
  SPOOL_SHEET,
  USAGE_SHEET,
} from './csv-columns';
import type { JobFileQuery, UsageFileQuery } from './queries';

export interface CsvFile {
  name: string;
  /** The text of the file in chunks. The first chunk is already made. */
  chunks: AsyncIterable<string>;
}

export const makeUsageFile = (query: UsageFileQuery, context: DoorContext): Promise<CsvFile> =>
  startFile('filament-usage', writeUsage(query, context), context);

/** Makes the file of all spools, including archived spools. */
export const makeSpoolFile = (form: CsvForm, context: DoorContext): Promise<CsvFile> =>
  startFile(
    'spools',
    writePages(SPOOL_SHEET(form, readCurrency(context)), context, async (after, pageContext) => {
      const page = await pageContext.resolvers
        .get(InventoryResolver)
        .spools(null, { first: MAX_PAGE_ROWS, after }, ROWS);
      return makeFilePage(
        page,
        await Promise.all(page.nodes.map((spool) => addNamesToSpool(spool as SpoolRow, pageContext))),
      );
    }),
    context,
  );

/** Makes the file of all filaments, including archived filaments. */
export const makeFilamentFile = (form: CsvForm, context: DoorContext): Promise<CsvFile> =>
  startFile(
    'filaments',
    writePages(FILAMENT_SHEET(form, readCurrency(context)), context, async (after, pageContext) => {
      const page = await pageContext.resolvers
        .get(FilamentResolver)
        .filaments(null, { first: MAX_PAGE_ROWS, after }, ROWS);
      return makeFilePage(page, await Promise.all(page.nodes.map((filament) => addStock(filament, pageContext))));
    }),
    context,
  );

export const makeJobFile = (query: JobFileQuery, context: DoorContext): Promise<CsvFile> =>
  startFile(
    'print-jobs',
    writeJobRows(JOB_SHEET, async (jobs) => jobs, query, context),
    context,
  );

export const makePartFile = (query: JobFileQuery, context: DoorContext): Promise<CsvFile> =>
  startFile('print-job-parts', writeJobRows(PART_SHEET, readParts, query, context), context);

export const makeFilmingFile = (query: JobFileQuery, context: DoorContext): Promise<CsvFile> =>
  startFile('filming', writeJobRows(FILMING_SHEET, readFilms, query, context), context);

/** Waits for the first chunk, so that an error before it becomes an error response instead of a broken file. */
async function startFile(name: string, chunks: AsyncGenerator<string>, { now }: DoorContext): Promise<CsvFile> {
  const first = await chunks.next();
  const all = async function* () {
    if (!first.done) yield first.value;
    yield* chunks;
  };
  return { name: `${name}-${now.slice(0, 'YYYY-MM-DD'.length)}.csv`, chunks: all() };
}

const readCurrency = (context: DoorContext) => context.resolvers.get(SettingsResolver).currency();

async function* writeUsage({ report, form }: UsageFileQuery, context: DoorContext): AsyncGenerator<string> {
  const rows = await context.resolvers.get(UsageResolver).filamentUsage(report, context, true);
  // The resolvers are taken only now: `get` throws if the deadline of the request passed while the report was read.
  const printers = context.resolvers.get(UsagePrinterLink);
  const spools = context.resolvers.get(UsageSpoolLink);
  const materials = context.resolvers.get(UsageMaterialLink);
  const filaments = context.resolvers.get(UsageFilamentLink);
  const namedRows = rows.map(async (row) => {
    const objects = [printers.find(row), spools.find(row), materials.find(row), filaments.find(row)] as const;
    const [printer, spool, material, filament] = await Promise.all(objects);
    return { ...row, printer, spool, material, filament };
  });
  const sheet = USAGE_SHEET(form, readCurrency(context));
  yield sheet.header + sheet.lines(await Promise.all(namedRows));
}

/** Reads the parts of jobs, one row for each part. */
async function readParts(jobs: readonly JobRow[], context: DoorContext): Promise<PartOfJob[]> {
  const [parts, bases] = [context.resolvers.get(PrintJobPartsResolver), context.resolvers.get(PartBasisResolver)];
  const readPartsOfJob = async (printJob: JobRow) => {
    const addBasis = async (part: PrintJobPart) => ({
      ...part,
      printJob,
      filamentBasis: await bases.filamentBasis(part),
    });
    return Promise.all((await parts.parts(printJob)).map(addBasis));
  };
  return (await Promise.all(jobs.map(readPartsOfJob))).flat();
}

/** How many jobs have their films read with the time and the limits of one request. */
const JOBS_PER_REQUEST = 100;

/**
 * Reads what cameras recorded of jobs, one row for each camera of a job. Reads a few jobs at a time, because the number of status
 * records that one request may read is limited.
 */
async function readFilms(jobs: readonly JobRow[], firstContext: DoorContext): Promise<FilmOfJob[]> {
  const rows: FilmOfJob[] = [];
  for (let at = 0; at < jobs.length; at += JOBS_PER_REQUEST) {
    const context = at === 0 ? firstContext : firstContext.restart();
    const [films, cameras] = [context.resolvers.get(JobFilmingResolver), context.resolvers.get(FilmingCameraLink)];
    const addCamera = async (printJob: JobRow, film: JobFilming) => ({
      ...film,
      printJob,
      camera: (await cameras.find(film))?.friendlyName,
    });
    // A job that exceeds the records of the request is read again with the limit of a new request.
    const readFilming = async (printJob: JobRow) =>
      films.filming(printJob, context).catch((error) => {
        if (!(error instanceof BadInput)) throw error;
        return films.filming(printJob, context.restart());
      });
    const readFilmsOfJob = async (printJob: JobRow) =>
      Promise.all(((await readFilming(printJob)) ?? []).map((film) => addCamera(printJob, film)));
    rows.push(...(await Promise.all(jobs.slice(at, at + JOBS_PER_REQUEST).map(readFilmsOfJob))).flat());
  }
  return rows;
}

async function addNamesToSpool(spool: SpoolRow, { resolvers }: DoorContext): Promise<SpoolOfFile> {
  const slots = resolvers.get(SpoolSlotResolver);
  const printers = resolvers.get(SlotPrinterLink);
  const [grams, filament, loaded, details, tags] = await Promise.all([
    resolvers.get(SpoolStockResolver).gramsOf(spool),
    resolvers.get(SpoolFilamentLink).find(spool),
    slots.loadedIn(spool),
    resolvers.get(SpoolDetailsResolver).detailsOf(spool),
    resolvers.get(TagResolver).tags(spool),
  ]);
  const loadedIn = loaded && { printer: await printers.find(loaded), slot: loaded.slot };
  return { ...spool, ...grams, ...details, id: spool.id, filament, loadedIn, tags };
}

async function addStock(filament: Filament, { resolvers }: DoorContext): Promise<FilamentOfFile> {
  return { ...filament, stock: await resolvers.get(FilamentStockResolver).stock(filament) };
}

const ROWS = { rows: true, total: false };

/** Makes a file of jobs. `rowsOf` makes the rows of a page: one for each job, or several. */
const writeJobRows = <Row>(
  sheetIn: ReturnType<typeof defineCsv<Row>>,
  rowsOf: (jobs: JobRow[], context: DoorContext) => Promise<Row[]>,
  { filter, recording, orderBy, form }: JobFileQuery,
  firstContext: DoorContext,
): AsyncGenerator<string> =>
  writePages(sheetIn(form, readCurrency(firstContext)), firstContext, async (after, context) => {
    const page = await context.resolvers
      .get(PrintJobResolver)
      .printJobs(filter, { first: MAX_PAGE_ROWS, after }, ROWS, orderBy, recording);
    return makeFilePage(page, await rowsOf(page.nodes, context));
  });

/** @param rows the rows of the file that belong to the page */
function makeFilePage<Node, Row>({ nodes, hasNextPage, cursorOf }: Page<Node>, rows: Row[]) {
  const last = nodes.at(-1);
  return { rows, after: hasNextPage && last !== undefined ? cursorOf(last) : null };
}

/**
 * Makes a file page by page. Each page has the time limit of a whole request.
 * @param pageAfter reads the page after a cursor: its rows, and the cursor of the next page, which is null after the last page
 */
async function* writePages<Row>(
  sheet: ReturnType<ReturnType<typeof defineCsv<Row>>>,
  firstContext: DoorContext,
  pageAfter: (after: string | null, context: DoorContext) => Promise<{ rows: Row[]; after: string | null }>,
): AsyncGenerator<string> {
  let text = sheet.header;
  let after: string | null = null;
  for (let context = firstContext; ; context = firstContext.restart()) {
    const page: { rows: Row[]; after: string | null } = await pageAfter(after, context);
    yield text + sheet.lines(page.rows);
    if (page.after === null) return;
    text = '';
    after = page.after;
  }
}
