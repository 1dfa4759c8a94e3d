// Shows what each row of a list would change, or has changed.
import { useMemo, useState } from 'react';
import { Badge, type Tone } from '../parts/badge';
import { Button } from '../parts/button';
import { type Column, DataTable } from '../parts/data-table';
import { Check } from '../parts/form';
import { Empty } from '../parts/loading-states';
import { ChangesList } from './changes-list';
import styles from './import.module.css';
import type { ImportResult } from './use-import';

type Row = ImportResult['rows'][number];

const ACTIONS: Record<Row['action'], { tone: Tone; name: string }> = {
  CREATE: { tone: 'good', name: 'New' },
  UPDATE: { tone: 'info', name: 'Changed' },
  SAME: { tone: 'muted', name: 'Unchanged' },
  REFUSED: { tone: 'bad', name: 'Refused' },
};

const COLUMNS: Column<Row>[] = [
  { head: 'Line', width: 'minmax(3rem, 0.3fr)', isNumber: true, cell: ({ line }) => line },
  {
    head: 'Result',
    width: 'minmax(6rem, 0.6fr)',
    cell: ({ action }) => <Badge tone={ACTIONS[action].tone}>{ACTIONS[action].name}</Badge>,
  },
  { head: 'Number', width: 'minmax(4rem, 0.4fr)', cell: ({ number }) => (number === null ? '' : `#${number}`) },
  { head: 'Name', width: 'minmax(9rem, 1.2fr)', cell: ({ name }) => name },
  {
    head: 'Changes',
    width: 'minmax(14rem, 3fr)',
    isFullWidth: true,
    cell: (row) =>
      row.reason === null ? (
        <>
          {row.warning !== null && <Badge tone="warn">{`Check: ${row.warning}`}</Badge>}
          <ChangesList
            isUpdate={row.action === 'UPDATE'}
            changes={row.changes.map(({ column, from, to }) => ({ name: column, from, to }))}
          />
        </>
      ) : (
        <span className={styles['reason']}>{row.reason}</span>
      ),
  },
];

interface ImportRowsProps {
  result: ImportResult;
  isBusy: boolean;
  /** Reads the next rows. */
  onMore: () => void;
}

/** Unchanged rows are hidden until the user wants to see them. */
export function ImportRows({
  result: { rows, creates, updates, same, refused, written },
  isBusy,
  onMore,
}: ImportRowsProps) {
  const [showsUnchanged, setShowsUnchanged] = useState('');
  const shownRows = useMemo(
    () => (showsUnchanged === '' ? rows.filter(({ action }) => action !== 'SAME') : rows),
    [rows, showsUnchanged],
  );
  const hiddenRows = refused + updates + creates + (showsUnchanged === '' ? 0 : same) - shownRows.length;
  return (
    <>
      {same > 0 && (
        <Check name="withSame" value={showsUnchanged} onChange={({ target }) => setShowsUnchanged(target.value)}>
          {`Show unchanged rows (${same})`}
        </Check>
      )}
      {shownRows.length === 0 ? (
        <Empty>{rows.length === 0 ? 'The file has no rows.' : 'Nothing to change.'}</Empty>
      ) : (
        <DataTable label="Rows of the file" columns={COLUMNS} rows={shownRows} getKey={({ line }) => String(line)} />
      )}
      {hiddenRows > 0 && !written && (
        <Button isBusy={isBusy} onClick={onMore}>
          {hiddenRows === 1 ? 'Show 1 more row' : `Show more rows (${hiddenRows})`}
        </Button>
      )}
    </>
  );
}
