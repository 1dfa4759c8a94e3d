// A table of a fully loaded list. The user sorts it by its headings, and the order is stored in the address.
import type { ReactNode } from 'react';
import { type Column, DataTable } from './data-table';
import { useFilters } from './filters';
import { inNaturalOrder } from './formats';

interface SortedTableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  /** The rows in their default order. */
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** The name of the order in the address, if a page has several tables. */
  name?: string;
  isDense?: boolean;
  headControl?: ReactNode;
}

export function SortedTable<Row>({ columns, rows, name = 'order', ...table }: SortedTableProps<Row>) {
  const [getFilter, setFilter] = useFilters();
  const order = getFilter(name);
  const isDescending = order.startsWith('-');
  const column = columns.find(({ head, by }) => by !== undefined && head === order.replace(/^-/, ''));
  const toggle = (head: string) => setFilter(name, order === head ? `-${head}` : order === `-${head}` ? '' : head);
  const sortableHeads = columns.filter(({ by }) => by !== undefined).map(({ head }) => head);
  return (
    <DataTable
      {...table}
      columns={columns}
      rows={column?.by === undefined ? rows : sortRows(rows, column.by, isDescending)}
      sorting={{ sortableHeads, sortedHead: column?.head, isDescending, toggle }}
    />
  );
}

function sortRows<Row>(rows: readonly Row[], by: (row: Row) => string | number, isDescending: boolean): Row[] {
  const sign = isDescending ? -1 : 1;
  return [...rows].sort((a, b) => {
    const [valueA, valueB] = [by(a), by(b)];
    if (typeof valueA === 'number' && typeof valueB === 'number') return sign * (valueA - valueB);
    return sign * inNaturalOrder(String(valueA), String(valueB));
  });
}
