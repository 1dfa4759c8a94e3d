// Shows the free, allocated and used filament of a spool as a bar.
import { freeGrams, toGrams } from '../parts/spool-grams';
import styles from './inventory.module.css';

export interface BarGrams {
  weightTotalGrams: string;
  usedGrams: string;
  plannedGrams: string;
  remainingGrams: string;
}

export function SpoolBar({ spool }: { spool: BarGrams }) {
  const total = Math.max(Number(spool.weightTotalGrams), Number(spool.usedGrams) + Number(spool.plannedGrams), 1);
  const free = freeGrams(spool);
  const toWidth = (value: number) => ({ width: `${(Math.max(0, value) / total) * 100}%` });
  return (
    <>
      <div className={styles['bar']} data-short={free < 0} aria-hidden="true">
        <span className={styles['free']} style={toWidth(free)} />
        <span className={styles['planned']} style={toWidth(Number(spool.plannedGrams))} />
      </div>
      <span className={styles['quiet']}>
        {`${toGrams(spool.remainingGrams)} of ${toGrams(spool.weightTotalGrams)} remaining`}
      </span>
    </>
  );
}

export function SpoolLegend() {
  return (
    <p className={styles['legend']}>
      <span>
        <i className={styles['free']} />
        <span>{' Free'}</span>
      </span>
      <span>
        <i className={styles['planned']} />
        <span>{' Allocated to jobs'}</span>
      </span>
      <span>
        <i className={styles['used']} />
        <span>{' Used'}</span>
      </span>
    </p>
  );
}
