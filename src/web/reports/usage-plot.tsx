// Plots the filament of completed jobs, stacked with that of failed and cancelled jobs: as bars over time, or as bars with names.
import { Bar, BarChart, CartesianGrid, Legend, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import styles from '../parts/plot.module.css';

interface UsagePlotProps {
  label: string;
  unit: string | null;
  rows: readonly { name: string; completed: number; wasted: number }[];
  /** Draws horizontal bars, each with its name. Otherwise the bars are vertical, over time. */
  isHorizontal?: boolean;
}

const BAR_PX = 28;
/** The height of the axis and the legend. */
const AXIS_AND_LEGEND_PX = 64;
const MAX_NAME = 16;

const shortName = (name: string) => (name.length > MAX_NAME ? `${name.slice(0, MAX_NAME - 1)}…` : name);

/** Writes at most four digits: 12 kg for 12,000 g. */
function formatShort(value: number, unit: string | null): string {
  const isBig = unit === 'g' && value >= 1000;
  const text = (isBig ? value / 1000 : value).toLocaleString(undefined, { maximumSignificantDigits: 4 });
  return `${text}${unit === null ? '' : ` ${isBig ? 'kg' : unit}`}`;
}

const axis = { stroke: 'var(--quiet)', fontSize: 12, tickLine: false } as const;

export default function UsagePlot({ label, unit, rows, isHorizontal = false }: UsagePlotProps) {
  const formatValue = (value: number) => `${value.toLocaleString()}${unit === null ? '' : ` ${unit}`}`;
  const sum = (member: 'completed' | 'wasted') => formatValue(rows.reduce((sum, row) => sum + row[member], 0));
  return (
    <div
      className={styles['plot']}
      role="img"
      style={isHorizontal ? { height: rows.length * BAR_PX + AXIS_AND_LEGEND_PX } : undefined}
      aria-label={`${label}: completed ${sum('completed')}, wasted ${sum('wasted')} in total. The tables below have the numbers.`}
    >
      <ResponsiveContainer width="100%" height="100%" initialDimension={{ width: 600, height: 180 }}>
        <BarChart
          data={rows as UsagePlotProps['rows'][number][]}
          margin={{ top: 8, right: 8, bottom: 0, left: 0 }}
          accessibilityLayer={false}
          layout={isHorizontal ? 'vertical' : 'horizontal'}
        >
          <CartesianGrid stroke="var(--line)" vertical={isHorizontal} horizontal={!isHorizontal} />
          {isHorizontal ? (
            <>
              <XAxis
                {...axis}
                type="number"
                minTickGap={32}
                tickFormatter={(value: number) => formatShort(value, unit)}
              />
              <YAxis
                {...axis}
                axisLine={false}
                type="category"
                dataKey="name"
                interval={0}
                width={112}
                tickFormatter={shortName}
              />
            </>
          ) : (
            <>
              <XAxis {...axis} dataKey="name" minTickGap={32} />
              <YAxis
                {...axis}
                axisLine={false}
                width={64}
                tickFormatter={(value: number) => formatShort(value, unit)}
              />
            </>
          )}
          <Tooltip
            isAnimationActive={false}
            cursor={{ fill: 'var(--hover)' }}
            contentStyle={{ background: 'var(--raised)', borderColor: 'var(--line)', borderRadius: 8 }}
            formatter={(value) => formatValue(Number(value))}
          />
          <Legend height={24} iconType="circle" />
          <Bar dataKey="completed" name="Completed" stackId="use" fill="var(--accent)" isAnimationActive={false} />
          <Bar dataKey="wasted" name="Wasted" stackId="use" fill="var(--bad)" isAnimationActive={false} />
        </BarChart>
      </ResponsiveContainer>
    </div>
  );
}
