// The selection of rows in a list: check boxes in the rows, and a bar with actions for all selected rows.
import { type ReactNode, type RefObject, useMemo, useRef, useState } from 'react';
import { Button } from './button';
import styles from './row-selection.module.css';

/** The ids of the selected rows, and functions that change the selection. */
export interface RowSelection {
  selectedIds: ReadonlySet<string>;
  /** @param isRange selects all rows from the row that was changed last, as Shift does in other lists */
  select: (id: string, isSelected: boolean, isRange?: boolean) => void;
  selectAll: (ids: readonly string[], isSelected: boolean) => void;
  clear: () => void;
  /** The bar of the selected rows. */
  bar: RefObject<HTMLElement | null>;
}

/** @param ids the rows in their order, so that a range can be selected */
export function useRowSelection(ids: readonly string[] = []): RowSelection {
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<string>>(new Set());
  const lastId = useRef<string>(undefined);
  const orderedIds = useRef(ids);
  orderedIds.current = ids;
  const bar = useRef<HTMLElement>(null);
  return useMemo(() => {
    const selectAll = (changed: readonly string[], isSelected: boolean) =>
      setSelectedIds(
        (previous) =>
          new Set(isSelected ? [...previous, ...changed] : [...previous].filter((id) => !changed.includes(id))),
      );
    return {
      selectedIds,
      select: (id, isSelected, isRange = false) => {
        selectAll(isRange ? listRange(orderedIds.current, lastId.current, id) : [id], isSelected);
        lastId.current = id;
      },
      selectAll,
      clear: () => setSelectedIds(new Set()),
      bar,
    };
  }, [selectedIds]);
}

/** The ids from one row to another, in either direction. Only the second row if the first row is not in the list. */
function listRange(ids: readonly string[], from: string | undefined, to: string): readonly string[] {
  const [start, end] = [ids.indexOf(from ?? ''), ids.indexOf(to)];
  return start === -1 || end === -1 ? [to] : ids.slice(Math.min(start, end), Math.max(start, end) + 1);
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
        onChange={({ target, nativeEvent }) =>
          selection.select(id, target.checked, (nativeEvent as MouseEvent).shiftKey === true)
        }
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          // Otherwise this key press would also press the button that gets the focus.
          event.preventDefault();
          // The bar may be many tab stops away.
          selection.bar.current?.querySelector<HTMLElement>('button, a')?.focus();
        }}
      />
      <span className={styles['content']}>{children}</span>
    </span>
  );
}

interface SelectAllProps {
  /** The rows that are loaded. */
  ids: readonly string[];
  /** What the rows are, such as "jobs". */
  what: string;
  selection: RowSelection;
}

/** The check box in the head of a table. If some rows are selected, it selects the others too. */
export function SelectAll({ ids, what, selection: { selectedIds, selectAll } }: SelectAllProps) {
  const count = ids.filter((id) => selectedIds.has(id)).length;
  const isAll = ids.length > 0 && count === ids.length;
  return (
    <input
      type="checkbox"
      className={styles['all']}
      aria-label={`Select all ${what}`}
      checked={isAll}
      ref={(box) => {
        if (box !== null) box.indeterminate = count > 0 && !isAll;
      }}
      onChange={({ target }) => selectAll(ids, target.checked)}
    />
  );
}

interface SelectionBarProps {
  label: string;
  /** The number of selected rows with their noun, such as "3 jobs". */
  count: string;
  selection: RowSelection;
  /** The buttons for the selected rows. */
  children: ReactNode;
  outcome?: ReactNode;
}

/** It is directly before its table. It covers the head of the table, so that no row moves when the first row is selected. */
export function SelectionBar({ label, count, selection: { clear, bar }, children, outcome }: SelectionBarProps) {
  return (
    <section ref={bar} className={styles['place']} aria-label={label}>
      <div className={styles['chosen']}>
        <span>{`${count} selected`}</span>
        {children}
        <Button kind="quiet" onClick={clear}>
          Clear selection
        </Button>
        {outcome}
      </div>
    </section>
  );
}
