// Shows a time range of a camera: plots of its battery, recording time left and recording state, and its availability.
import { useQuery } from '@apollo/client/react';
import { lazy } from 'react';
import { CameraHistoryDocument, type CameraHistoryQuery, type CameraNowFragment } from '../../generated/web-operations';
import { Figure, Figures } from '../parts/figure';
import { formatDuration } from '../parts/formats';
import { Empty, Loaded } from '../parts/loading-states';
import { formatPercent } from '../parts/numbers';
import { Section } from '../parts/page';
import { Gaps } from './camera-gaps';
import { DEFAULT_INTERVAL_SEC } from './camera-now';
import { createHistoryPoints, PLOT_POINTS, type Sample } from './plot-points';
import { type Range, RangeChoice } from './time-range';

const TimePlot = lazy(() => import('../parts/time-plot'));

export function CameraHistory(props: { camera: CameraNowFragment; range: Range }) {
  if (props.camera.lastStatus !== null) return <RecordedHistory {...props} />;
  // The whole range would be one gap, although nobody expects data from a camera that is not set up yet.
  return (
    <Section title="History">
      <Empty>Plots and gaps appear here after the first status record.</Empty>
    </Section>
  );
}

function RecordedHistory({ camera, range }: { camera: CameraNowFragment; range: Range }) {
  const { from, to } = range;
  // The range moves with the time, and each range would fill the cache with another entry.
  const query = useQuery(CameraHistoryDocument, {
    variables: { id: camera.id, from, to, points: PLOT_POINTS },
    fetchPolicy: 'no-cache',
  });
  const history = query.data?.camera ?? query.previousData?.camera;
  return (
    <>
      <Section title="History" about="shaded: the camera was not live" actions={<RangeChoice />}>
        <Loaded query={query} what="the history of the camera">
          {() =>
            history && <Plots series={history.series} gaps={history.availability.gaps} camera={camera} range={range} />
          }
        </Loaded>
      </Section>
      {history && <Gaps availability={history.availability} />}
    </>
  );
}

type HistoryData = NonNullable<CameraHistoryQuery['camera']>;

interface PlotsProps {
  series: HistoryData['series'];
  gaps: HistoryData['availability']['gaps'];
  camera: CameraNowFragment;
  range: Range;
}

function Plots({ series, gaps, camera, range }: PlotsProps) {
  const states = [...new Set(series.map(({ recordingState }) => recordingState ?? ''))].filter(Boolean).sort();
  const sharedProps = {
    from: range.since,
    to: range.until,
    gaps: gaps.map((gap) => ({ from: Date.parse(gap.from), to: Date.parse(gap.to) })),
  };
  const points = (select: (sample: Sample) => number | null) =>
    createHistoryPoints(series, range, camera.expectedIntervalSec ?? DEFAULT_INTERVAL_SEC, select);
  /** A value that the camera never reports has no plot. */
  const isReported = (select: (sample: Sample) => unknown, now: unknown) =>
    now != null || series.some((sample) => select(sample) !== null);
  const last = camera.lastStatus;
  return (
    <Figures>
      {isReported(({ batteryPct }) => batteryPct, last?.batteryPct) && (
        <Figure caption="Battery">
          <TimePlot
            {...sharedProps}
            label={`Battery, ${describeExtent(series, ({ batteryPct }) => batteryPct, formatPercent)}`}
            points={points(({ batteryPct }) => batteryPct)}
            formatValue={formatPercent}
            max={100}
          />
        </Figure>
      )}
      {isReported(({ videoRemainingSec }) => videoRemainingSec, last?.videoRemainingSec) && (
        <Figure caption="Recording time left">
          <TimePlot
            {...sharedProps}
            label={`Recording time left, ${describeExtent(series, ({ videoRemainingSec }) => videoRemainingSec, formatDuration)}`}
            points={points(({ videoRemainingSec }) => videoRemainingSec)}
            formatValue={formatDuration}
            ticks={chooseTimeTicks(Math.max(0, ...series.map(({ videoRemainingSec }) => videoRemainingSec ?? 0)))}
          />
        </Figure>
      )}
      {isReported(({ recordingState }) => recordingState, last?.recordingState) && (
        <Figure caption="Recording">
          <TimePlot
            {...sharedProps}
            label={`Recording: ${states.join(', ') || 'unknown'}`}
            points={points(({ recordingState }) => (recordingState ? states.indexOf(recordingState) + 1 : null))}
            formatValue={(value) => states[value - 1] ?? ''}
            max={Math.max(1, states.length)}
            ticks={states.map((_, index) => index + 1)}
            isStepped
          />
        </Figure>
      )}
    </Figures>
  );
}

/** Writes the least and the greatest value, such as "from 20 % to 90 %". */
function describeExtent(
  series: readonly Sample[],
  select: (sample: Sample) => number | null,
  write: (value: number) => string,
): string {
  const values = series.map(select).filter((value) => value !== null);
  if (values.length === 0) return 'unknown';
  return `from ${write(Math.min(...values))} to ${write(Math.max(...values))}`;
}

/** The ticks of the axis, from 0 to the longest time or a little more, in a few steps that are round times. */
function chooseTimeTicks(longestSec: number): number[] {
  const step = [60, 300, 900, 1800, 3600, 7200, 14_400, 28_800].find((step) => longestSec / step <= 4) ?? 86_400;
  return Array.from({ length: Math.ceil(longestSec / step) + 1 }, (_, index) => index * step);
}
