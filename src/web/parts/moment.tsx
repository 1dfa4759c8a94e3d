// Shows a time relative to now, such as "5 minutes ago", with the exact time as its tooltip.
import { makeVar } from '@apollo/client';
import { useReactiveVar } from '@apollo/client/react';
import { exactTime, formatDuration } from './formats';

const TICK_MS = 5_000;
const now = makeVar(Date.now());
setInterval(() => document.hidden || now(Date.now()), TICK_MS);
document.addEventListener('visibilitychange', () => now(Date.now()));

export const useNow = (): number => useReactiveVar(now);

const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });
const STEPS: [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** "5 minutes ago" */
export function Moment({ at }: { at: string }) {
  const seconds = (Date.parse(at) - useNow()) / 1000;
  const [unit, size] = STEPS.find(([, size]) => Math.abs(seconds) >= size) ?? [];
  return (
    <time dateTime={at} title={exactTime(at)}>
      {unit && size ? relative.format(Math.trunc(seconds / size), unit) : 'just now'}
    </time>
  );
}

/** The duration since a time, such as "2 h 5 min". */
export function Since({ from }: { from: string }) {
  const seconds = (useNow() - Date.parse(from)) / 1000;
  return (
    <time dateTime={from} title={exactTime(from)}>
      {formatDuration(seconds)}
    </time>
  );
}
