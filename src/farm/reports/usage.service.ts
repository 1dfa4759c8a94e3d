// Decides which reports may run, and in which order: their price, their number of rows, and their turns.
import pLimit from 'p-limit';
import { BadInput } from '../../errors';
import { DAY_MS, subtractMs } from '../../values/instant';
import { parseTimeZone } from '../../values/time-zone';
import { parseJobFilter } from '../print-jobs/print-job.filter';
import type { FilamentUsageArguments } from './usage.inputs';
import type { UsageRow } from './usage.rows';
import { MAX_USAGE_ROWS, type Report, type UsageStore } from './usage.store';
import type { UsageGroup } from './usage.types';

/**
 * The built-in database blocks the process while a statement runs. The price of a report is the number of jobs in its time, multiplied by
 * the square of the number of its groups, plus the number of jobs of spools with losses. For 100,000 jobs on one core, a report by day took
 * 0.2 s, by day and printer 0.8 s, and by day, printer, spool and material 1.6 s. The maximum corresponds to half a second.
 */
export const MAX_EMBEDDED_REPORT_PRICE = 250_000;
/** Today and the previous six days, in UTC. */
const DAYS_OF_METRICS = 7;

const UNITS: Partial<Record<UsageGroup, 'day' | 'week' | 'month'>> = { DAY: 'day', WEEK: 'week', MONTH: 'month' };

const TOO_LONG = `The report has more than ${MAX_USAGE_ROWS} rows: choose a shorter time between from and to, fewer groups in groupBy, or a filter with fewer jobs`;
const TOO_EXPENSIVE =
  'The reports of this request would read too many jobs for the built-in database: choose a shorter time between from and to, or remove a group from groupBy';

/** The reports of one request: their prices, and the queue in which they run. */
interface RequestedReports {
  prices: Promise<number>[];
  inTurn: ReturnType<typeof pLimit>;
}

export class UsageService {
  /** The reports of each running request. */
  private readonly requested = new WeakMap<object, RequestedReports>();

  /** @param maxPrice the highest price of all reports of one request; null for no limit */
  constructor(
    private readonly store: UsageStore,
    private readonly maxPrice: number | null,
  ) {}

  /**
   * Runs a report of a request. All fields of an operation ask for their reports in the same turn of the event loop, so that all of them
   * are refused before the first one starts. The reports run one after the other, so that statements of other requests can run in between.
   */
  async report(request: object, given: FilamentUsageArguments, hasLosses: boolean): Promise<UsageRow[]> {
    const report = parseReport(given, hasLosses);
    const reports = this.requested.get(request) ?? { prices: [], inTurn: pLimit(1) };
    this.requested.set(request, reports);
    if (this.maxPrice !== null) {
      const price = this.calculatePrice(report, this.maxPrice);
      reports.prices.push(price);
      await price;
      const prices = await Promise.all(reports.prices);
      if (prices.reduce((sum, price) => sum + price) > this.maxPrice) throw new BadInput(TOO_EXPENSIVE, 'groupBy');
    }
    return reports.inTurn(() => this.readRows(report));
  }

  /** Counts jobs only up to the limit. */
  private async calculatePrice(report: Report, maxPrice: number): Promise<number> {
    const each = Math.max(1, report.groups.size ** 2);
    const jobs = await this.store.countJobs(report, Math.floor(maxPrice / each) + 1);
    return each * jobs + (await this.store.countLedgerUses(report, maxPrice + 1));
  }

  private async readRows(report: Report): Promise<UsageRow[]> {
    const rows = await this.store.usage(report);
    if (rows.length > MAX_USAGE_ROWS) throw new BadInput(TOO_LONG, 'groupBy');
    return rows;
  }

  /** The grams and the cost of completed jobs on each of the last days, in UTC, for the metrics. */
  async completedByDay(now: string) {
    const today = now.slice(0, 'YYYY-MM-DD'.length);
    const from = subtractMs(today, (DAYS_OF_METRICS - 1) * DAY_MS);
    const report = parseReport({ from, groupBy: ['DAY'], timeZone: 'UTC' }, false);
    const rows = await this.readRows({ ...report, isOfJobs: true });
    return rows
      .filter(({ completedJobs }) => completedJobs > 0)
      .map((row) => ({
        day: String(row.from).slice(0, today.length),
        grams: row.completedGrams,
        cost: row.completedCost,
      }));
  }
}

function parseReport(given: FilamentUsageArguments, hasLosses: boolean): Report {
  const { from = null, to = null, groupBy, timeZone, filter } = given;
  const groups = new Set(groupBy);
  const [unit = null, another] = [...groups].flatMap((group) => UNITS[group] ?? []);
  if (another !== undefined) throw new BadInput('must have at most one of DAY, WEEK and MONTH', 'groupBy');
  if (from !== null && to !== null && to < from) throw new BadInput('must not be before from', 'to');
  const zone = parseTimeZone(timeZone, 'timeZone');
  return { from, to, unit, zone, groups, filter: parseJobFilter(filter ?? {}), hasLosses };
}
