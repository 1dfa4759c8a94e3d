// Shows a list of spools, products, materials or printers: searched, in natural order, with buttons that edit and duplicate a row.
import type { ReactNode } from 'react';
import { Button } from '../parts/button';
import type { Column } from '../parts/data-table';
import { useFilters } from '../parts/filters';
import { compareNaturally } from '../parts/formats';
import { containsText } from '../parts/list-search';
import { Empty } from '../parts/loading-states';
import { type RowSelection, SelectAll } from '../parts/row-selection';
import { SortedTable } from '../parts/sorted-table';
import { useMayWrite } from '../parts/use-viewer';
import styles from './inventory.module.css';

interface ObjectListProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** Shown if the list is empty without any filter. */
  emptyState: ReactNode;
  nameOf: (row: Row) => string;
  /** If missing, the search reads only the name. */
  matchesSearch?: (row: Row, search: string) => boolean;
  onEdit: (row: Row) => void;
  /** Missing if the rows cannot be duplicated. */
  onCopy?: (row: Row) => void;
  /** Adds a check box that selects all rows that are shown. Missing if rows cannot be selected. */
  selection?: RowSelection;
  /** The bar of the selected rows, which comes directly before the table. */
  bar?: ReactNode;
}

/** The filters of these lists, by their names in the address. */
const FILTERS = ['search', 'use', 'material', 'stock'];

export function ObjectList<Row extends { id: string }>(props: ObjectListProps<Row>) {
  const { label, rows, emptyState, nameOf, onEdit, onCopy } = props;
  const { matchesSearch = (row: Row, search: string) => containsText(nameOf(row), search) } = props;
  const [getFilter] = useFilters();
  const mayWrite = useMayWrite();
  const matchingRows = rows
    .filter((row) => matchesSearch(row, getFilter('search')))
    .sort((a, b) => compareNaturally(nameOf(a), nameOf(b)));
  if (matchingRows.length === 0) {
    const isFiltered = FILTERS.some((name) => getFilter(name) !== '');
    return isFiltered ? <Empty>{`No ${label.toLowerCase()} match these filters.`}</Empty> : emptyState;
  }
  const actionsColumn: Column<Row> = {
    head: 'Actions',
    width: onCopy ? '11rem' : '4.5rem',
    // Two buttons need more than half the width of a card.
    isFullWidth: onCopy !== undefined,
    cell: (row) => (
      <div className={styles['buttons']}>
        <Button aria-label={`Edit ${nameOf(row)}`} onClick={() => onEdit(row)}>
          Edit
        </Button>
        {onCopy && (
          <Button kind="quiet" aria-label={`Duplicate ${nameOf(row)}`} onClick={() => onCopy(row)}>
            Duplicate
          </Button>
        )}
      </div>
    ),
  };
  const columns = mayWrite ? [...props.columns, actionsColumn] : props.columns;
  return (
    <>
      {props.bar}
      <SortedTable
        label={label}
        columns={columns}
        rows={matchingRows}
        getKey={({ id }) => id}
        isDense
        headControl={
          props.selection && (
            <SelectAll ids={matchingRows.map(({ id }) => id)} what={label.toLowerCase()} selection={props.selection} />
          )
        }
      />
    </>
  );
}
