// Rows of a list that are ticked, and the bar with what is done with all of them.
import { type ReactNode, useMemo, useState } from 'react';
import { Button } from './button';
import styles from './row-selection.module.css';

/** The rows that are ticked, by their ids. */
export interface RowSelection {
  ticked: ReadonlySet<string>;
  tick: (id: string, is: boolean) => void;
  clear: () => void;
}

export function useRowSelection(): RowSelection {
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  return useMemo(
    () => ({
      ticked,
      tick: (id, is) => setTicked((before) => new Set(is ? [...before, id] : [...before].filter((one) => one !== id))),
      clear: () => setTicked(new Set()),
    }),
    [ticked],
  );
}

interface TickedProps {
  id: string;
  name: string;
  /** Undefined: no row can be ticked. */
  ticks: RowSelection | undefined;
  children: ReactNode;
}

export function Ticked({ id, name, ticks, children }: TickedProps) {
  if (ticks === undefined) return children;
  return (
    <span className={styles['tick']}>
      <input
        type="checkbox"
        aria-label={`Select ${name}`}
        checked={ticks.ticked.has(id)}
        onChange={({ target }) => ticks.tick(id, target.checked)}
      />
      {children}
    </span>
  );
}

interface TickedBarProps {
  label: string;
  /** How many there are of what. */
  count: string;
  onClear: () => void;
  /** What is done with them. */
  children: ReactNode;
  outcome?: ReactNode;
}

export function TickedBar({ label, count, onClear, children, outcome }: TickedBarProps) {
  return (
    <section className={styles['chosen']} aria-label={label}>
      <span>{`${count} selected`}</span>
      {children}
      <Button kind="quiet" onClick={onClear}>
        Clear selection
      </Button>
      {outcome}
    </section>
  );
}
