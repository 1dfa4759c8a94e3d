// The members of one object, each with its name. Those without a value are left out.
import type { ReactNode } from 'react';
import styles from './facts.module.css';

export function Facts({ facts }: { facts: Record<string, ReactNode> }) {
  const given = Object.entries(facts).filter(([, value]) => value != null && value !== '' && value !== false);
  return (
    <dl className={styles['facts']}>
      {given.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
