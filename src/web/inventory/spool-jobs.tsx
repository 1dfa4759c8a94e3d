// Lists the jobs of a spool, newest first, with the filament that each used of the spool. Older jobs are read when the end of the list comes into view.
import { useQuery } from '@apollo/client/react';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { SpoolJobsDocument, type SpoolJobsQuery } from '../../generated/web-operations';
import { Badge } from '../parts/badge';
import { type Column, DataTable } from '../parts/data-table';
import { useFurtherPages } from '../parts/further-pages';
import { JOB_STATUSES } from '../parts/job-statuses';
import { Empty, Loaded, ProblemBox } from '../parts/loading-states';
import { Moment } from '../parts/moment';
import { useExactMoney } from '../parts/money';
import { roundedGrams } from '../parts/numbers';
import { printerAddress } from '../parts/object-addresses';
import { Section } from '../parts/page';
import { RoundedGrams } from '../parts/rounded-grams';
import { formatJobWeight, isWeightUnknown } from '../prints/amount-bases';
import { spoolCount } from '../prints/print-texts';
import { sumParts } from './spool-points';

type Job = NonNullable<SpoolJobsQuery['spool']>['jobs']['nodes'][number];

const createColumns = (spoolId: string): Column<Job>[] => [
  {
    head: 'Job',
    width: 'minmax(9rem, 3fr)',
    cell: ({ id, printName }) => <Link to={`/jobs/${id}`}>{printName || 'Unnamed'}</Link>,
  },
  {
    head: 'Status',
    width: 'minmax(6rem, 1fr)',
    cell: ({ status }) => <Badge tone={JOB_STATUSES[status].tone}>{JOB_STATUSES[status].name}</Badge>,
  },
  {
    head: 'Printer',
    width: 'minmax(7rem, 2fr)',
    cell: ({ printer }) => printer && <Link to={printerAddress(printer.id)}>{printer.name}</Link>,
  },
  {
    head: 'Used',
    width: 'minmax(6rem, 1fr)',
    isNumber: true,
    cell: (job) =>
      isWeightUnknown(job) ? formatJobWeight(job) : <RoundedGrams amount={sumParts(job, spoolId, 'gramsDerived')} />,
  },
  {
    head: 'Job total',
    width: 'minmax(6rem, 1fr)',
    isNumber: true,
    cell: (job) => spoolCount(job) > 1 && `${roundedGrams(job.gramsDerived)} from ${spoolCount(job)} spools`,
  },
  {
    head: 'Cost',
    width: 'minmax(5rem, 1fr)',
    isNumber: true,
    cell: (job) => <ExactCost amount={sumParts(job, spoolId, 'cost')} />,
  },
  {
    head: 'Ended',
    width: 'minmax(6rem, 1fr)',
    cell: ({ completedAt }) => completedAt && <Moment at={completedAt} />,
  },
];

const ExactCost = ({ amount }: { amount: string }) => <span>{useExactMoney()(amount)}</span>;

export function SpoolJobs({ id }: { id: string }) {
  const columns = useMemo(() => createColumns(id), [id]);
  const query = useQuery(SpoolJobsDocument, { variables: { id }, context: { isPaged: true } });
  const { more, retry, problem } = useFurtherPages(query, query.data?.spool?.jobs.pageInfo);
  return (
    <Section title="Jobs">
      <Loaded query={query} what="the jobs">
        {({ spool }) =>
          spool === null || spool.jobs.nodes.length === 0 ? (
            <Empty>Jobs that use this spool appear here.</Empty>
          ) : (
            <DataTable
              label="Jobs of the spool"
              columns={columns}
              rows={spool.jobs.nodes}
              getKey={({ id }) => id}
              isDense
              onEnd={more}
            />
          )
        }
      </Loaded>
      {problem !== undefined && <ProblemBox title="Could not load older jobs" error={problem} onRetry={retry} />}
    </Section>
  );
}
