// The selection of rows in a list: check boxes in the rows, and a bar with actions for all selected rows.
import { type ReactNode, useMemo, useState } from 'react';
import { Button } from './button';
import styles from './row-selection.module.css';

/** The ids of the selected rows, and functions that change the selection. */
export interface RowSelection {
  selectedIds: ReadonlySet<string>;
  select: (id: string, isSelected: boolean) => void;
  clear: () => void;
}

export function useRowSelection(): RowSelection {
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<string>>(new Set());
  return useMemo(
    () => ({
      selectedIds,
      select: (id, isSelected) =>
        setSelectedIds(
          (previous) => new Set(isSelected ? [...previous, id] : [...previous].filter((other) => other !== id)),
        ),
      clear: () => setSelectedIds(new Set()),
    }),
    [selectedIds],
  );
}

interface SelectableCellProps {
  id: string;
  name: string;
  /** `undefined` if rows cannot be selected. */
  selection: RowSelection | undefined;
  children: ReactNode;
}

export function SelectableCell({ id, name, selection, children }: SelectableCellProps) {
  if (selection === undefined) return children;
  return (
    <span className={styles['tick']}>
      <input
        type="checkbox"
        aria-label={`Select ${name}`}
        checked={selection.selectedIds.has(id)}
        onChange={({ target }) => selection.select(id, target.checked)}
      />
      {children}
    </span>
  );
}

interface SelectionBarProps {
  label: string;
  /** The number of selected rows with their noun, such as "3 jobs". */
  count: string;
  onClear: () => void;
  /** The buttons for the selected rows. */
  children: ReactNode;
  outcome?: ReactNode;
}

export function SelectionBar({ label, count, onClear, children, outcome }: SelectionBarProps) {
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
