// Defines the columns of lists of prints.
import { Link } from 'react-router';
import type { PrintRowFragment } from '../../generated/web-operations';
import { Badge } from '../parts/badge';
import type { Column } from '../parts/data-table';
import { printAddress, printerAddress } from '../parts/object-addresses';
import { Amounts, EventTime } from './print-amounts';
import { OUTCOMES } from './print-texts';
import styles from './prints.module.css';

type Print = PrintRowFragment;

export const NAME_COLUMN: Column<Print> = {
  head: 'Print',
  width: 'minmax(9rem, 3fr)',
  cell: ({ id, name }) => <Link to={printAddress(id)}>{name || 'Unnamed'}</Link>,
};
export const PRINTER: Column<Print> = {
  head: 'Printer',
  width: 'minmax(7rem, 2fr)',
  cell: ({ printer }) => <Link to={printerAddress(printer.id)}>{printer.name}</Link>,
};
export const OUTCOME: Column<Print> = {
  head: 'Outcome',
  width: 'minmax(7rem, 1fr)',
  cell: ({ outcome }) => <Badge tone={OUTCOMES[outcome].tone}>{OUTCOMES[outcome].name}</Badge>,
};
export const STARTED: Column<Print> = {
  head: 'Started',
  width: 'minmax(7rem, 1fr)',
  cell: ({ startedAt, startedAtEstimated }) => <EventTime at={startedAt} isEstimated={startedAtEstimated} />,
};
export const ENDED: Column<Print> = {
  head: 'Ended',
  width: 'minmax(7rem, 1fr)',
  cell: ({ outcome, endedAt, endedAtEstimated }) =>
    outcome !== 'RUNNING' && <EventTime at={endedAt} isEstimated={endedAtEstimated} />,
};
export const FILAMENT: Column<Print> = {
  head: 'Filament',
  width: 'minmax(10rem, 2fr)',
  cell: (print) => <Amounts print={print} />,
};
export const JOB: Column<Print> = {
  head: 'Job',
  width: 'minmax(8rem, 2fr)',
  cell: (print) => {
    const { job, ignoredAt } = print;
    if (job !== null) return <Link to={`/jobs/${job.id}`}>{job.printName || 'Unnamed'}</Link>;
    if (ignoredAt !== null) return <Badge tone="muted">Not booked</Badge>;
    return <WaitReason print={print} />;
  },
};

/** What a print waits for, and the reason if the gateway gives one. */
export function WaitReason({ print: { waitsFor, waitsBecause } }: { print: Print }) {
  if (waitsFor === null) return null;
  return (
    <>
      <Badge tone="warn">{WAIT_REASONS[waitsFor]}</Badge>
      {waitsBecause !== null && <span className={styles['quiet']}>{waitsBecause}</span>}
    </>
  );
}

const WAIT_REASONS = { SPOOL: 'Spool unknown', OUTCOME: 'Outcome unknown' };
