// A plot with its caption. It keeps its height while the chart library loads, so that nothing moves.
import { type ReactNode, Suspense } from 'react';
import styles from './plot.module.css';

export function Figure({ caption, children }: { caption: string; children: ReactNode }) {
  return (
    <figure className={styles['figure']}>
      <figcaption>{caption}</figcaption>
      <Suspense fallback={<div className={styles['plot']} />}>{children}</Suspense>
    </figure>
  );
}

export function Figures({ children }: { children: ReactNode }) {
  return <div className={styles['figures']}>{children}</div>;
}
