// The filament used on each of the last seven days as a bar, with the wasted part on top.
import { useQuery } from '@apollo/client/react';
import { WeekDocument } from '../../generated/web-operations';
import { addDays, startOfDay, timeZone, toDay } from '../parts/days';
import { useNow } from '../parts/moment';
import { Section } from '../parts/page';
import styles from './farm.module.css';

const DAYS = 7;
/** Formats noon of the day, because midnight may be on another day in another time zone. */
const formatWeekday = (day: string) => new Date(`${day}T12:00`).toLocaleDateString(undefined, { weekday: 'short' });

export function Week() {
  const today = toDay(new Date(useNow()));
  const first = addDays(today, 1 - DAYS);
  const query = useQuery(WeekDocument, { variables: { from: startOfDay(first) as string, timeZone } });
  const days = Array.from({ length: DAYS }, (_, index) => {
    const day = addDays(first, index);
    const row = query.data?.filamentUsage.find(({ from }) => from !== null && toDay(new Date(from)) === day);
    return { day, completed: Number(row?.completedGrams ?? 0), wasted: Number(row?.wastedGrams ?? 0) };
  });
  const most = Math.max(...days.map(({ completed, wasted }) => completed + wasted));
  if (most === 0) return null;
  const barStyle = (grams: number) => ({ height: `${(grams / most) * 100}%` });
  return (
    <Section title="Filament used, last 7 days">
      <ol className={styles['week']} aria-label="Filament used in the last 7 days">
        {days.map(({ day, completed, wasted }) => (
          <li key={day} title={`${formatShort(completed)} completed, ${formatShort(wasted)} wasted`}>
            <span>{formatShort(completed + wasted)}</span>
            <div aria-hidden="true">
              <i data-wasted style={barStyle(wasted)} />
              <i style={barStyle(completed)} />
            </div>
            <span>{formatWeekday(day)}</span>
          </li>
        ))}
      </ol>
    </Section>
  );
}

/** Grams or kilograms with few digits. */
const formatShort = (grams: number): string =>
  grams >= 1000
    ? `${(grams / 1000).toLocaleString(undefined, { maximumSignificantDigits: 3 })} kg`
    : `${Math.round(grams).toLocaleString()} g`;
