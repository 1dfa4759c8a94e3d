// Defines the columns of the list of jobs.
import { Link } from 'react-router';
import type { JobRowFragment } from '../../generated/web-operations';
import { FilmShare } from '../films/film-share';
import { Badge } from '../parts/badge';
import type { Column } from '../parts/data-table';
import { JOB_STATUSES } from '../parts/job-statuses';
import { Moment } from '../parts/moment';
import { Money } from '../parts/money';
import { printerAddress, spoolAddress } from '../parts/object-addresses';
import { RoundedGrams } from '../parts/rounded-grams';
import { type RowSelection, SelectableCell } from '../parts/row-selection';
import { formatJobWeight, isWeightUnknown } from '../prints/amount-bases';

import { spoolCount } from '../prints/print-texts';
import styles from './jobs.module.css';
import { StatusButtons } from './status-buttons';

const COLUMNS: Column<JobRowFragment>[] = [
  {
    head: 'Status',
    width: 'minmax(5.25rem, 0.5fr)',
    cell: ({ status }) => <Badge tone={JOB_STATUSES[status].tone}>{JOB_STATUSES[status].name}</Badge>,
  },
  {
    head: 'Printer',
    width: 'minmax(4.75rem, 2.5fr)',
    cell: ({ printer }) =>
      printer && (
        <Link to={printerAddress(printer.id)} className={styles['name']}>
          {printer.name}
        </Link>
      ),
  },
  {
    head: 'Spool',
    width: 'minmax(5rem, 3fr)',
    cell: (job) => <SpoolCell job={job} />,
  },
  { head: 'Weight', width: 'minmax(4.75rem, 0.5fr)', isNumber: true, cell: (job) => <JobWeight job={job} /> },
  {
    head: 'Cost',
    width: 'minmax(3.75rem, 0.5fr)',
    isNumber: true,
    cell: ({ costPerPrint }) => <Money amount={costPerPrint} />,
  },
  { head: 'Ended', width: 'minmax(9.25rem, 0.5fr)', cell: (job) => <EndedCell job={job} /> },
  { head: 'Recorded', width: 'minmax(4.5rem, 0.5fr)', isNumber: true, cell: (job) => <FilmShare job={job} /> },
  // The column has room for the outcome of an action, so that a row does not grow under the pointer.
  {
    head: 'Actions',
    width: 'minmax(13rem, 0.5fr)',
    isFullWidth: true,
    isWrapped: true,
    cell: (job) => <StatusButtons job={job} />,
  },
];

const JobLink = ({ job: { id, printName } }: { job: JobRowFragment }) => (
  <Link to={`/jobs/${id}`} className={styles['name']} title={printName}>
    {printName || 'Unnamed'}
  </Link>
);

/** @param selection undefined if the caller may not change jobs */
export const createJobColumns = (selection: RowSelection | undefined): Column<JobRowFragment>[] => [
  {
    head: 'Job',
    width: 'minmax(6.5rem, 3fr)',
    cell: (job) => (
      <SelectableCell id={job.id} name={job.printName || 'Unnamed'} selection={selection}>
        <JobLink job={job} />
      </SelectableCell>
    ),
  },
  ...COLUMNS,
];

const JobWeight = ({ job }: { job: JobRowFragment }) =>
  isWeightUnknown(job) ? formatJobWeight(job) : <RoundedGrams amount={job.gramsDerived} />;

/** A job that has not ended shows when it started, or when it was created. */
function EndedCell({ job: { completedAt, startedAt, createdAt, status } }: { job: JobRowFragment }) {
  if (completedAt) return <Moment at={completedAt} />;
  return (
    <span className={styles['quiet']}>
      {status === 'PRINTING' && startedAt ? (
        <>
          <span>{'started '}</span>
          <Moment at={startedAt} />
        </>
      ) : (
        <>
          <span>{'created '}</span>
          <Moment at={createdAt} />
        </>
      )}
    </span>
  );
}

function SpoolCell({ job }: { job: JobRowFragment }) {
  const { spool } = job;
  if (spoolCount(job) > 1) return <span>{`${spoolCount(job)} spools`}</span>;
  if (spool === null) return null;
  return (
    <>
      <Link to={spoolAddress(spool.id)} className={styles['name']}>
        {spool.spoolSerial}
      </Link>
      <span className={styles['quiet']}>{` ${spool.material.name}`}</span>
    </>
  );
}
