// The days, weeks or months of a report, those without a job too.
import type { UsageGroup } from '../../generated/web-operations';
import { dayAfter, dayOf } from '../parts/days';

export interface Range {
  first: string;
  last: string;
  step: UsageGroup;
}

/** A plot with more bars than this shows nothing. */
const MAX_PERIODS = 1000;

/** The day on which a period begins, in the reader's zone. */
export const dayIn = (begin: string | null): string => (begin === null ? '' : dayOf(new Date(begin)));

export function periodsOf({ first, last, step }: Range): string[] {
  const periods: string[] = [];
  for (let day = beginOfPeriod(first, step); day <= last && periods.length < MAX_PERIODS; day = nextPeriod(day, step)) {
    periods.push(day);
  }
  return periods;
}

function beginOfPeriod(day: string, step: UsageGroup): string {
  if (step === 'MONTH') return `${day.slice(0, 8)}01`;
  // Weeks begin on Monday.
  return step === 'WEEK' ? dayAfter(day, -((new Date(`${day}T12:00`).getDay() + 6) % 7)) : day;
}

function nextPeriod(day: string, step: UsageGroup): string {
  if (step === 'MONTH') return beginOfPeriod(dayAfter(day, 31), step);
  return dayAfter(day, step === 'WEEK' ? 7 : 1);
}

export function writeDay(day: string, step: UsageGroup): string {
  const date = new Date(`${day}T12:00`);
  return step === 'MONTH'
    ? date.toLocaleDateString(undefined, { month: 'short', year: 'numeric' })
    : date.toLocaleDateString(undefined, { day: 'numeric', month: 'short', year: 'numeric' });
}
