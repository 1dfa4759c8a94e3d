// A value over time as a line. Where nothing is known, the line has a gap.
import { Area, AreaChart, CartesianGrid, ReferenceArea, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { exactTime } from './formats';
import styles from './plot.module.css';

export interface TimePoint {
  at: number;
  /** null begins a gap. */
  value: number | null;
}

interface TimePlotProps {
  /** Names the plotted values, with the least and the greatest, for screen readers. */
  label: string;
  points: readonly TimePoint[];
  from: number;
  to: number;
  write: (value: number) => string;
  max?: number;
  /** The values at which the axis has its texts; round ones where it is missing. */
  ticks?: number[];
  /** Times of which nothing is known. */
  gaps?: readonly { from: number; to: number }[];
  /** A value that changes by steps. */
  isStepped?: boolean;
}

const axis = { stroke: 'var(--quiet)', fontSize: 12, tickLine: false } as const;

export default function TimePlot({ label, points, from, to, write, max, ticks, gaps = [], isStepped }: TimePlotProps) {
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
            tickFormatter={write}
            {...(ticks && { ticks, interval: 0 })}
          />
          {gaps.map((gap) => (
            <ReferenceArea key={gap.from} x1={gap.from} x2={gap.to} fill="var(--bad-tint)" fillOpacity={0.8} />
          ))}
          <Tooltip
            isAnimationActive={false}
            contentStyle={{ background: 'var(--raised)', borderColor: 'var(--line)', borderRadius: 8 }}
            labelFormatter={(at) => exactTime(new Date(Number(at)).toISOString())}
            formatter={(value) => [write(Number(value)), '']}
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
