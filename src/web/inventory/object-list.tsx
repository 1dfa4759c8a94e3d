// A list of spools, products, materials or printers: searched, in natural order, with a button that edits a row.
import type { ReactNode } from 'react';
import { Button } from '../parts/button';
import type { Column } from '../parts/data-table';
import { useFilters } from '../parts/filters';
import { inNaturalOrder } from '../parts/formats';
import { containsText } from '../parts/list-search';
import { Empty } from '../parts/loading-states';
import { SortedTable } from '../parts/sorted-table';
import { useMayWrite } from '../parts/use-viewer';
import styles from './inventory.module.css';

interface ObjectListProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** Shown while the farm has no row at all. */
  none: ReactNode;
  nameOf: (row: Row) => string;
  /** Where it is missing, the name is searched. */
  isFound?: (row: Row, search: string) => boolean;
  onEdit: (row: Row) => void;
  /** Missing where none is copied. */
  onCopy?: (row: Row) => void;
}

/** The filters of these lists, by their names in the address. */
const FILTERS = ['search', 'use', 'material', 'stock'];

export function ObjectList<Row extends { id: string }>(props: ObjectListProps<Row>) {
  const { label, rows, none, nameOf, onEdit, onCopy } = props;
  const { isFound = (row: Row, search: string) => containsText(nameOf(row), search) } = props;
  const [of] = useFilters();
  const mayWrite = useMayWrite();
  const found = rows
    .filter((row) => isFound(row, of('search')))
    .sort((one, other) => inNaturalOrder(nameOf(one), nameOf(other)));
  if (found.length === 0) {
    const isFiltered = FILTERS.some((name) => of(name) !== '');
    return isFiltered ? <Empty>{`No ${label.toLowerCase()} match these filters.`}</Empty> : none;
  }
  const edit: Column<Row> = {
    head: 'Actions',
    width: onCopy ? '11rem' : '4.5rem',
    // Two buttons are wider than half of a card.
    isLine: onCopy !== undefined,
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
  const columns = mayWrite ? [...props.columns, edit] : props.columns;
  return <SortedTable label={label} columns={columns} rows={found} keyOf={({ id }) => id} />;
}
