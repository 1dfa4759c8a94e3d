// The rules of reports.
import pLimit from 'p-limit';
import { BadInput } from '../../errors';
import { before, DAY_MS } from '../../values/instant';
import { parseTimeZone } from '../../values/time-zone';
import { checkedJobFilter } from '../print-jobs/print-job.filter';
import type { FilamentUsageArguments } from './usage.inputs';
import type { UsageRow } from './usage.rows';
import { MAX_USAGE_ROWS, type Report, type UsageStore } from './usage.store';
import type { UsageGroup } from './usage.types';

/**
 * The built-in database holds the process while a statement runs. The price of a report is the number of the jobs in its time,
 * times the square of its groups, and once more the jobs of the spools that lost something: of 100,000 jobs on one core, by day took 0.2 s, by day and printer 0.8 s, by day, printer,
 * spool and material 1.6 s. This price is half a second.
 */
export const MAX_EMBEDDED_REPORT_PRICE = 250_000;
/** Today and the six days before, in UTC. */
const DAYS_OF_METRICS = 7;

const UNITS: Partial<Record<UsageGroup, 'day' | 'week' | 'month'>> = { DAY: 'day', WEEK: 'week', MONTH: 'month' };

const TOO_LONG = `The report has more than ${MAX_USAGE_ROWS} rows: ask for less time between from and to, for fewer groups in groupBy, or for fewer jobs by filter`;
const TOO_EXPENSIVE =
  'The reports of this request would read too many jobs for the built-in database: ask for less time between from and to, or leave a group out of groupBy';

/** The reports that a request has asked for: their prices, and the turns in which they run. */
interface RequestedReports {
  prices: Promise<number>[];
  inTurn: ReturnType<typeof pLimit>;
}

export class UsageService {
  /** What each request has asked for, while it runs. */
  private readonly requested = new WeakMap<object, RequestedReports>();

  /** @param maxPrice of all reports of one request; null for no limit */
  constructor(
    private readonly store: UsageStore,
    private readonly maxPrice: number | null,
  ) {}

  /**
   * A report of a request. The fields of an operation ask in the same turn of the event loop, so that they are all refused
   * before the first of them begins. They run one after the other: statements of other requests come between.
   */
  async report(request: object, given: FilamentUsageArguments, hasLosses: boolean): Promise<UsageRow[]> {
    const report = parseReport(given, hasLosses);
    const asked = this.requested.get(request) ?? { prices: [], inTurn: pLimit(1) };
    this.requested.set(request, asked);
    if (this.maxPrice !== null) {
      const price = this.calculatePrice(report, this.maxPrice);
      asked.prices.push(price);
      await price;
      const prices = await Promise.all(asked.prices);
      if (prices.reduce((sum, one) => sum + one) > this.maxPrice) throw new BadInput(TOO_EXPENSIVE, 'groupBy');
    }
    return asked.inTurn(() => this.readRows(report));
  }

  /** The jobs are counted as far as the limit goes. */
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

  /** Grams and cost of the jobs completed on each of the last days, in UTC. */
  async completedByDay(now: string) {
    const today = now.slice(0, 'YYYY-MM-DD'.length);
    const from = before(today, (DAYS_OF_METRICS - 1) * DAY_MS);
    const rows = await this.readRows(parseReport({ from, groupBy: ['DAY'], timeZone: 'UTC' }, false));
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
  return { from, to, unit, zone, groups, filter: checkedJobFilter(filter ?? {}), hasLosses };
}
