// A table of a fully loaded list. The user sorts it by its headings, and the order is stored in the address.
import type { ReactNode } from 'react';
import { type Column, DataTable } from './data-table';
import { useFilters } from './filters';
import { compareNaturally } from './formats';

interface SortedTableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  /** The rows in their default order. */
  rows: readonly Row[];
  getKey: (row: Row) => string;
  /** The name of the order in the address, if a page has several tables. */
  name?: string;
  isDense?: boolean;
  headControl?: ReactNode;
}

export function SortedTable<Row>({ columns, rows, name = 'order', ...table }: SortedTableProps<Row>) {
  const [getFilter, setFilter] = useFilters();
  const order = getFilter(name);
  const isDescending = order.startsWith('-');
  const column = columns.find(({ head, sortBy }) => sortBy !== undefined && head === order.replace(/^-/, ''));
  const toggle = (head: string) => setFilter(name, order === head ? `-${head}` : order === `-${head}` ? '' : head);
  const sortableHeads = columns.filter(({ sortBy }) => sortBy !== undefined).map(({ head }) => head);
  return (
    <DataTable
      {...table}
      columns={columns}
      rows={column?.sortBy === undefined ? rows : sortRows(rows, column.sortBy, isDescending)}
      sorting={{ sortableHeads, sortedHead: column?.head, isDescending, toggle }}
    />
  );
}

function sortRows<Row>(rows: readonly Row[], sortBy: (row: Row) => string | number, isDescending: boolean): Row[] {
  const sign = isDescending ? -1 : 1;
  return [...rows].sort((a, b) => {
    const [valueA, valueB] = [sortBy(a), sortBy(b)];
    if (typeof valueA === 'number' && typeof valueB === 'number') return sign * (valueA - valueB);
    return sign * compareNaturally(String(valueA), String(valueB));
  });
}
