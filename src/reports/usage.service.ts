// The rules of reports.
import { BadInput } from '../errors';
import type { Spool } from '../inventory/inventory.types';
import { checkedFilter } from '../print-jobs/print-job.filter';
import { withoutZeros } from '../values/decimal';
import { before, DAY_MS } from '../values/instant';
import { parseTimeZone } from '../values/time-zone';
import type { FilamentUsageArguments } from './usage.inputs';
import { DAYS_OF_METRICS, MAX_USAGE_ROWS } from './usage.limits';
import type { SpoolUsage, UsageRow } from './usage.rows';
import type { UsageStore } from './usage.store';
import type { UsageGroup } from './usage.types';

const UNITS: Partial<Record<UsageGroup, 'day' | 'week' | 'month'>> = { DAY: 'day', WEEK: 'week', MONTH: 'month' };

export class UsageService {
  constructor(private readonly store: UsageStore) {}

  async usage({ from = null, to = null, groupBy, timeZone, filter }: FilamentUsageArguments): Promise<UsageRow[]> {
    const groups = new Set(groupBy);
    const [unit = null, another] = [...groups].flatMap((group) => UNITS[group] ?? []);
    if (another !== undefined) throw new BadInput('must have at most one of DAY, WEEK and MONTH', 'groupBy');
    if (from !== null && to !== null && to < from) throw new BadInput('must not be before from', 'to');
    const zone = parseTimeZone(timeZone, 'timeZone');
    const rows = await this.store.usage({ from, to, unit, zone, groups, filter: checkedFilter(filter ?? {}) });
    if (rows.length > MAX_USAGE_ROWS) {
      throw new BadInput(
        `The report has more than ${MAX_USAGE_ROWS} rows: ask for less time between from and to, for fewer groups in groupBy, or for fewer jobs by filter`,
        'groupBy',
      );
    }
    return rows;
  }

  /** Grams and cost of the jobs completed on each of the last days, in UTC. */
  async completedByDay(now: string) {
    const today = now.slice(0, 'YYYY-MM-DD'.length);
    const from = before(today, (DAYS_OF_METRICS - 1) * DAY_MS);
    const rows = await this.usage({ from, groupBy: ['DAY'], timeZone: 'UTC' });
    return rows
      .filter(({ completedJobs }) => completedJobs > 0)
      .map((row) => ({
        day: String(row.from).slice(0, today.length),
        grams: row.completedGrams,
        cost: row.completedCost,
      }));
  }

  /** A spool that was removed since it was read had no jobs. */
  async ofSpool({ id, weightTotalGrams }: Spool): Promise<SpoolUsage> {
    const known = await this.store.ofSpool.load(id);
    return known ?? { id, usedGrams: '0', plannedGrams: '0', remainingGrams: withoutZeros(weightTotalGrams) };
  }
}
