// The last seven days of the farm: the grams of each as a bar, the wasted ones on top.
import { useQuery } from '@apollo/client/react';
import { WeekDocument } from '../../generated/web-operations';
import { beginOfDay, dayAfter, dayOf, timeZone } from '../parts/days';
import { useNow } from '../parts/moment';
import { Section } from '../parts/page';
import styles from './farm.module.css';

const DAYS = 7;
/** Noon: at midnight a day has another name in another zone. */
const nameOf = (day: string) => new Date(`${day}T12:00`).toLocaleDateString(undefined, { weekday: 'short' });

export function Week() {
  const today = dayOf(new Date(useNow()));
  const first = dayAfter(today, 1 - DAYS);
  const query = useQuery(WeekDocument, { variables: { from: beginOfDay(first) as string, timeZone } });
  const days = Array.from({ length: DAYS }, (_, at) => {
    const day = dayAfter(first, at);
    const row = query.data?.filamentUsage.find(({ from }) => from !== null && dayOf(new Date(from)) === day);
    return { day, completed: Number(row?.completedGrams ?? 0), wasted: Number(row?.wastedGrams ?? 0) };
  });
  const most = Math.max(...days.map(({ completed, wasted }) => completed + wasted));
  if (most === 0) return null;
  const share = (grams: number) => ({ height: `${(grams / most) * 100}%` });
  return (
    <Section title="Filament used, last 7 days">
      <ol className={styles['week']} aria-label="Filament used in the last 7 days">
        {days.map(({ day, completed, wasted }) => (
          <li key={day} title={`${short(completed)} completed, ${short(wasted)} wasted`}>
            <span>{short(completed + wasted)}</span>
            <div aria-hidden="true">
              <i data-wasted style={share(wasted)} />
              <i style={share(completed)} />
            </div>
            <span>{nameOf(day)}</span>
          </li>
        ))}
      </ol>
    </Section>
  );
}

/** Four digits at most. */
const short = (grams: number): string =>
  grams >= 1000
    ? `${(grams / 1000).toLocaleString(undefined, { maximumSignificantDigits: 3 })} kg`
    : `${Math.round(grams).toLocaleString()} g`;
