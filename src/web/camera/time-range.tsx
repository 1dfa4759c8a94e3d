// Holds the time range that the camera page shows. It is kept in the address: the last hours, or any two times.
import { useMemo } from 'react';
import { ChoiceFilter, FieldFilter, Filters, useFilters } from '../parts/filters';
import { useNow } from '../parts/moment';

const HOUR_MS = 3_600_000;
const RANGES: Record<string, { name: string; hours: number }> = {
  hour: { name: 'Last hour', hours: 1 },
  day: { name: 'Last 24 hours', hours: 24 },
  week: { name: 'Last 7 days', hours: 168 },
};

/** A range that ends now moves at this interval, and with each new record, but at most once in FOLLOW_MS. */
const REFRESH_MS = 30_000;
const FOLLOW_MS = 5_000;

export interface Range {
  /** Identifies the user's choice. A range that only moved with the time keeps its key. */
  key: string;
  from: string;
  /** `null` if the range ends now. */
  to: string | null;
  /** The same times as numbers. `until` is the current time if the range has no end. */
  since: number;
  until: number;
}

/** @param lastRecordedAt the time of the camera's newest record */
export function useRange(lastRecordedAt: string | undefined): Range {
  const [getFilter] = useFilters();
  const [last, from, to] = [getFilter('last'), getFilter('from'), getFilter('to')];
  const tick = Math.floor(useNow() / REFRESH_MS);
  const record = lastRecordedAt && Math.floor(Date.parse(lastRecordedAt) / FOLLOW_MS);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the range moves with the time and with each new record
  return useMemo(() => {
    // The gateway reads only years of four digits.
    const isTime = (time: string) => /^\d{4}-/.test(time) && !Number.isNaN(Date.parse(time));
    const [hasCustomFrom, hasCustomTo] = [from, to].map((time) => last === 'own' && isTime(time));
    const until = hasCustomTo ? Date.parse(to) : Date.now();
    const hours = RANGES[Object.hasOwn(RANGES, last) ? last : 'day']?.hours as number;
    const since = hasCustomFrom ? Date.parse(from) : until - hours * HOUR_MS;
    return {
      key: `${last} ${from} ${to}`,
      from: new Date(since).toISOString(),
      to: hasCustomTo ? new Date(until).toISOString() : null,
      since,
      until,
    };
  }, [last, from, to, tick, record]);
}

const CHOICES = {
  ...Object.fromEntries(Object.entries(RANGES).map(([value, { name }]) => [value === 'day' ? '' : value, name])),
  own: 'Custom range',
};

export function RangeChoice() {
  const [getFilter] = useFilters();
  const isCustom = getFilter('last') === 'own';
  return (
    <Filters>
      <ChoiceFilter label="Time range" name="last" choices={CHOICES} />
      {isCustom && <FieldFilter name="from" label="From" type="datetime-local" />}
      {isCustom && <FieldFilter name="to" label="To (optional)" type="datetime-local" />}
    </Filters>
  );
}
