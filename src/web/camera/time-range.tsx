// The time range that the camera page shows, kept in the address: the last hours, or any two times.
import { useMemo } from 'react';
import { ChoiceFilter, FieldFilter, Filters, useFilters } from '../parts/filters';
import { useNow } from '../parts/moment';

const HOUR_MS = 3_600_000;
const LAST: Record<string, { name: string; hours: number }> = {
  hour: { name: 'Last hour', hours: 1 },
  day: { name: 'Last 24 hours', hours: 24 },
  week: { name: 'Last 7 days', hours: 168 },
};

/** A range that ends now moves on so often, and with each newest record, though not more than once in FOLLOW_MS. */
const MOVE_MS = 30_000;
const FOLLOW_MS = 5_000;

export interface Range {
  /** The same for a range that only has moved on. */
  key: string;
  from: string;
  /** null: until now. */
  to: string | null;
  /** The same as numbers, `until` being now where there is no end. */
  since: number;
  until: number;
}

/** @param newest when the camera last spoke */
export function useRange(newest: string | undefined): Range {
  const [of] = useFilters();
  const [last, from, to] = [of('last'), of('from'), of('to')];
  const tick = Math.floor(useNow() / MOVE_MS);
  const record = newest && Math.floor(Date.parse(newest) / FOLLOW_MS);
  // biome-ignore lint/correctness/useExhaustiveDependencies: time and a new record move the range on
  return useMemo(() => {
    // Other years cannot be written as the gateway reads times.
    const isTime = (time: string) => /^\d{4}-/.test(time) && !Number.isNaN(Date.parse(time));
    const [isOwnFrom, isOwnTo] = [from, to].map((time) => last === 'own' && isTime(time));
    const until = isOwnTo ? Date.parse(to) : Date.now();
    const hours = LAST[Object.hasOwn(LAST, last) ? last : 'day']?.hours as number;
    const since = isOwnFrom ? Date.parse(from) : until - hours * HOUR_MS;
    return {
      key: `${last} ${from} ${to}`,
      from: new Date(since).toISOString(),
      to: isOwnTo ? new Date(until).toISOString() : null,
      since,
      until,
    };
  }, [last, from, to, tick, record]);
}

const CHOICES = {
  ...Object.fromEntries(Object.entries(LAST).map(([value, { name }]) => [value === 'day' ? '' : value, name])),
  own: 'Custom range',
};

export function RangeChoice() {
  const [of] = useFilters();
  const isOwn = of('last') === 'own';
  return (
    <Filters>
      <ChoiceFilter label="Time range" name="last" choices={CHOICES} />
      {isOwn && <FieldFilter name="from" label="From" type="datetime-local" />}
      {isOwn && <FieldFilter name="to" label="To (optional)" type="datetime-local" />}
    </Filters>
  );
}
