// Shows the printers as a table: their state, progress, cameras, current print and its spool.
import { memo, type ReactNode } from 'react';
import { Link } from 'react-router';
import { cameraAddress } from '../camera/camera-address';
import { Badge } from '../parts/badge';
import { type Column, DataTable } from '../parts/data-table';
import { formatDuration } from '../parts/formats';
import { Since } from '../parts/moment';
import { formatGrams } from '../parts/numbers';
import { printerAddress } from '../parts/object-addresses';
import { formatSpoolGrams, freeGrams } from '../parts/spool-grams';
import { isBusy, usePrinterState } from '../printers/live-states';
import { CurrentPrint, Progress } from '../printers/printer-now';
import { formatJobWeight } from '../prints/amount-bases';
import { spoolCount } from '../prints/print-texts';
import styles from './farm.module.css';
import { findCurrentJob, type Printer } from './printer-job';
import { StateCell } from './tile-state-badge';

const COLUMNS: Column<Printer>[] = [
  {
    head: 'Printer',
    width: 'minmax(8rem, 2fr)',
    cell: ({ id, name }) => <Link to={printerAddress(id)}>{name}</Link>,
  },
  {
    head: 'State',
    width: 'minmax(9.5rem, 3fr)',
    cell: (printer) => <StateCell printer={printer} />,
  },
  { head: 'Progress', width: 'minmax(8rem, 1fr)', cell: ({ id }) => <ProgressCell id={id} /> },
  {
    head: 'Cameras',
    width: 'minmax(6rem, 1.5fr)',
    cell: ({ cameras }) =>
      cameras.length > 0 &&
      cameras.map(({ id, friendlyName }, index) => (
        <span key={id}>
          {index > 0 && <span>, </span>}
          <Link to={cameraAddress(id)}>{friendlyName}</Link>
        </span>
      )),
  },
  {
    head: 'Print',
    width: 'minmax(7rem, 3fr)',
    cell: (printer) => <PrintCell printer={printer} />,
  },
  {
    head: 'Elapsed',
    width: 'minmax(5rem, 1fr)',
    cell: (printer) => (
      <CurrentJobCell printer={printer}>{({ startedAt }) => startedAt && <Since from={startedAt} />}</CurrentJobCell>
    ),
  },
  {
    head: 'Spool',
    width: 'minmax(7rem, 2fr)',
    cell: (printer) => (
      <CurrentJobCell printer={printer}>
        {(job) =>
          spoolCount(job) > 1 ? (
            <span>{`${spoolCount(job)} spools`}</span>
          ) : (
            job.spool && <span>{`${job.spool.spoolSerial} (${job.spool.material.name})`}</span>
          )
        }
      </CurrentJobCell>
    ),
  },
  {
    head: 'Job weight',
    width: 'minmax(4rem, 1fr)',
    isNumber: true,
    cell: (printer) => (
      <CurrentJobCell printer={printer}>{(job) => <span>{formatJobWeight(job)}</span>}</CurrentJobCell>
    ),
  },
  {
    head: 'Remaining',
    width: 'minmax(8rem, 1fr)',
    isNumber: true,
    cell: (printer) => (
      <CurrentJobCell printer={printer}>
        {(job) => {
          // For a job with several spools, the page of the job shows what remains on each.
          const spool = spoolCount(job) > 1 ? null : job.spool;
          return spool && <RemainingCell spool={spool} />;
        }}
      </CurrentJobCell>
    ),
  },
];

interface CurrentJobCellProps {
  printer: Printer;
  children: (job: Printer['jobs']['nodes'][number]) => ReactNode;
}

/**
 * A cell about the current job of a printer. Each cell reads the state from the cache, so that a new state draws only its own row.
 * See live-states.ts.
 */
function CurrentJobCell({ printer, children }: CurrentJobCellProps) {
  const { job } = findCurrentJob(printer, usePrinterState(printer.id));
  return job && children(job);
}

function ProgressCell({ id }: { id: string }) {
  const state = usePrinterState(id);
  if (state === null || !isBusy(state)) return null;
  return (
    <>
      <Progress state={state} />
      {state.remainingSec !== null && (
        <span className={styles['left']}>{`${formatDuration(state.remainingSec)} left`}</span>
      )}
    </>
  );
}

function PrintCell({ printer }: { printer: Printer }) {
  const state = usePrinterState(printer.id);
  const { job, stale } = findCurrentJob(printer, state);
  return (
    <>
      {job && <Link to={`/jobs/${job.id}`}>{job.printName || 'Unnamed'}</Link>}
      {job === undefined && state !== null && isBusy(state) && <CurrentPrint state={state} />}
      {stale && (
        <Link className={styles['left']} to={`/jobs/${stale.id}`}>
          {`Old job still open: ${stale.printName || 'Unnamed'}`}
        </Link>
      )}
    </>
  );
}

/** What remains on the spool, and how much is missing for its queued and printing jobs. */
function RemainingCell({ spool }: { spool: { remainingGrams: string; plannedGrams: string } }) {
  const free = freeGrams(spool);
  return (
    <>
      <span>{`${formatGrams(spool.remainingGrams)} `}</span>
      {free < 0 && <Badge tone="bad">{`${formatSpoolGrams(-free)} short`}</Badge>}
    </>
  );
}

/** Drawn again only if the printers or their order change. */
export const PrinterTable = memo(function PrinterTable({ printers }: { printers: readonly Printer[] }) {
  return <DataTable label="Printers" columns={COLUMNS} rows={printers} getKey={({ id }) => id} />;
});
