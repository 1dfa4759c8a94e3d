// The prices of the fields of this schema: the objects that a field answers, and the rows that it reads beside them.
import { MAX_GAPS, MAX_SERIES_POINTS } from '../cameras/camera.limits';
import { MAX_CHANGES_EXAMINED } from '../changes/change.limits';
import { MAX_USAGE_ROWS } from '../reports/usage.limits';
import { clamp, MAX_PAGE_ROWS } from '../values/page';

/** A page size, the length of a list, the price of a filter, or 1 for a text; undefined for other values. */
export type Weight = number | undefined;

type Argument = (name: string) => Weight;

/** The arguments that say how long a list is, with the greatest lengths. Without one, a list has the argument's default. */
const LENGTHS: Record<string, number> = { first: MAX_PAGE_ROWS, input: MAX_PAGE_ROWS, points: MAX_SERIES_POINTS };
/** The assumed sizes of lists without such an argument. All cameras count as the largest page. */
export const SIZES: Record<string, number> = {
  cameras: 5,
  filamentUsage: 1,
  gaps: MAX_GAPS,
  jobsByStatus: 5,
  materials: 50,
  recordCameraStatuses: 1,
  statusHistory: 5,
};

/**
 * The price of rows that are read and not answered. A search may read all jobs: among 300,000 it takes 0.4 s in the built-in
 * database, and 330 searches in one operation held it for 135 s. A count by time reads up to 10,000 rows, and an offset
 * reads the rows that it skips.
 */
const FILTER_PRICES: Record<string, number> = { search: 100_000, createdFrom: 10_000, createdTo: 10_000 };
const MAX_OFFSET_PRICE = 100_000;
/** The price of adding up a camera's log, for each camera. */
export const LOG_PRICES: Record<string, number> = { series: 50, availability: 50 };
/** A report by time reads some hundred sums. Any other one may read all jobs: among 1,000,000 it takes half a second. */
const REPORT_PRICE = 50_000;
/** The other lists are as short as the farm has cameras, printers and spools. */
const LISTS_OF_JOBS = ['printJobs', 'jobs'];

/** @param members of a filter */
export const filterPriceOf = (members: [name: string, weight: Weight][]) =>
  members.reduce((sum, [name, weight]) => sum + (weight === undefined ? 0 : (FILTER_PRICES[name] ?? 0)), 0);

/** The number of objects of a field: its page size, or the length of its input list. */
export function objectsOf(field: string, argument: Argument, usual: number): number {
  if (field === 'filamentUsage') return (argument('groupBy') ?? 0) > 0 ? MAX_USAGE_ROWS : 1;
  for (const [name, max] of Object.entries(LENGTHS)) {
    const size = argument(name);
    if (size !== undefined) return clamp(size, 1, max);
  }
  return usual;
}

/** One statement reads the lists of all parents, so this price is for all copies of the field. */
export function readPriceOf(field: string, argument: Argument): number {
  if (field === 'changes') return argument('filter') === undefined ? 0 : MAX_CHANGES_EXAMINED;
  if (field === 'filamentUsage') return REPORT_PRICE + (argument('filter') ?? 0);
  if (!LISTS_OF_JOBS.includes(field)) return 0;
  return (argument('filter') ?? 0) + clamp(argument('offset') ?? 0, 0, MAX_OFFSET_PRICE);
}
