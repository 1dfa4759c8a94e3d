// The printers of the farm, each with the job that it prints.
import { Link } from 'react-router';
import type { FarmQuery } from '../../generated/web-operations';
import { Badge } from '../parts/badge';
import { type Column, DataTable } from '../parts/data-table';
import { Since } from '../parts/moment';
import { Section } from '../parts/page';
import { Empty } from '../parts/states';
import { grams, inNaturalOrder } from '../parts/words';

type Printer = FarmQuery['printers']['nodes'][number];

const jobOf = ({ jobs }: Printer) => jobs.nodes[0];

const COLUMNS: Column<Printer>[] = [
  { head: 'Printer', width: 'minmax(8rem, 2fr)', cell: ({ name }) => name },
  {
    head: 'State',
    width: 'minmax(5rem, 1fr)',
    cell: (printer) => (jobOf(printer) ? <Badge tone="info">Printing</Badge> : <Badge tone="muted">Idle</Badge>),
  },
  {
    head: 'Prints',
    width: 'minmax(8rem, 3fr)',
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
    width: 'minmax(8rem, 2fr)',
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
];

export function Printers({ printers, total }: { printers: readonly Printer[]; total: number }) {
  const rows = [...printers].sort((one, other) => inNaturalOrder(one.name, other.name));
  const busy = printers.filter((printer) => jobOf(printer)).length;
  return (
    <Section title="Printers" about={`${busy} of ${total} printing`}>
      {rows.length === 0 ? (
        <Empty>
          No printers yet. <Link to="/start">See how to begin</Link>
        </Empty>
      ) : (
        <DataTable label="Printers" columns={COLUMNS} rows={rows} keyOf={({ id }) => id} />
      )}
    </Section>
  );
}
