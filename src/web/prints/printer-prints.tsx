// Lists the prints of a printer, newest first. Older prints are loaded by a button, because more sections of the page follow.
import { useQuery } from '@apollo/client/react';
import { useMemo } from 'react';
import { PrinterPrintsDocument } from '../../generated/web-operations';
import { Button } from '../parts/button';
import { DataTable } from '../parts/data-table';
import { useFurtherPages } from '../parts/further-pages';
import { Empty, Loaded, ProblemBox } from '../parts/loading-states';
import { Section } from '../parts/page';
import { ENDED, FILAMENT, JOB, NAME_COLUMN, OUTCOME, STARTED } from './print-columns';

const COLUMNS = [NAME_COLUMN, OUTCOME, STARTED, ENDED, FILAMENT, JOB];

export function PrinterPrints({ printerId }: { printerId: string }) {
  const variables = useMemo(() => ({ filter: { printerId } }), [printerId]);
  const prints = useQuery(PrinterPrintsDocument, { variables, context: { isPaged: true } });
  const { more, retry, problem } = useFurtherPages(prints, prints.data?.observedPrints.pageInfo);
  return (
    <Section title="Prints">
      <Loaded query={prints} what="the prints">
        {({ observedPrints: { nodes } }) =>
          nodes.length === 0 ? (
            <Empty>Prints that this printer reports appear here.</Empty>
          ) : (
            <DataTable label="Prints" columns={COLUMNS} rows={nodes} getKey={({ id }) => id} />
          )
        }
      </Loaded>
      {more && <Button onClick={more}>Show older prints</Button>}
      {problem !== undefined && <ProblemBox title="Could not load older prints" error={problem} onRetry={retry} />}
    </Section>
  );
}
