// The files for spreadsheets, which are made while they are sent.
import type { DoorContext } from '../graph/context';
import { PrintJobResolver } from '../print-jobs/print-job.resolver';
import type { JobRow } from '../print-jobs/print-job.rows';
import { UsageResolver } from '../reports/usage.resolver';
import { CurrencyResolver } from '../summary/currency.resolver';
import { MAX_PAGE_ROWS, type Page } from '../values/page';
import type { JobFileQuery, UsageFileQuery } from './queries';
import { JOB_SHEET, USAGE_SHEET } from './sheets';

export interface CsvFile {
  name: string;
  /** The first piece is ready. */
  pieces: AsyncIterable<string>;
}

export const usageFile = (query: UsageFileQuery, context: DoorContext): Promise<CsvFile> =>
  begunFile('filament-usage', usagePieces(query, context), context);

export const jobFile = (query: JobFileQuery, context: DoorContext): Promise<CsvFile> =>
  begunFile('print-jobs', jobPieces(query, context), context);

/** Waits for the first piece, so that a refusal or a failure is answered as such. */
async function begunFile(name: string, pieces: AsyncGenerator<string>, { now }: DoorContext): Promise<CsvFile> {
  const first = await pieces.next();
  const all = async function* () {
    if (!first.done) yield first.value;
    yield* pieces;
  };
  return { name: `${name}-${now.slice(0, 'YYYY-MM-DD'.length)}.csv`, pieces: all() };
}

const currencyOf = (context: DoorContext) => context.resolvers.get(CurrencyResolver).currency(context);

async function* usagePieces({ report, form }: UsageFileQuery, context: DoorContext): AsyncGenerator<string> {
  const rows = await context.resolvers.get(UsageResolver).filamentUsage(report, context);
  // Got again, because the time of the request may be over.
  const usage = context.resolvers.get(UsageResolver);
  const named = rows.map(async (row) => {
    const [printer, spool, material] = await Promise.all([
      usage.printer(row, context),
      usage.spool(row, context),
      usage.material(row, context),
    ]);
    return { ...row, printer, spool, material };
  });
  const sheet = USAGE_SHEET(form, currencyOf(context));
  yield sheet.header + sheet.lines(await Promise.all(named));
}

/** Page by page, each with the time of a request of its own. */
async function* jobPieces({ filter, orderBy, form }: JobFileQuery, begun: DoorContext): AsyncGenerator<string> {
  const sheet = JOB_SHEET(form, currencyOf(begun));
  let text = sheet.header;
  let after: string | null = null;
  for (let context = begun; ; context = begun.restarted()) {
    const page: Page<JobRow> = await context.resolvers
      .get(PrintJobResolver)
      .printJobs(filter, { first: MAX_PAGE_ROWS, after }, { rows: true, total: false }, context, orderBy);
    yield text + sheet.lines(page.nodes);
    const last = page.nodes.at(-1);
    if (!page.hasNextPage || last === undefined) return;
    text = '';
    after = page.cursorOf(last);
  }
}
