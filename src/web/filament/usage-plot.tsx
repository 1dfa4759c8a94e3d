// The filament of completed jobs, and above it the wasted filament, as bars over time.
import { Bar, BarChart, CartesianGrid, Legend, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import styles from '../parts/plot.module.css';

interface UsagePlotProps {
  label: string;
  unit: string | null;
  rows: readonly { name: string; completed: number; wasted: number }[];
}

const axis = { stroke: 'var(--quiet)', fontSize: 12, tickLine: false } as const;

export default function UsagePlot({ label, unit, rows }: UsagePlotProps) {
  const write = (value: number) => `${value.toLocaleString()}${unit === null ? '' : ` ${unit}`}`;
  const sum = (member: 'completed' | 'wasted') => write(rows.reduce((sum, row) => sum + row[member], 0));
  return (
    <div
      className={styles['plot']}
      role="img"
      aria-label={`${label}: completed ${sum('completed')}, wasted ${sum('wasted')} in all. The tables below have the numbers.`}
    >
      <ResponsiveContainer width="100%" height="100%" initialDimension={{ width: 600, height: 180 }}>
        <BarChart
          data={rows as UsagePlotProps['rows'][number][]}
          margin={{ top: 8, right: 8, bottom: 0, left: 0 }}
          accessibilityLayer={false}
        >
          <CartesianGrid stroke="var(--line)" vertical={false} />
          <XAxis {...axis} dataKey="name" minTickGap={32} />
          <YAxis {...axis} axisLine={false} width={80} tickFormatter={write} />
          <Tooltip
            isAnimationActive={false}
            cursor={{ fill: 'var(--hover)' }}
            contentStyle={{ background: 'var(--raised)', borderColor: 'var(--line)', borderRadius: 8 }}
            formatter={(value) => write(Number(value))}
          />
          <Legend height={24} iconType="circle" />
          <Bar dataKey="completed" name="Completed" stackId="use" fill="var(--accent)" isAnimationActive={false} />
          <Bar dataKey="wasted" name="Wasted" stackId="use" fill="var(--bad)" isAnimationActive={false} />
        </BarChart>
      </ResponsiveContainer>
    </div>
  );
}
