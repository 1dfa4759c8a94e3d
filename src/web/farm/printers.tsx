// The printers of the farm, each with the job that it prints.
import { Link } from 'react-router';
import type { FarmPrintersQuery } from '../../generated/web-operations';
import { cameraAddress } from '../camera/address';
import { Badge } from '../parts/badge';
import { type Column, DataTable } from '../parts/data-table';
import { Since } from '../parts/moment';
import { Section } from '../parts/page';
import { Empty } from '../parts/states';
import { grams, inNaturalOrder } from '../parts/words';

type Printer = FarmPrintersQuery['printers']['nodes'][number];

const jobOf = ({ jobs }: Printer) => jobs.nodes[0];

const COLUMNS: Column<Printer>[] = [
  { head: 'Printer', width: 'minmax(8rem, 2fr)', cell: ({ name }) => name },
  {
    head: 'State',
    width: 'minmax(5rem, 1fr)',
    cell: (printer) => (jobOf(printer) ? <Badge tone="info">Printing</Badge> : <Badge tone="muted">Idle</Badge>),
  },
  {
    head: 'Watched by',
    width: 'minmax(6rem, 2fr)',
    cell: ({ cameras }) =>
      cameras.length > 0 &&
      cameras.map(({ id, friendlyName }, at) => (
        <span key={id}>
          {at > 0 && <span>, </span>}
          <Link to={cameraAddress(id)}>{friendlyName}</Link>
        </span>
      )),
  },
  {
    head: 'Prints',
    width: 'minmax(7rem, 3fr)',
    cell: (printer) => {
      const job = jobOf(printer);
      return job && <Link to={`/jobs/${job.id}`}>{job.printName || 'Unnamed'}</Link>;
    },
  },
  {
    head: 'For',
    width: 'minmax(5rem, 1fr)',
    cell: (printer) => {
      const job = jobOf(printer);
      return job?.startedAt && <Since from={job.startedAt} />;
    },
  },
  {
    head: 'Spool',
    width: 'minmax(7rem, 2fr)',
    cell: (printer) => {
      const spool = jobOf(printer)?.spool;
      return spool && `${spool.spoolSerial} (${spool.material.name})`;
    },
  },
  {
    head: 'Needs',
    width: 'minmax(4rem, 1fr)',
    isNumber: true,
    cell: (printer) => {
      const job = jobOf(printer);
      return job && grams(job.gramsDerived);
    },
  },
  {
    head: 'Spool has',
    width: 'minmax(8rem, 1fr)',
    isNumber: true,
    cell: (printer) => {
      const spool = jobOf(printer)?.spool;
      return spool && <Stock remaining={spool.remainingGrams} planned={spool.plannedGrams} />;
    },
  },
];

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
  const busy = printers.filter((printer) => jobOf(printer)).length;
  return (
    <Section title="Printers" about={`${busy} of ${printers.length} printing`}>
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
