// What each row of a file would do, or did.
import { useMemo, useState } from 'react';
import type { ImportStockMutation } from '../../generated/web-operations';
import { Badge, type Tone } from '../parts/badge';
import { type Column, DataTable } from '../parts/data-table';
import { Check } from '../parts/form';
import { Empty } from '../parts/loading-states';
import styles from './import.module.css';

type Row = ImportStockMutation['importStock']['rows'][number];

const ACTIONS: Record<Row['action'], { tone: Tone; word: string }> = {
  CREATE: { tone: 'good', word: 'New' },
  UPDATE: { tone: 'info', word: 'Changed' },
  SAME: { tone: 'muted', word: 'The same' },
  REFUSED: { tone: 'bad', word: 'Refused' },
};

const COLUMNS: Column<Row>[] = [
  { head: 'Line', width: 'minmax(3rem, 0.3fr)', isNumber: true, cell: ({ line }) => line },
  {
    head: 'What',
    width: 'minmax(6rem, 0.6fr)',
    cell: ({ action }) => <Badge tone={ACTIONS[action].tone}>{ACTIONS[action].word}</Badge>,
  },
  { head: 'Number', width: 'minmax(4rem, 0.4fr)', cell: ({ number }) => (number === null ? '' : `#${number}`) },
  { head: 'Name', width: 'minmax(9rem, 1.2fr)', cell: ({ name }) => name },
  {
    head: 'Changes',
    width: 'minmax(14rem, 3fr)',
    isLine: true,
    cell: (row) =>
      row.reason === null ? <Changes of={row} /> : <span className={styles['reason']}>{row.reason}</span>,
  },
];

function Changes({ of: { action, changes } }: { of: Row }) {
  return (
    <ul className={styles['changes']}>
      {changes.map(({ column, from, to }) => (
        <li key={column}>
          <span className={styles['column']}>{`${column} `}</span>
          {action === 'UPDATE' && <del>{from ?? 'nothing'}</del>}
          {action === 'UPDATE' && <span aria-hidden="true"> → </span>}
          <ins>{to ?? 'nothing'}</ins>
        </li>
      ))}
    </ul>
  );
}

/** Rows that do nothing are left out, unless the reader wants them. */
export function ImportRows({ rows, same }: { rows: readonly Row[]; same: number }) {
  const [withSame, setWithSame] = useState('');
  const shown = useMemo(
    () => (withSame === '' ? rows.filter(({ action }) => action !== 'SAME') : rows),
    [rows, withSame],
  );
  return (
    <>
      {same > 0 && (
        <Check name="withSame" value={withSame} onChange={({ target }) => setWithSame(target.value)}>
          {`Show rows that are the same (${same})`}
        </Check>
      )}
      {shown.length === 0 ? (
        <Empty>{rows.length === 0 ? 'The file has no rows.' : 'All rows are the same.'}</Empty>
      ) : (
        <DataTable label="Rows of the file" columns={COLUMNS} rows={shown} keyOf={({ line }) => String(line)} />
      )}
    </>
  );
}
