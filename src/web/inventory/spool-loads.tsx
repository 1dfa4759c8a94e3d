// Lists the printers and slots that a spool is or was loaded in, newest first.
import { useQuery } from '@apollo/client/react';
import { Link } from 'react-router';
import { SpoolLoadsDocument, type SpoolLoadsQuery } from '../../generated/web-operations';
import { Button } from '../parts/button';
import { type Column, DataTable } from '../parts/data-table';
import { exactTime } from '../parts/formats';
import { useFurtherPages } from '../parts/further-pages';
import { Empty, Loaded, ProblemBox } from '../parts/loading-states';
import { printerAddress } from '../parts/object-addresses';
import { Section } from '../parts/page';
import { slotName } from '../parts/slot-name';

type Load = NonNullable<SpoolLoadsQuery['spool']>['slotLoads']['nodes'][number];

const COLUMNS: Column<Load>[] = [
  {
    head: 'Printer',
    width: 'minmax(8rem, 2fr)',
    cell: ({ printer }) => <Link to={printerAddress(printer.id)}>{printer.name}</Link>,
  },
  { head: 'Slot', width: 'minmax(6rem, 1fr)', cell: ({ slot }) => slotName(slot) },
  { head: 'Loaded', width: 'minmax(8rem, 1fr)', cell: ({ from }) => <time dateTime={from}>{exactTime(from)}</time> },
  {
    head: 'Taken out',
    width: 'minmax(8rem, 1fr)',
    cell: ({ to }) => (to === null ? 'Still loaded' : <time dateTime={to}>{exactTime(to)}</time>),
  },
];

export function SpoolLoads({ id }: { id: string }) {
  const query = useQuery(SpoolLoadsDocument, { variables: { id }, context: { isPaged: true } });
  const { more, retry, problem } = useFurtherPages(query, query.data?.spool?.slotLoads.pageInfo);
  return (
    <Section title="Location history">
      <Loaded query={query} what="the location history" rows={2}>
        {({ spool }) =>
          spool === null || spool.slotLoads.nodes.length === 0 ? (
            <Empty>Never loaded into a printer.</Empty>
          ) : (
            <DataTable
              label="Location history"
              columns={COLUMNS}
              rows={spool.slotLoads.nodes}
              getKey={({ from }) => from}
            />
          )
        }
      </Loaded>
      {problem !== undefined && <ProblemBox title="Could not load older locations" error={problem} onRetry={retry} />}
      {more && <Button onClick={more}>Show older locations</Button>}
    </Section>
  );
}
