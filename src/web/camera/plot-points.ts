// Turns the samples of a camera's history into the points of a plot. A value that no record has is left out of the line.
import type { CameraHistoryQuery } from '../../generated/web-operations';
import type { TimePoint } from '../parts/time-plot';
import type { Range } from './time-range';

export type Sample = NonNullable<CameraHistoryQuery['camera']>['series'][number];

export const POINTS = 240;

/** @param intervalSec how long the camera may be silent without a gap */
export function historyPointsOf(
  series: readonly Sample[],
  { since, until }: Range,
  intervalSec: number,
  read: (sample: Sample) => number | null,
): TimePoint[] {
  const length = (until - since) / POINTS;
  return series.flatMap((sample, n) => {
    const at = Date.parse(sample.from);
    const value = read(sample);
    const end = Math.min(at + length, until);
    const next = series[n + 1];
    const isGap = next !== undefined && Date.parse(next.from) - end > intervalSec * 1000;
    if (next !== undefined && !isGap) return { at, value };
    return [
      { at, value },
      { at: end, value },
      { at: end, value: null },
    ];
  });
}
