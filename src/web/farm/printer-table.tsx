// The printers as a table, for who prefers it: each with what it does now and the job that it prints.
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { cameraAddress } from '../camera/camera-address';
import { Badge } from '../parts/badge';
import { type Column, DataTable } from '../parts/data-table';
import { duration } from '../parts/formats';
import { Since } from '../parts/moment';
import { grams } from '../parts/numbers';
import { printerAddress } from '../parts/object-addresses';
import { freeGrams, toGrams } from '../parts/spool-grams';
import { useStateOf } from '../printers/live-states';
import { NowPrinted, Progress } from '../printers/printer-now';
import { jobGramsOf } from '../prints/amount-bases';
import { spoolCount } from '../prints/print-texts';
import styles from './farm.module.css';
import { isBusy, jobNow, type Printer } from './printer-job';
import { State } from './printer-state';

const COLUMNS: Column<Printer>[] = [
  {
    head: 'Printer',
    width: 'minmax(8rem, 2fr)',
    cell: ({ id, name }) => <Link to={printerAddress(id)}>{name}</Link>,
  },
  {
    head: 'State',
    width: 'minmax(5rem, 1fr)',
    cell: (printer) => <State printer={printer} />,
  },
  { head: 'Progress', width: 'minmax(8rem, 1fr)', cell: ({ id }) => <ProgressOf id={id} /> },
  {
    head: 'Cameras',
    width: 'minmax(6rem, 2fr)',
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
    cell: (printer) => <PrintsOf printer={printer} />,
  },
  {
    head: 'Elapsed',
    width: 'minmax(5rem, 1fr)',
    cell: (printer) => <OfJob printer={printer}>{({ startedAt }) => startedAt && <Since from={startedAt} />}</OfJob>,
  },
  {
    head: 'Spool',
    width: 'minmax(7rem, 2fr)',
    cell: (printer) => (
      <OfJob printer={printer}>
        {(job) =>
          spoolCount(job) > 1 ? (
            <span>{`${spoolCount(job)} spools`}</span>
          ) : (
            job.spool && <span>{`${job.spool.spoolSerial} (${job.spool.material.name})`}</span>
          )
        }
      </OfJob>
    ),
  },
  {
    head: 'Job weight',
    width: 'minmax(4rem, 1fr)',
    isNumber: true,
    cell: (printer) => <OfJob printer={printer}>{(job) => <span>{jobGramsOf(job)}</span>}</OfJob>,
  },
  {
    head: 'Remaining',
    width: 'minmax(8rem, 1fr)',
    isNumber: true,
    cell: (printer) => (
      <OfJob printer={printer}>
        {(job) => {
          // What its other spools have is on its page.
          const spool = spoolCount(job) > 1 ? null : job.spool;
          return spool && <Stock spool={spool} />;
        }}
      </OfJob>
    ),
  },
];

interface OfJobProps {
  printer: Printer;
  children: (job: Printer['jobs']['nodes'][number]) => ReactNode;
}

/** What is to be said of the job that the machine prints. Each of these reads the cache by itself: see live-states.ts. */
function OfJob({ printer, children }: OfJobProps) {
  const { job } = jobNow(printer, useStateOf(printer.id));
  return job && children(job);
}

function ProgressOf({ id }: { id: string }) {
  const state = useStateOf(id);
  if (state === null || !isBusy(state)) return null;
  return (
    <>
      <Progress state={state} />
      {state.remainingSec !== null && <span className={styles['left']}>{`${duration(state.remainingSec)} left`}</span>}
    </>
  );
}

function PrintsOf({ printer }: { printer: Printer }) {
  const state = useStateOf(printer.id);
  const { job, stale } = jobNow(printer, state);
  return (
    <>
      {job && <Link to={`/jobs/${job.id}`}>{job.printName || 'Unnamed'}</Link>}
      {job === undefined && state !== null && isBusy(state) && <NowPrinted state={state} />}
      {stale && (
        <Link className={styles['left']} to={`/jobs/${stale.id}`}>
          {`Old job still open: ${stale.printName || 'Unnamed'}`}
        </Link>
      )}
    </>
  );
}

/** The filament on the spool now, and whether it is enough for all jobs that are planned with it. */
function Stock({ spool }: { spool: { remainingGrams: string; plannedGrams: string } }) {
  const free = freeGrams(spool);
  return (
    <>
      <span>{`${grams(spool.remainingGrams)} `}</span>
      {free < 0 && <Badge tone="bad">{`${toGrams(-free)} short`}</Badge>}
    </>
  );
}

export function PrinterTable({ printers }: { printers: readonly Printer[] }) {
  return <DataTable label="Printers" columns={COLUMNS} rows={printers} keyOf={({ id }) => id} />;
}
