// Shows the free, allocated and used filament of a spool as a bar.
import { roundedGrams } from '../parts/numbers';
import { formatSpoolGrams, freeGrams } from '../parts/spool-grams';
import styles from './inventory.module.css';

export interface BarGrams {
  weightTotalGrams: string;
  usedGrams: string;
  plannedGrams: string;
  remainingGrams: string;
}

/** @param isInList lists have rounded grams, with the exact grams as the tooltip */
export function SpoolBar({ spool, isInList = false }: { spool: BarGrams; isInList?: boolean }) {
  const total = Math.max(Number(spool.weightTotalGrams), Number(spool.usedGrams) + Number(spool.plannedGrams), 1);
  const free = freeGrams(spool);
  const toWidth = (value: number) => ({ width: `${(Math.max(0, value) / total) * 100}%` });
  const { remainingGrams, weightTotalGrams } = spool;
  const exact = `${formatSpoolGrams(remainingGrams)} of ${formatSpoolGrams(weightTotalGrams)} remaining`;
  return (
    <div className={styles['remaining']}>
      <div className={styles['bar']} data-short={free < 0} aria-hidden="true">
        <span className={styles['free']} style={toWidth(free)} />
        <span className={styles['planned']} style={toWidth(Number(spool.plannedGrams))} />
      </div>
      <span className={styles['quiet']} {...(isInList && { title: exact })}>
        {isInList ? `${roundedGrams(remainingGrams)} of ${roundedGrams(weightTotalGrams)}` : exact}
      </span>
    </div>
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
