// Turns the samples of a camera's history into the points of a plot. The line has a gap where no record has the value.
import type { CameraHistoryQuery } from '../../generated/web-operations';
import type { TimePoint } from '../parts/time-plot';
import type { Range } from './time-range';

export type Sample = NonNullable<CameraHistoryQuery['camera']>['series'][number];

export const PLOT_POINTS = 240;

/** @param intervalSec how long the camera may send no record before the line has a gap */
export function createHistoryPoints(
  series: readonly Sample[],
  { since, until }: Range,
  intervalSec: number,
  select: (sample: Sample) => number | null,
): TimePoint[] {
  const stepMs = (until - since) / PLOT_POINTS;
  return series.flatMap((sample, index) => {
    const start = Date.parse(sample.from);
    const value = select(sample);
    const end = Math.min(start + stepMs, until);
    const next = series[index + 1];
    const isGap = next !== undefined && Date.parse(next.from) - end > intervalSec * 1000;
    if (next !== undefined && !isGap) return { at: start, value };
    return [
      { at: start, value },
      { at: end, value },
      { at: end, value: null },
    ];
  });
}
