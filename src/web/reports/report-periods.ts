// The days, weeks or months of a report, those without a job too.
import { dayAfter, dayOf } from '../parts/days';

/** The steps from narrow to wide, with their days. */
const STEPS = { DAY: 1, WEEK: 7, MONTH: 30 };
export type PeriodStep = keyof typeof STEPS;

export interface Range {
  first: string;
  last: string;
  step: PeriodStep;
  /** Its days are those of UTC, and not of the reader's zone. */
  isUtc?: boolean;
}

const DAY_MS = 86_400_000;
/** So many bars have about a pixel each. */
const MAX_BARS = 400;

/** The day on which a period begins. */
export const dayIn = (begin: string | null, { isUtc }: Pick<Range, 'isUtc'>): string =>
  begin === null ? '' : dayOf(new Date(begin), isUtc);

/**
 * The rows of a report by the day on which their bar begins. Where a range has too many bars, they begin with the first row
 * and end with the last one, and are wider when these are still too many.
 */
export function barsOf<Row extends { from: string | null }>(range: Range, rows: readonly Row[]) {
  const days = rows.map(({ from }) => dayIn(from, range));
  const isShort = fits(range, range.step);
  const { first, last } = isShort ? range : { first: days[0] ?? '', last: days.at(-1) ?? '' };
  const steps = Object.keys(STEPS) as PeriodStep[];
  const wider = steps.slice(steps.indexOf(range.step));
  const step = wider.find((step) => fits({ first, last }, step)) ?? 'MONTH';
  const bars = new Map<string, Row[]>();
  for (let day = beginOfPeriod(first, step); day <= last; day = nextPeriod(day, step)) bars.set(day, []);
  for (const [index, row] of rows.entries()) bars.get(beginOfPeriod(days[index] as string, step))?.push(row);
  return { step, bars };
}

/** A range does not fit where a typed day does not exist, or has a year of six digits. */
function fits({ first, last }: Pick<Range, 'first' | 'last'>, step: PeriodStep): boolean {
  const bars = (Date.parse(last) - Date.parse(first)) / (STEPS[step] * DAY_MS);
  return bars >= 0 && bars <= MAX_BARS;
}

function beginOfPeriod(day: string, step: PeriodStep): string {
  if (step === 'MONTH') return `${day.slice(0, 8)}01`;
  // Weeks begin on Monday.
  return step === 'WEEK' ? dayAfter(day, -((new Date(`${day}T12:00`).getDay() + 6) % 7)) : day;
}

function nextPeriod(day: string, step: PeriodStep): string {
  if (step === 'MONTH') return beginOfPeriod(dayAfter(day, 31), step);
  return dayAfter(day, step === 'WEEK' ? 7 : 1);
}

export function writeDay(day: string, step: PeriodStep): string {
  const date = new Date(`${day}T12:00`);
  return step === 'MONTH'
    ? date.toLocaleDateString(undefined, { month: 'short', year: 'numeric' })
    : date.toLocaleDateString(undefined, { day: 'numeric', month: 'short', year: 'numeric' });
}
