// A list of names with values that describes one object. Names without a value are left out.
import type { ReactNode } from 'react';
import styles from './facts.module.css';

export function Facts({ facts }: { facts: Record<string, ReactNode> }) {
  const entries = Object.entries(facts).filter(([, value]) => value != null && value !== '' && value !== false);
  return (
    <dl className={styles['facts']}>
      {entries.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
