// A time range of a camera: battery, video left and recording as plots, and how much of the time it was live.
import { useQuery } from '@apollo/client/react';
import { lazy } from 'react';
import { CameraHistoryDocument, type CameraHistoryQuery, type CameraNowFragment } from '../../generated/web-operations';
import { Figure, Figures } from '../parts/figure';
import { duration } from '../parts/formats';
import { Loaded } from '../parts/loading-states';
import { percent } from '../parts/numbers';
import { Section } from '../parts/page';
import { Gaps } from './camera-gaps';
import { DEFAULT_INTERVAL_SEC } from './camera-now';
import { historyPointsOf, POINTS, type Sample } from './plot-points';
import { type Range, RangeChoice } from './time-range';

const TimePlot = lazy(() => import('../parts/time-plot'));

export function History({ camera, range }: { camera: CameraNowFragment; range: Range }) {
  const { from, to } = range;
  // Ranges that move on would fill the cache.
  const query = useQuery(CameraHistoryDocument, {
    variables: { id: camera.id, from, to, points: POINTS },
    fetchPolicy: 'no-cache',
  });
  const past = query.data?.camera ?? query.previousData?.camera;
  return (
    <>
      <Section title="History" about="shaded: the camera was not live" actions={<RangeChoice />}>
        <Loaded query={query} what="the history of the camera">
          {() => past && <Plots series={past.series} gaps={past.availability.gaps} camera={camera} range={range} />}
        </Loaded>
      </Section>
      {past && <Gaps availability={past.availability} hasRecord={camera.lastStatus !== null} />}
    </>
  );
}

type Past = NonNullable<CameraHistoryQuery['camera']>;

interface PlotsProps {
  series: Past['series'];
  gaps: Past['availability']['gaps'];
  camera: CameraNowFragment;
  range: Range;
}

function Plots({ series, gaps, camera, range }: PlotsProps) {
  const states = [...new Set(series.map(({ recordingState }) => recordingState ?? ''))].filter(Boolean).sort();
  const common = {
    from: range.since,
    to: range.until,
    gaps: gaps.map((gap) => ({ from: Date.parse(gap.from), to: Date.parse(gap.to) })),
  };
  const points = (read: (sample: Sample) => number | null) =>
    historyPointsOf(series, range, camera.expectedIntervalSec ?? DEFAULT_INTERVAL_SEC, read);
  /** No plot of what a camera never reports. */
  const reports = (read: (sample: Sample) => unknown, now: unknown) =>
    now != null || series.some((sample) => read(sample) !== null);
  const last = camera.lastStatus;
  return (
    <Figures>
      {reports(({ batteryPct }) => batteryPct, last?.batteryPct) && (
        <Figure caption="Battery">
          <TimePlot
            {...common}
            label={`Battery, ${extent(series, ({ batteryPct }) => batteryPct, percent)}`}
            points={points(({ batteryPct }) => batteryPct)}
            write={percent}
            max={100}
          />
        </Figure>
      )}
      {reports(({ videoRemainingSec }) => videoRemainingSec, last?.videoRemainingSec) && (
        <Figure caption="Recording time left">
          <TimePlot
            {...common}
            label={`Recording time left, ${extent(series, ({ videoRemainingSec }) => videoRemainingSec, duration)}`}
            points={points(({ videoRemainingSec }) => videoRemainingSec)}
            write={duration}
            ticks={wholeTimes(Math.max(0, ...series.map(({ videoRemainingSec }) => videoRemainingSec ?? 0)))}
          />
        </Figure>
      )}
      {reports(({ recordingState }) => recordingState, last?.recordingState) && (
        <Figure caption="Recording">
          <TimePlot
            {...common}
            label={`Recording: ${states.join(', ') || 'unknown'}`}
            points={points(({ recordingState }) => (recordingState ? states.indexOf(recordingState) + 1 : null))}
            write={(value) => states[value - 1] ?? ''}
            max={Math.max(1, states.length)}
            ticks={states.map((_, index) => index + 1)}
            isStepped
          />
        </Figure>
      )}
    </Figures>
  );
}

/** "from 20 % to 90 %" */
function extent(
  series: readonly Sample[],
  read: (sample: Sample) => number | null,
  write: (value: number) => string,
): string {
  const values = series.map(read).filter((value) => value !== null);
  if (values.length === 0) return 'unknown';
  return `from ${write(Math.min(...values))} to ${write(Math.max(...values))}`;
}

/** The marks from 0 to a time that covers the longest, in few steps that are round as times. */
function wholeTimes(longestSec: number): number[] {
  const step = [60, 300, 900, 1800, 3600, 7200, 14_400, 28_800].find((step) => longestSec / step <= 4) ?? 86_400;
  return Array.from({ length: Math.ceil(longestSec / step) + 1 }, (_, index) => index * step);
}
