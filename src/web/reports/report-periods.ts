// Groups the rows of a report into the bars of a plot: one for each day, week or month, also for those without a job.
import { addDays, toDay } from '../parts/days';

/** The steps from narrow to wide, with the number of their days. */
const STEPS = { DAY: 1, WEEK: 7, MONTH: 30 };
export type PeriodStep = keyof typeof STEPS;

export interface ReportRange {
  first: string;
  last: string;
  step: PeriodStep;
  /** Whether the days are those of UTC instead of the reader's time zone. */
  isUtc?: boolean;
}

const DAY_MS = 86_400_000;
/** With this many bars, each bar is about one pixel wide. */
const MAX_BARS = 400;

/** The day on which a period starts. */
export const findDay = (start: string | null, { isUtc }: Pick<ReportRange, 'isUtc'>): string =>
  start === null ? '' : toDay(new Date(start), isUtc);

/**
 * Groups the rows of a report by the day on which their bar starts. If the range has too many bars, the bars cover only the time from the
 * first to the last row. If they are still too many, the bars become wider.
 */
export function groupIntoBars<Row extends { from: string | null }>(range: ReportRange, rows: readonly Row[]) {
  const days = rows.map(({ from }) => findDay(from, range));
  const fitsStep = hasRoomFor(range, range.step);
  const { first, last } = fitsStep ? range : { first: days[0] ?? '', last: days.at(-1) ?? '' };
  const steps = Object.keys(STEPS) as PeriodStep[];
  const widerSteps = steps.slice(steps.indexOf(range.step));
  const step = widerSteps.find((step) => hasRoomFor({ first, last }, step)) ?? 'MONTH';
  const bars = new Map<string, Row[]>();
  for (let day = startOfPeriod(first, step); day <= last; day = nextPeriod(day, step)) bars.set(day, []);
  for (const [index, row] of rows.entries()) bars.get(startOfPeriod(days[index] as string, step))?.push(row);
  return { step, bars };
}

/** Also false if a typed day does not exist, or if its year has six digits. */
function hasRoomFor({ first, last }: Pick<ReportRange, 'first' | 'last'>, step: PeriodStep): boolean {
  const bars = (Date.parse(last) - Date.parse(first)) / (STEPS[step] * DAY_MS);
  return bars >= 0 && bars <= MAX_BARS;
}

function startOfPeriod(day: string, step: PeriodStep): string {
  if (step === 'MONTH') return `${day.slice(0, 8)}01`;
  // Weeks start on Monday.
  return step === 'WEEK' ? addDays(day, -((new Date(`${day}T12:00`).getDay() + 6) % 7)) : day;
}

function nextPeriod(day: string, step: PeriodStep): string {
  if (step === 'MONTH') return startOfPeriod(addDays(day, 31), step);
  return addDays(day, step === 'WEEK' ? 7 : 1);
}

export function formatPeriod(day: string, step: PeriodStep): string {
  const date = new Date(`${day}T12:00`);
  return step === 'MONTH'
    ? date.toLocaleDateString(undefined, { month: 'short', year: 'numeric' })
    : date.toLocaleDateString(undefined, { day: 'numeric', month: 'short', year: 'numeric' });
}
