// A table of a list that is here as a whole: its headings sort it, and the address says how.
import { type Column, DataTable } from './data-table';
import { useFilters } from './filters';
import { inNaturalOrder } from './formats';

interface SortedTableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  /** The rows in their order while no heading sorts them. */
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** The name of the order in the address, where a page has several tables. */
  name?: string;
}

export function SortedTable<Row>({ columns, rows, name = 'order', ...table }: SortedTableProps<Row>) {
  const [of, set] = useFilters();
  const order = of(name);
  const isDescending = order.startsWith('-');
  const column = columns.find(({ head, by }) => by !== undefined && head === order.replace(/^-/, ''));
  const turn = (head: string) => set(name, order === head ? `-${head}` : order === `-${head}` ? '' : head);
  const heads = columns.filter(({ by }) => by !== undefined).map(({ head }) => head);
  return (
    <DataTable
      {...table}
      columns={columns}
      rows={column?.by === undefined ? rows : sorted(rows, column.by, isDescending)}
      sorting={{ heads, head: column?.head, isDescending, turn }}
    />
  );
}

function sorted<Row>(rows: readonly Row[], by: (row: Row) => string | number, isDescending: boolean): Row[] {
  const sign = isDescending ? -1 : 1;
  return [...rows].sort((one, other) => {
    const [here, there] = [by(one), by(other)];
    if (typeof here === 'number' && typeof there === 'number') return sign * (here - there);
    return sign * inNaturalOrder(String(here), String(there));
  });
}
