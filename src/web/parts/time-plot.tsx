// Plots a value over time as a line, with gaps where nothing is known.
import { Area, AreaChart, CartesianGrid, ReferenceArea, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { exactTime } from './formats';
import styles from './plot.module.css';

export interface TimePoint {
  at: number;
  /** `null` starts a gap. */
  value: number | null;
}

interface TimePlotProps {
  /** Describes the plot for screen readers, with its lowest and highest value. */
  label: string;
  points: readonly TimePoint[];
  from: number;
  to: number;
  formatValue: (value: number) => string;
  max?: number;
  /** The values that are labelled on the axis; by default round numbers. */
  ticks?: number[];
  /** Times without data, drawn as a coloured background. */
  gaps?: readonly { from: number; to: number }[];
  /** Draws steps instead of slopes, for a value that changes suddenly. */
  isStepped?: boolean;
}

const axis = { stroke: 'var(--quiet)', fontSize: 12, tickLine: false } as const;

export default function TimePlot({
  label,
  points,
  from,
  to,
  formatValue,
  max,
  ticks,
  gaps = [],
  isStepped,
}: TimePlotProps) {
  const isLong = to - from > 36 * 3_600_000;
  const short = new Intl.DateTimeFormat(
    undefined,
    isLong ? { day: 'numeric', month: 'short' } : { hour: '2-digit', minute: '2-digit' },
  );
  return (
    <div className={styles['plot']} role="img" aria-label={label}>
      <ResponsiveContainer width="100%" height="100%" initialDimension={{ width: 600, height: 180 }}>
        <AreaChart
          data={points as TimePoint[]}
          margin={{ top: 8, right: 8, bottom: 0, left: 0 }}
          accessibilityLayer={false}
        >
          <CartesianGrid stroke="var(--line)" vertical={false} />
          <XAxis
            {...axis}
            dataKey="at"
            type="number"
            scale="time"
            domain={[from, to]}
            tickFormatter={(at: number) => short.format(at)}
            minTickGap={48}
          />
          <YAxis
            {...axis}
            axisLine={false}
            width={72}
            domain={[0, max ?? (ticks?.at(-1) || 'auto')]}
            tickFormatter={formatValue}
            {...(ticks && { ticks, interval: 0 })}
          />
          {gaps.map((gap) => (
            <ReferenceArea key={gap.from} x1={gap.from} x2={gap.to} fill="var(--bad-tint)" fillOpacity={0.8} />
          ))}
          <Tooltip
            isAnimationActive={false}
            contentStyle={{ background: 'var(--raised)', borderColor: 'var(--line)', borderRadius: 8 }}
            labelFormatter={(at) => exactTime(new Date(Number(at)).toISOString())}
            formatter={(value) => [formatValue(Number(value)), '']}
            separator=""
          />
          <Area
            dataKey="value"
            type={isStepped ? 'stepAfter' : 'linear'}
            connectNulls={false}
            isAnimationActive={false}
            stroke="var(--accent)"
            strokeWidth={2}
            fill="var(--info-tint)"
            dot={false}
          />
        </AreaChart>
      </ResponsiveContainer>
    </div>
  );
}
