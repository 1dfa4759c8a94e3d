// Lists what other programs reported as used of a spool, the newest first, and whether each report counts.
import { useQuery } from '@apollo/client/react';
import { SpoolReportedUsesDocument, type SpoolReportedUsesQuery } from '../../generated/web-operations';
import { Badge } from '../parts/badge';
import { Button } from '../parts/button';
import { type Column, DataTable } from '../parts/data-table';
import { exactTime } from '../parts/formats';
import { useFurtherPages } from '../parts/further-pages';
import { Empty, Loaded, ProblemBox } from '../parts/loading-states';
import { formatDecimal, formatGrams } from '../parts/numbers';
import { FoldedSection } from '../parts/page';
import { formatSpoolGrams } from '../parts/spool-grams';
import styles from './inventory.module.css';
import type { PageSpool } from './spool-ledger-forms';

type Use = NonNullable<SpoolReportedUsesQuery['spool']>['reportedUses']['nodes'][number];

const COLUMNS: Column<Use>[] = [
  { head: 'From', width: 'minmax(8rem, 1fr)', cell: ({ from }) => <time dateTime={from}>{exactTime(from)}</time> },
  { head: 'To', width: 'minmax(8rem, 1fr)', cell: ({ to }) => <time dateTime={to}>{exactTime(to)}</time> },
  { head: 'By', width: 'minmax(6rem, 1fr)', cell: ({ by }) => by },
  {
    head: 'Amount',
    width: 'minmax(7rem, 1fr)',
    isNumber: true,
    cell: ({ grams, millimetres }) => (
      <>
        <span>{formatGrams(grams)}</span>
        {millimetres !== null && <span className={styles['quiet']}>{`${formatDecimal(millimetres)} mm`}</span>}
      </>
    ),
  },
  {
    head: 'Counts',
    width: 'minmax(12rem, 2fr)',
    isFullWidth: true,
    cell: ({ counts }) =>
      counts ? (
        <Badge tone="good">Yes</Badge>
      ) : (
        <>
          <Badge tone="muted">No</Badge>
          <span className={styles['quiet']}>A print of the farm used the spool at this time. The print counts.</span>
        </>
      ),
  },
];

export function ReportedUses({ spool: { id, reportedGrams } }: { spool: PageSpool }) {
  return (
    <FoldedSection title="Reported by other programs" about={formatSpoolGrams(reportedGrams)}>
      <List id={id} />
    </FoldedSection>
  );
}

function List({ id }: { id: string }) {
  const query = useQuery(SpoolReportedUsesDocument, { variables: { id }, context: { isPaged: true } });
  const { more, retry, problem } = useFurtherPages(query, query.data?.spool?.reportedUses.pageInfo);
  return (
    <>
      <Loaded query={query} what="the reports" rows={2}>
        {({ spool }) =>
          spool === null || spool.reportedUses.nodes.length === 0 ? (
            <Empty>
              What programs such as Moonraker or OctoPrint report as used of this spool appears here. They use the API
              of Spoolman.
            </Empty>
          ) : (
            <DataTable
              label="Reports of other programs"
              columns={COLUMNS}
              rows={spool.reportedUses.nodes}
              getKey={({ from, by }) => `${from} ${by}`}
            />
          )
        }
      </Loaded>
      {problem !== undefined && <ProblemBox title="Could not load older reports" error={problem} onRetry={retry} />}
      {more && <Button onClick={more}>Show older reports</Button>}
    </>
  );
}
