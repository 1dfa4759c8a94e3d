// Plots the grams on a spool over time.
import { useQuery } from '@apollo/client/react';
import { SpoolGramsDocument } from '../../generated/web-operations';
import { Loaded } from '../parts/loading-states';
import { useNow } from '../parts/moment';
import { Section } from '../parts/page';
import { formatSpoolGrams } from '../parts/spool-grams';
import styles from './inventory.module.css';
import { calculateSpoolPoints, type Point } from './spool-points';

export function SpoolGramsPlot({ id }: { id: string }) {
  const now = useNow();
  const query = useQuery(SpoolGramsDocument, { variables: { id } });
  return (
    <Section title="Remaining over time">
      <Loaded query={query} what="the remaining filament over time" rows={3}>
        {({ spool }) => {
          if (spool === null) return null;
          const { jobs, adjustments, reportedUses } = spool;
          // If a spool has more rows than one page, the plot starts with the oldest row of the page.
          const isTruncated = [jobs, adjustments, reportedUses].some(({ pageInfo }) => pageInfo.hasNextPage);
          const start = isTruncated ? now : Date.parse(spool.createdAt);
          const points = calculateSpoolPoints(spool, jobs.nodes, adjustments.nodes, start, now, reportedUses.nodes);
          return <GramsPlot points={points} full={Number(spool.weightTotalGrams)} />;
        }}
      </Loaded>
    </Section>
  );
}

/** The shapes fill a square of 100 by 100, which the browser stretches to the width of the page. */
const SIZE = 100;
const DATE_FORMAT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });

function GramsPlot({ points, full }: { points: readonly Point[]; full: number }) {
  const [first, last] = [points[0] as Point, points.at(-1) as Point];
  const top = Math.max(full, ...points.map(({ grams }) => grams), 1);
  const bottom = Math.min(0, ...points.map(({ grams }) => grams));
  const x = (at: number) => (last.at === first.at ? SIZE : ((at - first.at) / (last.at - first.at)) * SIZE);
  const y = (grams: number) => ((top - grams) / (top - bottom)) * SIZE;
  const line = points.map(({ at, grams }) => `${x(at).toFixed(2)} ${y(grams).toFixed(2)}`).join(' L ');
  // Each step has two points. The first and the last point of the line belong to no step.
  const steps = (points.length - 2) / 2;
  const label = `Remaining filament: ${formatSpoolGrams(first.grams)} on ${DATE_FORMAT.format(first.at)}, ${formatSpoolGrams(last.grams)} now, after ${steps} ${steps === 1 ? 'change' : 'changes'} by jobs, reports and adjustments. The tables below list them.`;
  return (
    <figure className={styles['plot']}>
      <p className={styles['scale']} aria-hidden="true">
        <span>{formatSpoolGrams(top)}</span>
        <span>{formatSpoolGrams(bottom)}</span>
      </p>
      <svg role="img" aria-label={label} viewBox={`0 0 ${SIZE} ${SIZE}`} preserveAspectRatio="none">
        <path className={styles['area']} d={`M ${line} L ${SIZE} ${y(bottom)} L 0 ${y(bottom)} Z`} />
        <path className={styles['zero']} d={`M 0 ${y(0)} H ${SIZE}`} />
        <path className={styles['line']} d={`M ${line}`} />
      </svg>
      <p className={styles['times']} aria-hidden="true">
        <span>{DATE_FORMAT.format(first.at)}</span>
        <span>Now</span>
      </p>
    </figure>
  );
}
