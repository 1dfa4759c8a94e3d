// The table of what each row of a list would do, or did.
import { useMemo, useState } from 'react';
import { Badge, type Tone } from '../parts/badge';
import { Button } from '../parts/button';
import { type Column, DataTable } from '../parts/data-table';
import { Check } from '../parts/form';
import { Empty } from '../parts/loading-states';
import styles from './import.module.css';
import type { Shown } from './use-import';

type Row = Shown['rows'][number];

const ACTIONS: Record<Row['action'], { tone: Tone; word: string }> = {
  CREATE: { tone: 'good', word: 'New' },
  UPDATE: { tone: 'info', word: 'Changed' },
  SAME: { tone: 'muted', word: 'Unchanged' },
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

interface ImportRowsProps {
  shown: Shown;
  isBusy: boolean;
  /** Asks for the next rows. */
  onMore: () => void;
}

/** Rows that change nothing are left out, unless the reader wants them. */
export function ImportRows({
  shown: { rows, creates, updates, same, refused, written },
  isBusy,
  onMore,
}: ImportRowsProps) {
  const [withSame, setWithSame] = useState('');
  const shown = useMemo(
    () => (withSame === '' ? rows.filter(({ action }) => action !== 'SAME') : rows),
    [rows, withSame],
  );
  const left = refused + updates + creates + (withSame === '' ? 0 : same) - shown.length;
  return (
    <>
      {same > 0 && (
        <Check name="withSame" value={withSame} onChange={({ target }) => setWithSame(target.value)}>
          {`Show unchanged rows (${same})`}
        </Check>
      )}
      {shown.length === 0 ? (
        <Empty>{rows.length === 0 ? 'The file has no rows.' : 'Nothing to change.'}</Empty>
      ) : (
        <DataTable label="Rows of the file" columns={COLUMNS} rows={shown} keyOf={({ line }) => String(line)} />
      )}
      {left > 0 && !written && (
        <Button isBusy={isBusy} onClick={onMore}>
          {left === 1 ? 'Show 1 more row' : `Show more rows (${left})`}
        </Button>
      )}
    </>
  );
}
