// A stretch of time of a camera: battery, video left and recording as plots, and how much of the time it was live.
import { useQuery } from '@apollo/client/react';
import { lazy } from 'react';
import { CameraHistoryDocument, type CameraHistoryQuery, type CameraNowFragment } from '../../generated/web-operations';
import { Figure, Figures } from '../parts/figure';
import { Section } from '../parts/page';
import { Loaded } from '../parts/states';
import { duration, percent } from '../parts/words';
import { DEFAULT_INTERVAL_SEC } from './camera-now';
import { Gaps } from './gaps';
import { POINTS, pointsOf, type Stretch } from './plot-points';
import type { Range } from './range';

const TimePlot = lazy(() => import('../parts/time-plot'));

export function History({ camera, range }: { camera: CameraNowFragment; range: Range }) {
  const { from, to } = range;
  // Ranges that move on would fill the cache.
  const query = useQuery(CameraHistoryDocument, {
    variables: { id: camera.id, from, to, points: POINTS },
    fetchPolicy: 'no-cache',
  });
  return (
    <Loaded query={query} what="The history of the camera" rows={10}>
      {({ camera: history }) =>
        history !== null && (
          <>
            <Plots series={history.series} gaps={history.availability.gaps} camera={camera} range={range} />
            <Gaps availability={history.availability} />
          </>
        )
      }
    </Loaded>
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
  const points = (read: (stretch: Stretch) => number | null) =>
    pointsOf(series, range, camera.expectedIntervalSec ?? DEFAULT_INTERVAL_SEC, read);
  return (
    <Section title="History" about={gaps.length === 0 ? '' : 'Shaded: the camera was not live'}>
      <Figures>
        <Figure caption="Battery">
          <TimePlot
            {...common}
            label={`Battery, ${extent(series, ({ batteryPct }) => batteryPct, percent)}`}
            points={points(({ batteryPct }) => batteryPct)}
            write={percent}
            max={100}
          />
        </Figure>
        <Figure caption="Video left">
          <TimePlot
            {...common}
            label={`Video left, ${extent(series, ({ videoRemainingSec }) => videoRemainingSec, duration)}`}
            points={points(({ videoRemainingSec }) => videoRemainingSec)}
            write={duration}
          />
        </Figure>
        <Figure caption="Recording">
          <TimePlot
            {...common}
            label={`Recording: ${states.join(', ') || 'nothing known'}`}
            points={points(({ recordingState }) => (recordingState ? states.indexOf(recordingState) + 1 : null))}
            write={(value) => states[value - 1] ?? ''}
            max={Math.max(1, states.length)}
            ticks={states.map((_, at) => at + 1)}
            isStepped
          />
        </Figure>
      </Figures>
    </Section>
  );
}

/** "from 20 % to 90 %" */
function extent(
  series: readonly Stretch[],
  read: (stretch: Stretch) => number | null,
  write: (value: number) => string,
): string {
  const values = series.map(read).filter((value) => value !== null);
  if (values.length === 0) return 'nothing known';
  return `from ${write(Math.min(...values))} to ${write(Math.max(...values))}`;
}
