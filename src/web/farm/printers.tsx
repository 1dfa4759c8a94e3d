// The printers of the farm, each with what it does now and the job that it prints.
import { useQuery } from '@apollo/client/react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { FarmStatesDocument } from '../../generated/web-operations';
import { cameraAddress } from '../camera/address';
import { ASKING } from '../parts/asking';
import { Badge } from '../parts/badge';
import { type Column, DataTable } from '../parts/data-table';
import { Since } from '../parts/moment';
import { grams } from '../parts/numbers';
import { Section } from '../parts/page';
import { Empty } from '../parts/states';
import { duration, inNaturalOrder } from '../parts/words';
import { useStateOf } from '../printers/live-states';
import { Activity, NeverHeard, NowPrinted, Progress } from '../printers/printer-now';
import { gramsOf, printerAddress, spoolCount } from '../prints/print-words';
import styles from './farm.module.css';
import { isBusy, jobNow, type Printer } from './now';

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
    head: 'Watched by',
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
    head: 'Prints',
    width: 'minmax(7rem, 3fr)',
    cell: (printer) => <PrintsOf printer={printer} />,
  },
  {
    head: 'For',
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
    head: 'Needs',
    width: 'minmax(4rem, 1fr)',
    isNumber: true,
    cell: (printer) => <OfJob printer={printer}>{(job) => <span>{gramsOf(job)}</span>}</OfJob>,
  },
  {
    head: 'Spool has',
    width: 'minmax(8rem, 1fr)',
    isNumber: true,
    cell: (printer) => (
      <OfJob printer={printer}>
        {(job) => {
          // What its other spools have is on its page.
          const spool = spoolCount(job) > 1 ? null : job.spool;
          return spool && <Stock remaining={spool.remainingGrams} planned={spool.plannedGrams} />;
        }}
      </OfJob>
    ),
  },
];

interface OfJobProps {
  printer: Printer;
  children: (job: Printer['jobs']['nodes'][number]) => ReactNode;
}

/** What is to be said of the job that the machine prints. */
function OfJob({ printer, children }: OfJobProps) {
  const { job } = jobNow(printer, useStateOf(printer.id));
  return job && children(job);
}

/** A printer without a device does what its job says. Each of these reads the cache by itself: see live-states.ts. */
function State({ printer }: { printer: Printer }) {
  const state = useStateOf(printer.id);
  if (state !== null) return <Activity state={state} />;
  return printer.jobs.nodes.length > 0 ? <Badge tone="info">Printing</Badge> : <NeverHeard id={printer.id} />;
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
          {`Still marked as printing: ${stale.printName || 'Unnamed'}`}
        </Link>
      )}
    </>
  );
}

/** How many print: by their states, and by their jobs where there is none. It asks, since a lost stream brings no states. */
function Busy({ printers }: { printers: readonly Printer[] }) {
  const { data } = useQuery(FarmStatesDocument, { ...ASKING, context: { isWhole: true } });
  const states = new Map(data?.printers.nodes.map(({ id, state }) => [id, state]));
  const busy = printers.filter(({ id, jobs }) => {
    const state = states.get(id);
    return state ? isBusy(state) : jobs.nodes.length > 0;
  });
  return <span>{`${busy.length} of ${printers.length} printing`}</span>;
}

/** The filament on the spool now, and whether it is enough for all jobs that are planned with it. */
function Stock({ remaining, planned }: { remaining: string; planned: string }) {
  const missing = Number(planned) - Number(remaining);
  return (
    <>
      <span>{`${grams(remaining)} `}</span>
      {missing > 0 && <Badge tone="bad">{`${grams(missing.toFixed(2))} short`}</Badge>}
    </>
  );
}

export function Printers({ printers }: { printers: readonly Printer[] }) {
  const rows = [...printers].sort((one, other) => inNaturalOrder(one.name, other.name));
  return (
    <Section title="Printers" about={<Busy printers={printers} />}>
      {rows.length === 0 ? (
        <Empty>
          <span>{'No printers yet. '}</span>
          <Link to="/start">See how to begin</Link>
        </Empty>
      ) : (
        <DataTable label="Printers" columns={COLUMNS} rows={rows} keyOf={({ id }) => id} />
      )}
    </Section>
  );
}
